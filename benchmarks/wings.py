"""
The engines of the package's models side by side: what they install, how fast they start and label,
how much memory they take, whether they answer alike, and how well.

    python -m benchmarks.wings [--corpus DIR] [--runs N] [--json FILE] [--check]

Every figure comes from fresh processes with one thread; times are CPU seconds. The start is from
the start of Python to the first answer. `words/s` is from tokens to sentences, `lines/s` from JSON
lines to JSON lines, in words too. Memory is the peak of the process. `products, %` is the share of
the time of `words/s` that the bare matrix products take in the same process. `differing` counts the
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
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence

from benchmarks.records import ROOT

SAMPLE = ROOT / "fixtures/sample/dev.gold_conll"

ENGINES: Dict[str, Dict[str, Any]] = {
    "PyTorch": {"engine": "torch"},
    "NumPy": {"engine": "numpy"},
    "PyTorch, bfloat16": {"engine": "torch", "precision": "bfloat16"},
    "ONNX": {"engine": "onnx", "precision": "float32"},
    "ONNX, 8 bits": {"engine": "onnx", "precision": "int8"},
}
"""The arguments of `lisa_allennlp.load`; the first answers are those to compare with."""

SPEED_BARS = {"english": 1.7, "english-fast": 1.3}
"""How much faster 8 bits should be than NumPy, on a processor with VNNI or AMX."""

TORCH_BAR, SCORE_BAR = 1.5, 0.1
PASSES = 3
"""The corpus is labelled so often, and the fastest pass counts: others only slow it down."""

TOKENS, FRAMES = 512, 100
"""The rows of matrix products: those of a batch, and its predicates."""

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
    "products, %": "products",
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
    passes = []
    for _ in range(PASSES):
        start = time.process_time()
        list(lisa.pipe(inputs))
        passes.append(time.process_time() - start)
    found["words"] = num_words / min(passes)
    found["products"] = 100 * found["words"] * seconds_of_products(lisa, model, engine)
    start = time.process_time()
    list(map(to_json, lisa.pipe(map(json.loads, lines))))
    found["lines"] = num_words / (time.process_time() - start)
    start = time.process_time()
    for _ in range(50):
        lisa(SENTENCE)
    found["single"] = (time.process_time() - start) / 50 * 1e3
    return found


def seconds_of_products(lisa: Any, model: str, engine: str) -> float:
    """Returns how long the products of the larger maps take for a word."""
    import numpy

    from lisa_allennlp import pretrained
    from lisa_allennlp.inference.config import read_network_config

    config = read_network_config(Path(pretrained.resolve(model)))
    sizes, dim, roles = config.encoder, config.encoder.dim, len(lisa.engine.role_labels)
    hidden, layers, arc = sizes.feedforward_hidden_dim, sizes.num_layers, sizes.arc_dim
    products = [
        (layers, TOKENS, dim, 3 * dim),
        (layers, TOKENS, dim, dim),
        (layers, TOKENS, dim, hidden),
        (layers, TOKENS, hidden, dim),
        (1, TOKENS, dim, 2 * (arc + sizes.label_dim)),
        (1, TOKENS, arc, arc),
        (1, FRAMES, config.predicate_dim, (config.role_dim + 1) * roles),
    ]
    seconds = 0.0
    for number, *shape in products:
        rows, weight = (
            numpy.random.default_rng(0).standard_normal(size, numpy.float32)
            for size in (shape[:2], shape[1:])
        )
        multiply = product(engine, rows, weight)
        times = []
        for _ in range(20):
            start = time.process_time()
            multiply()
            times.append(time.process_time() - start)
        seconds += number * min(times)
    return seconds / TOKENS


def product(engine: str, rows: Any, weight: Any) -> Callable[[], Any]:
    """The product of two matrices, by what an engine multiplies with."""
    import numpy

    if engine == "NumPy":
        return lambda: numpy.matmul(rows, weight)
    if "ONNX" in engine:
        from lisa_allennlp.inference._onnx_graphs import FLOATS, Graph, Weights
        from lisa_allennlp.inference.layers import Linear
        from lisa_allennlp.inference.onnx_runtime import open_session

        graph = Graph(Weights({}, ""), {"map": (-4, 4)} if "8 bits" in engine else {})
        linear = Linear(weight, numpy.zeros(weight.shape[1], numpy.float32))
        mapped = graph.map(graph.input("rows", FLOATS, *rows.shape), "map", linear)
        graph.output("mapped", mapped, len(rows), weight.shape[1])
        session = open_session(graph.model("product").SerializeToString())
        return lambda: session.run(None, {"rows": rows})
    import torch

    kind = torch.bfloat16 if "bfloat16" in engine else torch.float32
    first, second = (torch.from_numpy(part).to(kind) for part in (rows, weight))
    return lambda: first @ second


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
    # An installed package has its bytecode.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
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
    lines = (json.dumps({"tokens": sentence.words}) for sentence in read_gold(corpus))
    file.write_text("\n".join(lines), encoding="utf-8")


def read_gold(corpus: Optional[Path]) -> List[Any]:
    """Reads the annotated sentences of a corpus, with their trees."""
    from lisa_allennlp.data.annotated_files import read_annotated

    path = SAMPLE if corpus is None else corpus / "ewt-dev.gold_conll"
    return read_annotated(str(path), parses=True).bare_sentences


def scores(answers: Path, gold: Sequence[Any]) -> Dict[str, float]:
    """Returns F1 of roles, the attachment scores, and the accuracy of senses, in percent."""
    from lisa_allennlp.data.annotated_files import read_annotated
    from lisa_allennlp.scoring import Conll05Evaluation, ConllXEvaluation, PrimeSrlEvaluation

    found = read_annotated(str(answers)).bare_sentences
    roles, trees = Conll05Evaluation(found, gold).counts, ConllXEvaluation(found, gold).to_dict()
    senses = PrimeSrlEvaluation(found, gold, compare_senses=True).scores()
    return {
        "F1": roles.overall().f1,
        "strict F1": roles.overall(strict=True).f1,
        "UAS": trees["uas"],
        "LAS": trees["las"],
        "senses": 100 * senses["Predicate"].correct / senses["PredicateId"].correct,
    }


def compare(args: argparse.Namespace) -> int:
    """Prints the tables; returns the exit status."""
    from benchmarks.common import Cell, Report, ratios

    report = Report("wings", args, data="EWT dev" if args.corpus else "the sample's dev part")
    base, everything = requirements("lisa-allennlp"), list(metadata.distributions())
    onnx = [*base, *requirements("onnx"), *requirements("onnxruntime")]
    onnx = list({distribution.name: distribution for distribution in onnx}.values())
    report.table(
        ["installed for", "packages", "MB"],
        [
            ["labelling", len(base), megabytes(base)],
            ["labelling, with ONNX", len(onnx), megabytes(onnx)],
            ["training, with tests", len(everything), megabytes(everything)],
        ],
    )
    rows: List[List[Cell]] = []
    gold = read_gold(args.corpus)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_inputs(args.corpus, folder / "inputs")
        for model, speed_bar in SPEED_BARS.items():
            answers = [folder / f"{model}, {engine}.jsonl" for engine in ENGINES]
            # Fresh processes need no turn to warm up.
            turns = [
                [
                    measure(model, engine, str(folder / "inputs"), str(file))
                    for engine, file in zip(ENGINES, answers, strict=True)
                ]
                for _ in range(args.runs)
            ]
            runs = dict(zip(ENGINES, zip(*turns, strict=True), strict=True))
            labels = [file.read_text(encoding="utf-8").splitlines() for file in answers]
            quality = [scores(file, gold) for file in answers]
            for engine, found, scored in zip(ENGINES, labels, quality, strict=True):
                medians = [
                    statistics.median(r[key] for r in runs[engine]) for key in FIGURES.values()
                ]
                differing = sum(a != b for a, b in zip(found, labels[0], strict=True))
                rows.append([model, engine, *medians, differing, *scored.values()])
            rates = {engine: [run["words"] for run in found] for engine, found in runs.items()}
            times = ratios(rates["NumPy"], rates["PyTorch"])
            report.at_least(f"{model}, NumPy's words/s, times PyTorch's", times, TORCH_BAR)
            times = ratios(rates["ONNX, 8 bits"], rates["NumPy"])
            report.at_least(f"{model}, words/s in 8 bits, times NumPy's", times, speed_bar)
            # In the order of `ENGINES`.
            numpys, in_8_bits = quality[1].values(), quality[-1].values()
            most = max(abs(one - other) for one, other in zip(numpys, in_8_bits, strict=True))
            report.at_most(f"{model}, difference of any score in 8 bits", most, SCORE_BAR)
    report.table(["model", "engine", *FIGURES, "differing", *quality[0]], rows)
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
