"""
How LISA's time and memory grow with the number of predicates, the length of sentences, the batch
size and the number of layers; and whether its memory grows while `pipe` labels a stream of
sentences.

The peak is the memory of the whole process during the measurement of a row (Linux only).

    python -m benchmarks.scaling [--corpus DIR] [--stream 1000000] [--json FILE] [--check]
"""

import itertools
import math
import re
import sys
from pathlib import Path
from typing import List, Sequence

import torch

from benchmarks.common import Report, make_parser, read_sentences, seconds
from benchmarks.inference import label, leave_out_gold
from benchmarks.systems import System, make_lisa
from lisa_allennlp.data.sentence import Frame, Sentence
from lisa_allennlp.labelling.labeller import GROUP_SIZE
from lisa_allennlp.labelling.lisa_labeller import LisaLabeller
from lisa_allennlp.labelling.writing import to_json
from lisa_allennlp.models.engines import LisaEngine

PREDICATES_BAR, MEMORY_BAR, GROWTH_BAR = 1.6, 1500.0, 5.0
STATUS, RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def megabytes(field: str) -> float:
    """`VmRSS` or `VmHWM` of this process; NaN if there is no /proc."""
    if not STATUS.exists():
        return math.nan
    found = re.search(rf"^{field}:\s+(\d+) kB", STATUS.read_text(), re.MULTILINE)
    return int(found.group(1)) / 1024 if found else math.nan


def forget_peak() -> None:
    """Lets `VmHWM` begin at the memory that this process has now."""
    if RESET.exists():
        RESET.write_text("5")


def with_shape(sentences: Sequence[Sentence], length: int, num_predicates: int) -> List[Sentence]:
    """Sentences with the given length and number of predicates, made of the given words."""
    words = itertools.cycle(word for sentence in sentences for word in sentence.words)
    roles = ["O"] * length
    predicates = [length * i // num_predicates for i in range(num_predicates)]
    return [
        Sentence(
            words=list(itertools.islice(words, length)),
            frames=[Frame(predicate, roles) for predicate in predicates],
        )
        for _ in sentences
    ]


def measure(system: System, sentences: Sequence[Sentence], batch_size: int, runs: int) -> List:
    """Milliseconds per sentence, and the peak memory in megabytes."""
    instances = [system.reader.text_to_instance(sentence) for sentence in sentences[:batch_size]]
    for instance in instances:
        system.reader.apply_token_indexers(instance)
        instance.index_fields(system.vocab)
    shaped = system.with_instances(instances)
    batches = shaped.batches(sys.maxsize)
    leave_out_gold(batches)
    forget_peak()
    time = seconds(lambda: label(shaped, batches), runs)
    return [1e3 * time / len(instances), megabytes("VmHWM")]


def stream(system: System, sentences: Sequence[Sentence], number: int) -> List[float]:
    """Resident megabytes after each tenth of the stream."""
    system.model.eval()
    labeller = LisaLabeller(LisaEngine(system.model, system.reader))
    inputs = (
        {"tokens": s.words, "predicates": [f.predicate for f in s.frames or []]}
        for s in itertools.islice(itertools.cycle(sentences), number)
    )
    resident = []
    next_note = number / 10
    group_size = min(GROUP_SIZE, number // 10)
    for done, sentence in enumerate(labeller.pipe(inputs, group_size), start=1):
        to_json(sentence)
        if done >= next_note:
            resident.append(megabytes("VmRSS"))
            next_note += number / 10
    return resident


def main() -> int:
    """Prints the tables; returns the exit status."""
    parser = make_parser(__doc__)
    parser.set_defaults(sentences=256)
    parser.add_argument(
        "--stream", type=int, default=5000, help="number of sentences to stream (default: 5000)"
    )
    parser.add_argument(
        "--stream-layers",
        type=int,
        default=12,
        help="layers of the streaming network (default: 12)",
    )
    args = parser.parse_args()
    report = Report("scaling", args)
    sentences = [s for s in read_sentences(args.corpus, args.sentences) if s.frames]
    system = make_lisa(sentences)
    points = [("predicates", p, 30, p, 32, 12) for p in (1, 2, 5, 10)]
    points += [("length", n, n, 3, 32, 12) for n in (10, 25, 50, 100, 200)]
    points += [("batch", n, 25, 3, n, 12) for n in (1, 4, 16, 64, 256)]
    points += [("layers", n, 25, 3, 32, n) for n in (4, 8, 12)]
    rows, times = [], {}
    for what, value, length, num_predicates, batch_size, num_layers in points:
        shaped = with_shape(sentences, length, num_predicates)
        sized = system if num_layers == 12 else make_lisa(sentences, num_layers)
        shaped = list(itertools.islice(itertools.cycle(shaped), batch_size))
        time, peak = measure(sized, shaped, batch_size, args.runs)
        times[what, value] = time
        rows.append([what, str(value), time, peak])
    report.table(["varied", "to", "ms per sentence", "peak, MB"], rows)
    ratio = times["predicates", 10] / times["predicates", 1]
    report.at_most("time of 10 predicates over that of 1", ratio, PREDICATES_BAR)
    if args.stream:
        torch.manual_seed(0)
        resident = stream(make_lisa(sentences, args.stream_layers), sentences, args.stream)
        report.table(
            ["streamed", "resident, MB"],
            [[str(args.stream * (i + 1) // 10), m] for i, m in enumerate(resident)],
        )
        growth = 100 * (resident[-1] / resident[len(resident) // 2] - 1)
        report.at_most("resident memory, MB", max(resident), MEMORY_BAR)
        report.at_most("its growth over the second half, %", growth, GROWTH_BAR)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
