"""
The engines of the package's models side by side, and beside those of another version: how fast they
start and label, how much memory they take, and how well they label.

    python -m benchmarks.wings [--corpus DIR] [--against CHECKOUT] [--runs N] [--json FILE]

Every figure comes from fresh processes with one thread, in which the systems take turns; times are
CPU seconds. The start is from the start of Python to the first answer, and the memory is that of
the process then. `words/s` is of `pipe`, `one by one` of calls with a sentence each. `differing`
counts the sentences whose labels differ from those in single precision.
"""

import json
import os
import runpy
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List, NamedTuple

import lisa_allennlp
from benchmarks.common import SAMPLE, Cell, Report, make_parser, ratios
from benchmarks.records import ROOT

SPEED_BARS = {"english": (0.75, 1.5), "english-fast": (1.2, 1.2)}
"""How many times the other version's words/s 8 bits should label, in batches and one by one."""

START_BAR, SCORE_BAR = 0.45, 0.2

SCORES = {"F1": "srl_f1", "UAS": "uas", "LAS": "las", "senses": "sense_accuracy"}

FIGURES = {
    "start, s": "start",
    "memory, MB": "megabytes",
    "words/s": "corpus",
    "one by one, words/s": "single",
}
"""What a process measures, by the heading of its column."""

MEASURE = """
import json, sys, time
from pathlib import Path
import lisa_allennlp

model, options, inputs, answers = sys.argv[1:]
lisa = lisa_allennlp.load(model, **json.loads(options))
lisa("She sold him the car.")
found = {"start": time.process_time()}
status = Path("/proc/self/status").read_text()
found["megabytes"] = int(status.partition("VmHWM:")[2].split()[0]) / 1024
sentences = json.loads(Path(inputs).read_text())

# This also warms up.
labelled = [sentence.to_dict() for sentence in lisa.pipe(sentences)]
Path(answers).write_text("".join(json.dumps(sentence) + "\\n" for sentence in labelled))

def rate(label):
    # The fastest pass counts: others only slow it down.
    times = []
    for _ in range(3):
        start = time.process_time()
        label()
        times.append(time.process_time() - start)
    return sum(map(len, sentences)) / min(times)

found["corpus"] = rate(lambda: list(lisa.pipe(sentences)))
found["single"] = rate(lambda: list(map(lisa, sentences)))
print(json.dumps(found))
"""
"""Uses what all versions have."""


class System(NamedTuple):
    """The arguments of `lisa_allennlp.load`, and the checkout whose package has it."""

    options: Dict[str, str]
    root: Path = ROOT


def measure(model: str, system: System, inputs: Path, answers: Path) -> Dict[str, float]:
    """Returns the figures of a fresh process, which writes the labels to a file."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    environment["PYTHONPATH"] = str(system.root)
    # An installed package has its bytecode.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    arguments = [model, json.dumps(system.options), str(inputs), str(answers)]
    command = [sys.executable, "-c", MEASURE, *arguments]
    run = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment, cwd="/")
    return json.loads(run.stdout.splitlines()[-1])


def labels(answers: Path) -> List[Any]:
    """The answers without numbers that differ a little."""
    sentences = [json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines()]
    return [{k: v for k, v in s.items() if k != "predicate_probabilities"} for s in sentences]


def main() -> int:
    parser = make_parser(__doc__)
    text = "a checkout of another version, whose default engine takes turns with these"
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help=text)
    args = parser.parse_args()
    systems = {
        "8 bits": System({"precision": "int8"}),
        "single precision": System({"precision": "float32"}),
        "PyTorch": System({"engine": "torch"}),
    }
    other = None
    if args.against is not None:
        version = runpy.run_path(str(args.against / "lisa_allennlp/version.py"))["VERSION"]
        other = f"version {version}"
        systems[other] = System({}, args.against.resolve())
    report = Report("wings", args, data="EWT dev" if args.corpus else "the sample's dev part")
    gold_path = (args.corpus / "ewt-dev.gold_conll") if args.corpus else SAMPLE / "dev.gold_conll"
    gold = lisa_allennlp.read(gold_path)
    rows: List[List[Cell]] = []
    with tempfile.TemporaryDirectory() as name:
        inputs = Path(name) / "inputs.json"
        inputs.write_text(json.dumps([sentence.words for sentence in gold]), encoding="utf-8")
        for model, bars in SPEED_BARS.items():
            answers = {system: Path(name) / f"{model} {system}.jsonl" for system in systems}
            runs: Dict[str, List[Dict[str, float]]] = {system: [] for system in systems}
            for _ in range(args.runs):
                for system, asked in systems.items():
                    runs[system].append(measure(model, asked, inputs, answers[system]))
            single = labels(answers["single precision"])
            scores = {}
            for system, found in runs.items():
                medians = [statistics.median(run[key] for run in found) for key in FIGURES.values()]
                pairs = zip(labels(answers[system]), single, strict=True)
                differing = sum(one != reference for one, reference in pairs)
                scores[system] = lisa_allennlp.score(lisa_allennlp.read(answers[system]), gold)
                of_model = [scores[system][key] for key in SCORES.values()]
                rows.append([model, system, *medians, differing, *of_model])
            starts = [run["start"] for run in runs["8 bits"]]
            report.at_most(f"{model}, start in 8 bits, s", starts, START_BAR)
            for score, key in SCORES.items():
                lost = scores["single precision"][key] - scores["8 bits"][key]
                report.at_most(f"{model}, {score} lost in 8 bits", lost, SCORE_BAR)
            for heading, bar in zip(("words/s", "one by one, words/s"), bars, strict=True):
                if other is not None:
                    rates = [[run[FIGURES[heading]] for run in runs[s]] for s in ("8 bits", other)]
                    report.at_least(f"{model}, {heading}, times {other}'s", ratios(*rates), bar)
    report.table(["model", "engine", *FIGURES, "differing", *SCORES], rows)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
