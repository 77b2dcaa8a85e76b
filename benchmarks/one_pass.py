"""
One pass against one per predicate: LISA of published size, given the gold predicates, encodes each
sentence once, or once for each predicate, which an embedding marks (LISA section 4.1, Table 2).

    python -m benchmarks.one_pass [--corpus DIR] [--threads N] [--json FILE] [--check]
"""

import functools
import statistics
import sys

from benchmarks.common import Report, make_parser, ratios, read_with_frames, times_in_turns
from benchmarks.inference import label, leave_out_gold
from benchmarks.systems import make_lisa

BAR = 1.0


def main() -> int:
    args = make_parser(__doc__, max_tokens=2000).parse_args()
    report = Report("one_pass", args)
    sentences = read_with_frames(args)
    names = ("one pass", "a pass per predicate")
    systems = [make_lisa(sentences, reencodes=name != names[0]) for name in names]
    runs = []
    for system in systems:
        batches = system.batches(args.max_tokens)
        leave_out_gold(batches)
        runs.append(functools.partial(label, system, batches))
    times = times_in_turns(runs, args.runs)
    header = ["system", "passes per sentence", "sentences/s", "frames/s"]
    num_frames = sum(len(sentence.frames or []) for sentence in sentences)
    rows = []
    for name, system, seconds in zip(names, systems, map(statistics.median, times), strict=True):
        rates = len(sentences) / seconds, num_frames / seconds
        rows.append([name, len(system.instances) / len(sentences), *rates])
    report.table(header, rows)
    one, per_predicate = times
    report.at_least("one pass, times as fast", ratios(per_predicate, one), BAR)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
