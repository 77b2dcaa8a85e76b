"""
The start-up time of commands against AllenNLP's own, in CPU seconds of a fresh process each.

    python -m benchmarks.startup [--json FILE] [--check]
"""

import functools
import os
import resource
import statistics
import subprocess
import sys
from typing import List, Sequence, Tuple

from benchmarks.common import Report, in_turns, make_parser, ratios

IMPORT_BAR, HELP_BAR, COMMAND_BAR = 0.5, 0.5, 1.0

PAIRS: List[Tuple[str, List[str], List[str], float]] = [
    ("import", ["-c", "import lisa_allennlp"], ["-c", "import allennlp"], IMPORT_BAR),
    ("--help", ["-m", "lisa_allennlp", "--help"], ["-m", "allennlp", "--help"], HELP_BAR),
    (
        "predict --help",
        ["-m", "lisa_allennlp", "predict", "--help"],
        ["-m", "allennlp", "predict", "--help"],
        COMMAND_BAR,
    ),
]
"""Name, our arguments of Python, AllenNLP's arguments, and the bar of the ratio of their times."""


def cpu_seconds(arguments: Sequence[str]) -> float:
    """The user and system time of a Python process with the given arguments."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *arguments],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # Offline, because allennlp-models looks for downloads when it is imported.
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Prints the table; returns the exit status."""
    args = make_parser(__doc__).parse_args()
    report = Report("startup", args, needs_corpus=False)
    rows = []
    for name, ours, theirs, bar in PAIRS:
        starts = [functools.partial(cpu_seconds, arguments) for arguments in (ours, theirs)]
        our_times, their_times = in_turns(starts, args.runs)
        rows.append([name, statistics.median(our_times), statistics.median(their_times)])
        report.at_most(f"{name}, times AllenNLP's", ratios(our_times, their_times), bar)
    report.table(["start of", "lisa, s", "allennlp, s"], rows)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
