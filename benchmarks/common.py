"""What the benchmarks share: their corpus, their clock and their tables."""

import argparse
import itertools
import statistics
import time
from pathlib import Path
from typing import Callable, List, Sequence

import torch

from lisa_allennlp.data.dataset_readers.conll12_srl import Conll12SrlReader
from lisa_allennlp.data.formats.structures import Sentence

SAMPLE = Path("fixtures/sample")


def make_parser(description: str) -> argparse.ArgumentParser:
    """The options that all benchmarks have."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--corpus",
        type=Path,
        help="a folder with ewt-train.gold_conll and ewt-train.conllu (default: the sample)",
    )
    parser.add_argument("--threads", type=int, default=1, help="threads for PyTorch (default: 1)")
    parser.add_argument("--sentences", type=int, default=640, help="how many (default: 640)")
    parser.add_argument("--runs", type=int, default=3, help="the median of so many (default: 3)")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a bar is missed")
    return parser


def read_sentences(corpus: Path | None, limit: int) -> List[Sentence]:
    """The first `limit` sentences of the corpus; the sample is repeated until there are enough."""
    path = SAMPLE / "train.gold_conll" if corpus is None else corpus / "ewt-train.gold_conll"
    reader = Conll12SrlReader(max_instances=limit)
    sentences = [instance["metadata"]["sentence"] for instance in reader.read(path)]
    if corpus is None:
        print(f"No --corpus: the sample's {len(sentences)} sentences, repeated to {limit}.")
        sentences = list(itertools.islice(itertools.cycle(sentences), limit))
    return sentences


def seconds(function: Callable[[], object], runs: int) -> float:
    """The median time of a call, in seconds, after one that is not counted."""
    function()
    times: List[float] = []
    for _ in range(runs):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Prints columns wide enough for their contents."""
    table = [list(header), *map(list, rows)]
    widths = [max(len(row[i]) for row in table) for i in range(len(header))]
    for row in table:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        print("  ".join(cells))


def describe_machine(threads: int) -> None:
    """Sets and prints what a figure depends on."""
    torch.set_num_threads(threads)
    print(f"PyTorch {torch.__version__}, {threads} thread(s), CPU")
