"""
Both engines of the package's models side by side: what they install, how fast they start and label,
how much memory they take, and whether they answer alike.

    python -m benchmarks.wings [--corpus DIR] [--runs N] [--json FILE] [--check]

Every figure comes from fresh processes with one thread; times are CPU seconds. The start is from
the start of Python to the first answer. `words/s` is from tokens to sentences, `lines/s` from JSON
lines to JSON lines, in words too. Memory is the peak of the process. `differing` counts the
sentences whose labels differ from those of PyTorch in single precision.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from importlib import metadata
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional

from benchmarks.records import ROOT

ENGINES: Dict[str, Dict[str, Any]] = {
    "PyTorch": {"engine": "torch"},
    "NumPy": {"engine": "numpy"},
    "PyTorch, bfloat16": {"engine": "torch", "precision": "bfloat16"},
}
"""The arguments of `lisa_allennlp.load`; the first answers are those to compare with."""

MODELS = ("english", "english-fast")
SPEED_BAR = 1.5
SENTENCE = (
    "In 2019 , after a long fight in court , the company said that it would pay for the schools ."
).split()
START = """
import json, sys, time
import lisa_allennlp

lisa_allennlp.load(sys.argv[1], **json.loads(sys.argv[2]))("She sold him the car.")
seconds = time.process_time()
from benchmarks.wings import peak_megabytes

print(json.dumps({"start": seconds, "start_megabytes": peak_megabytes()}))
"""
"""Labels one sentence of raw text, in a process that has done nothing else."""

FIGURES = {
    "start, s": "start",
    "one sentence, MB": "start_megabytes",
    "corpus, MB": "megabytes",
    "words/s": "words",
    "lines/s": "lines",
    "20 words, ms": "single",
}
"""What a process measures, by the heading of its column."""


def peak_megabytes() -> float:
    """Returns the largest memory of this process; `ru_maxrss` would begin at that of its parent."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def measure_corpus(model: str, engine: str, file: str, answers: str) -> Dict[str, float]:
    """Labels JSON lines, and writes the labels to a file."""
    import lisa_allennlp
    from lisa_allennlp.labelling.writing import to_json

    lines = Path(file).read_text(encoding="utf-8").splitlines()
    inputs = [json.loads(line)["tokens"] for line in lines]
    num_words = sum(map(len, inputs))
    lisa = lisa_allennlp.load(model, **ENGINES[engine])
    # The first pass also warms up.
    labels = [sentence.to_dict() for sentence in lisa.pipe(inputs)]
    found = {"megabytes": peak_megabytes()}
    for sentence in labels:
        del sentence["predicate_probabilities"]
    Path(answers).write_text("\n".join(map(json.dumps, labels)), encoding="utf-8")
    start = time.process_time()
    list(lisa.pipe(inputs))
    found["words"] = num_words / (time.process_time() - start)
    start = time.process_time()
    list(map(to_json, lisa.pipe(map(json.loads, lines))))
    found["lines"] = num_words / (time.process_time() - start)
    start = time.process_time()
    for _ in range(50):
        lisa(SENTENCE)
    found["single"] = (time.process_time() - start) / 50 * 1e3
    return found


def measure(model: str, engine: str, file: str, answers: str) -> Dict[str, float]:
    """Returns the figures of one run."""
    corpus = ["-m", "benchmarks.wings", "--measure", model, engine, file, answers]
    return {
        **in_a_process("-c", START, model, json.dumps(ENGINES[engine])),
        **in_a_process(*corpus),
    }


def in_a_process(*arguments: str) -> Dict[str, float]:
    """Returns what a fresh Python process prints as JSON in its last line."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    environment.pop("OPENBLAS_CORETYPE", None)
    command = [sys.executable, *arguments]
    ended = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT
    )
    return json.loads(ended.stdout.splitlines()[-1])


def requirements(name: str) -> List["metadata.Distribution"]:
    """A distribution and all that it requires without extras, as far as they are installed."""
    found: Dict[str, metadata.Distribution] = {}
    waiting = [name]
    while waiting:
        name = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        if name in found:
            continue
        try:
            found[name] = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue  # for another system
        for requirement in found[name].requires or []:
            if "extra ==" not in requirement:
                waiting.append(re.split(r"[^\w.-]", requirement, maxsplit=1)[0])
    return list(found.values())


def megabytes(distributions: Iterable["metadata.Distribution"]) -> float:
    """Returns the size of the files of distributions, and of the package with its models."""
    paths = {
        Path(str(distribution.locate_file(file)))
        for distribution in distributions
        for file in distribution.files or []
    }
    paths.update((ROOT / "lisa_allennlp").rglob("*"))
    return sum(path.stat().st_size for path in paths if path.is_file()) / 1e6


def write_inputs(corpus: Optional[Path], file: Path) -> None:
    """Writes the words of the sentences of a corpus as JSON lines."""
    from benchmarks.common import read_dev

    lines = (json.dumps({"tokens": sentence.words}) for sentence in read_dev(corpus))
    file.write_text("\n".join(lines), encoding="utf-8")


def compare(args: argparse.Namespace) -> int:
    """Prints the tables; returns the exit status."""
    from benchmarks.common import Cell, Report

    report = Report("wings", args, data="EWT dev" if args.corpus else "the sample's dev part")
    base, everything = requirements("lisa-allennlp"), list(metadata.distributions())
    report.table(
        ["installed for", "packages", "MB"],
        [
            ["labelling", len(base), megabytes(base)],
            ["training, with tests", len(everything), megabytes(everything)],
        ],
    )
    rows: List[List[Cell]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_inputs(args.corpus, folder / "inputs")
        for model in MODELS:
            answers = [folder / f"{model}, {engine}" for engine in ENGINES]
            # Fresh processes need no turn to warm up.
            turns = [
                [
                    measure(model, engine, str(folder / "inputs"), str(file))
                    for engine, file in zip(ENGINES, answers, strict=True)
                ]
                for _ in range(args.runs)
            ]
            runs = list(zip(*turns, strict=True))
            labels = [file.read_text(encoding="utf-8").splitlines() for file in answers]
            for engine, of_engine, found in zip(ENGINES, runs, labels, strict=True):
                medians = (statistics.median(r[key] for r in of_engine) for key in FIGURES.values())
                differing = sum(a != b for a, b in zip(found, labels[0], strict=True))
                rows.append([model, engine, *medians, differing])
            rates = [[run["words"] for run in of_engine] for of_engine in runs]
            times = [one / other for one, other in zip(rates[1], rates[0], strict=True)]
            report.at_least(f"{model}, NumPy's words/s, times PyTorch's", times, SPEED_BAR)
    report.table(["model", "engine", *FIGURES, "differing"], rows)
    return report.finish()


def main() -> int:
    """Compares the engines or, in a process of the comparison, measures one; returns the status."""
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(measure_corpus(*sys.argv[2:])))
        return 0
    from benchmarks.common import make_parser

    return compare(make_parser(__doc__).parse_args())


if __name__ == "__main__":
    sys.exit(main())
