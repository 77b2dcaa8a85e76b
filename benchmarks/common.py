"""The parts that all benchmarks share: options, corpus, clock, tables, bars and records."""

import argparse
import functools
import itertools
import math
import statistics
import time
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence, TypeVar, Union

import torch

from benchmarks.records import conditions_here, processor, write_record
from benchmarks.tables import meets
from lisa_allennlp.common.tables import format_table
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.sentence.sentence import Sentence

SAMPLE = Path("fixtures/sample")
Result = TypeVar("Result")
Cell = Union[str, float]
Values = Union[float, Sequence[float]]
"""One figure, or one per run."""


def make_parser(
    description: str, needs_corpus: bool = False, max_tokens: Optional[int] = None
) -> argparse.ArgumentParser:
    """Returns the parser with the options of all benchmarks; with a default, `--max-tokens` too."""
    # Records contain the options as they were given.
    parser = argparse.ArgumentParser(
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    text = "the data: mostly a folder with ewt-train.gold_conll, ewt-train.conllu and those of dev"
    text += "" if needs_corpus else " (default: the sample)"
    parser.add_argument("--corpus", type=Path, required=needs_corpus, help=text)
    numbers = {"--threads": (1, "PyTorch's threads"), "--sentences": (640, "how many to use")}
    numbers["--runs"] = 3, "number of runs, whose median is shown"
    if max_tokens is not None:
        numbers["--max-tokens"] = max_tokens, "tokens per batch"
    for option, (default, text) in numbers.items():
        text += " (default: %(default)s)"
        parser.add_argument(option, type=int, default=default, help=text)
    parser.add_argument("--json", type=Path, help="write a record of the figures to this file")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a bar is missed")
    return parser


class Report:
    """
    Prints tables and bars, and keeps them for `--json` and `--check`. `data` says what was
    measured, by default `--sentences` of EWT train or of the sample. Sets the numbers of threads
    and the clock.
    """

    def __init__(self, name: str, args: argparse.Namespace, data: str = "") -> None:
        source = "the sample" if args.corpus is None else "EWT train"
        self._name, self._args = name, args
        self._data = data or f"{args.sentences} sentences of {source}"
        self._rows: List[Dict[str, Any]] = []
        self._figures: Dict[str, List[float]] = {}
        self._bars: Dict[str, Sequence[Any]] = {}
        threads, processes = args.threads, getattr(args, "processes", 1)
        torch.set_num_threads(threads)
        clock.threads = max(threads, processes)
        of_lisa = f", {processes} processes of LISA" * (processes > 1)
        seconds_of = "CPU seconds" if clock.threads == 1 else "wall-clock seconds"
        self._setting = f"{threads} thread{'s' * (threads > 1)}{of_lisa}, {seconds_of}"
        print(f"PyTorch {torch.__version__}, {processor()}, {self._setting}")

    def table(self, header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
        """
        Prints a table. In the record, the strings of a row name its system, and each number is a
        figure under the heading of its column. NaN is left out.
        """
        texts = [[cell if isinstance(cell, str) else readable(cell) for cell in r] for r in rows]
        print(format_table(texts, header, align_right=True), end="\n\n")
        for row in rows:
            figures = {
                metric: rounded(cell)
                for metric, cell in zip(header, row, strict=True)
                if not isinstance(cell, str) and not math.isnan(cell)
            }
            system = " ".join(cell for cell in row if isinstance(cell, str))
            self._rows.append({"system": system, "figures": figures})

    def at_least(self, what: str, values: Values, bar: float, relation: str = ">=") -> None:
        """Compares a figure, or the median of its runs, with the least value it should have."""
        runs = [values] if isinstance(values, (int, float)) else values
        self._figures[what], self._bars[what] = list(map(rounded, runs)), (relation, bar)

    def at_most(self, what: str, values: Values, bar: float) -> None:
        """Compares a figure, or the median of its runs, with the greatest value it should have."""
        self.at_least(what, values, bar, relation="<=")

    def finish(self) -> int:
        """Prints the bars and, as the last line, how many are met; returns the exit status."""
        medians = {what: statistics.median(runs) for what, runs in self._figures.items()}
        missed = [what for what, bar in self._bars.items() if not meets(medians[what], bar)]
        rows = [
            [what, readable(medians[what]), " ".join(map(str, bar)), "MISSED" * (what in missed)]
            for what, bar in self._bars.items()
        ]
        print(format_table(rows, ["bar", "measured", "expected", ""], align_right=True))
        if self._args.json is not None:
            accelerator = torch.cuda.get_device_name() if torch.cuda.is_initialized() else ""
            against = {"system": self._name, "figures": self._figures, "bars": self._bars}
            rows_of_record = self._rows + [against] * bool(self._bars)
            conditions = conditions_here(self._setting, accelerator)
            write_record(self._args.json, self._name, self._data, rows_of_record, conditions)
        ending = f"; missed: {', '.join(missed)}" if missed else ""
        ending += " (on the sample: the bars are meant for EWT)" * ("sample" in self._data)
        print(f"{self._name}: {len(rows) - len(missed)} of {len(rows)} bars met{ending}")
        return int(self._args.check and bool(missed))


def rounded(value: float) -> float:
    """Returns the value with four significant digits; whole numbers stay as they are."""
    shortened = value if value == int(value) else float(f"{value:.4g}")
    return int(shortened) if shortened == int(shortened) else shortened


def readable(value: float) -> str:
    return "-" if math.isnan(value) else f"{rounded(value):,}"


def read_train(corpus: Optional[Path]) -> List[Sentence]:
    return _read(corpus, "train")


def read_dev(corpus: Optional[Path]) -> List[Sentence]:
    return _read(corpus, "dev")


def _read(corpus: Optional[Path], part: str) -> List[Sentence]:
    path = (corpus or SAMPLE) / f"{'ewt-' if corpus else ''}{part}.gold_conll"
    return list(Conll12SrlReader().read_sentences(path))


def read_sentences(corpus: Optional[Path], limit: int) -> List[Sentence]:
    """
    `limit` training sentences spread over the corpus, because its genres differ. A smaller corpus
    is repeated.
    """
    sentences = read_train(corpus)
    step = max(1, len(sentences) // limit)
    return list(itertools.islice(itertools.cycle(sentences[::step]), limit))


def read_with_frames(args: argparse.Namespace) -> List[Sentence]:
    """Returns those of `--sentences` training sentences that have predicates."""
    return [s for s in read_sentences(args.corpus, args.sentences) if s.frames]


class Clock:
    """
    The clock of all measurements, in seconds. With one thread it counts CPU seconds of this
    process, which other processes hardly change; with several, wall-clock seconds.
    """

    threads = 1

    def __call__(self) -> float:
        return time.process_time() if self.threads == 1 else time.perf_counter()


clock = Clock()


def in_turns(functions: Sequence[Callable[[], Result]], runs: int) -> List[List[Result]]:
    """
    The results of each function's calls. The first call of each is not counted. The functions take
    turns, so that changes in the machine's speed affect all of them.
    """
    turns = [[function() for function in functions] for _ in range(runs + 1)]
    return [list(results) for results in zip(*turns[1:], strict=True)]


def times_in_turns(functions: Sequence[Callable[[], object]], runs: int) -> List[List[float]]:
    return in_turns([functools.partial(time_of, function) for function in functions], runs)


def time_of(function: Callable[[], object]) -> float:
    start = clock()
    function()
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()
    return clock() - start


def ratios(times: Sequence[float], others: Sequence[float]) -> List[float]:
    return [one / other for one, other in zip(times, others, strict=True)]
