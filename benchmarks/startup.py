"""
The CPU seconds of commands, and of pipelines where spaCy finds the package, in fresh processes.

    python -m benchmarks.startup [--json FILE] [--check]
"""

import functools
import os
import resource
import statistics
import subprocess
import sys
from typing import Dict, List, Tuple

from benchmarks.common import Report, in_turns, make_parser

COMMANDS: Dict[str, Tuple[List[str], float]] = {
    "lisa --help": (["-m", "lisa_allennlp", "--help"], 0.2),
    "lisa models": (["-m", "lisa_allennlp", "models"], 0.2),
    "lisa label": (["-m", "lisa_allennlp", "label", "She sold him the car."], 0.5),
    "lisa train --help": (["-m", "lisa_allennlp", "train", "--help"], 1.0),
}
"""The arguments of Python, and the bar."""

SPACY = "import spacy; nlp = spacy.blank('en')"
COMPONENT_BAR = 0.5


def cpu_seconds(arguments: List[str]) -> float:
    """The user and system time of a Python process."""
    # Pinned kernels and threads that wait would be counted.
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    environment.pop("OPENBLAS_CORETYPE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, *arguments]
    subprocess.run(command, check=True, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Prints the table; returns the exit status."""
    args = make_parser(__doc__).parse_args()
    report = Report("startup", args, needs_corpus=False)
    calls = {name: arguments for name, (arguments, _) in COMMANDS.items()}
    calls["spaCy's pipeline"] = ["-c", SPACY]
    calls["spaCy's pipeline with lisa"] = ["-c", f"{SPACY}; nlp.add_pipe('lisa')"]
    starts = [functools.partial(cpu_seconds, arguments) for arguments in calls.values()]
    times = dict(zip(calls, in_turns(starts, args.runs), strict=True))
    report.table(
        ["start of", "CPU seconds"], [[name, statistics.median(t)] for name, t in times.items()]
    )
    for name, (_, bar) in COMMANDS.items():
        report.at_most(name, times[name], bar)
    without, with_lisa = (times[name] for name in list(calls)[-2:])
    added = [one - other for one, other in zip(with_lisa, without, strict=True)]
    report.at_most("nlp.add_pipe('lisa')", added, COMPONENT_BAR)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
