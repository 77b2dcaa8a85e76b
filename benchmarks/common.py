"""
The parts that all benchmarks share: corpus, clock, tables, bars and records.
"""

import argparse
import functools
import itertools
import math
import statistics
import sys
import time
from pathlib import Path
from typing import Callable, List, Optional, Sequence, TypeVar, Union

import torch

from benchmarks.records import (
    Figure,
    Record,
    Row,
    command_of,
    conditions_here,
    processor,
    readable,
    rounded,
)
from lisa_allennlp.common.tables import format_table
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.nn.precision import PRECISIONS

SAMPLE = Path("fixtures/sample")
Result = TypeVar("Result")
Cell = Union[str, float]
Values = Union[float, Sequence[float]]
"""One figure, or one per run."""


def add_network(parser: argparse.ArgumentParser) -> None:
    """Adds the options of benchmarks that compare LISA's network with allennlp-models' `srl`."""
    parser.add_argument(
        "--feedforward-maps",
        type=int,
        default=2,
        help="linear layers per feed-forward: 2 (the paper, default) or 3 (the authors' code)",
    )
    parser.add_argument(
        "--precision",
        choices=PRECISIONS,
        default=PRECISIONS[0],
        help="of LISA's matrix products (default: %(default)s); `srl` stays in single precision",
    )


def make_parser(description: str, max_tokens: Optional[int] = None) -> argparse.ArgumentParser:
    """Returns the parser with the options of all benchmarks; with a default, `--max-tokens` too."""
    parser = argparse.ArgumentParser(
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        # Records contain the options as they were given.
        allow_abbrev=False,
    )
    parser.add_argument(
        "--corpus",
        type=Path,
        help="a folder with ewt-train.gold_conll and ewt-train.conllu (default: the sample)",
    )
    parser.add_argument("--threads", type=int, default=1, help="PyTorch's threads (default: 1)")
    parser.add_argument(
        "--sentences", type=int, default=640, help="number of sentences (default: 640)"
    )
    parser.add_argument(
        "--runs", type=int, default=3, help="number of runs, whose median is shown (default: 3)"
    )
    if max_tokens is not None:
        text = "tokens per batch (default: %(default)s)"
        parser.add_argument("--max-tokens", type=int, default=max_tokens, help=text)
    parser.add_argument("--json", type=Path, help="write a record of the figures to this file")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a bar is missed")
    return parser


class Report:
    """
    Prints tables and bars, and keeps them for `--json` and `--check`. `data` says what was
    measured, by default `--sentences` of EWT train or of the sample.
    """

    def __init__(
        self, name: str, args: argparse.Namespace, needs_corpus: bool = True, data: str = ""
    ) -> None:
        self._name = name
        self._args = args
        self._needs_corpus = needs_corpus
        source = "the sample" if args.corpus is None else "EWT train"
        described = f"{args.sentences} sentences of {source}" if needs_corpus else "none"
        self._data = data or described
        self._rows: List[Row] = []
        self._against_bars = Row(name, {})
        self._setting = describe_machine(args.threads, getattr(args, "processes", 1))

    def table(self, header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
        """
        Prints a table. In the record, the strings of a row name its system, and each number is a
        figure under the heading of its column. NaN is left out.
        """
        texts = [[_text(cell) for cell in row] for row in rows]
        print(format_table(texts, header, align_right=True), end="\n\n")
        for row in rows:
            figures = {
                metric: Figure([rounded(cell)])
                for metric, cell in zip(header, row, strict=True)
                if not isinstance(cell, str) and not math.isnan(cell)
            }
            system = " ".join(cell for cell in row if isinstance(cell, str))
            self._rows.append(Row(system, figures))

    def at_least(self, what: str, values: Values, bar: float, relation: str = ">=") -> None:
        """Compares a figure, or the median of its runs, with the least value it should have."""
        runs = [values] if isinstance(values, (int, float)) else list(values)
        self._against_bars.figures[what] = Figure([rounded(value) for value in runs])
        self._against_bars.bars[what] = (relation, bar)

    def at_most(self, what: str, values: Values, bar: float) -> None:
        """Compares a figure, or the median of its runs, with the greatest value it should have."""
        self.at_least(what, values, bar, relation="<=")

    def finish(self) -> int:
        """Prints the bars and, as the last line, how many are met; returns the exit status."""
        rows, missed = [], []
        for what, bar in self._against_bars.bars.items():
            figure = self._against_bars.figures[what]
            met = figure.meets(bar)
            rows.append(
                [
                    what,
                    readable(statistics.median(figure.values)),
                    f"{bar[0]} {bar[1]}",
                    "met" if met else "MISSED",
                ]
            )
            missed += [] if met else [what]
        print(format_table(rows, ["bar", "measured", "expected", ""], align_right=True))
        if self._args.json is not None:
            self._record().write(self._args.json)
        ending = f"; missed: {', '.join(missed)}" if missed else ""
        if self._needs_corpus and self._args.corpus is None:
            ending += " (on the sample: the bars are meant for EWT)"
        print(f"{self._name}: {len(rows) - len(missed)} of {len(rows)} bars met{ending}")
        return int(self._args.check and bool(missed))

    def _record(self) -> Record:
        has_used_gpu = torch.cuda.is_initialized()
        accelerator = torch.cuda.get_device_name() if has_used_gpu else None
        command = command_of(self._name, sys.argv[1:])
        rows = self._rows + [self._against_bars] * bool(self._against_bars.figures)
        return Record(
            title=f"benchmarks.{self._name}",
            data=self._data,
            commands={"measure": command},
            rows=rows,
            conditions=conditions_here(self._setting, accelerator),
        )


def _text(cell: Cell) -> str:
    if isinstance(cell, str):
        return cell
    return "-" if math.isnan(cell) else readable(cell)


def read_train(corpus: Optional[Path]) -> List[Sentence]:
    path = SAMPLE / "train.gold_conll" if corpus is None else corpus / "ewt-train.gold_conll"
    return list(Conll12SrlReader().read_sentences(path))


def read_sentences(corpus: Optional[Path], limit: int) -> List[Sentence]:
    """
    `limit` training sentences spread over the corpus, because its genres differ. A smaller corpus
    is repeated.
    """
    sentences = read_train(corpus)
    if corpus is None:
        print(f"No --corpus: {limit} sentences from the sample's {len(sentences)}.")
    step = max(1, len(sentences) // limit)
    return list(itertools.islice(itertools.cycle(sentences[::step]), limit))


def read_with_frames(args: argparse.Namespace) -> List[Sentence]:
    """Returns those of `--sentences` training sentences that have predicates."""
    return [s for s in read_sentences(args.corpus, args.sentences) if s.frames]


def read_dev(corpus: Optional[Path]) -> List[Sentence]:
    path = SAMPLE / "dev.gold_conll" if corpus is None else corpus / "ewt-dev.gold_conll"
    return list(Conll12SrlReader().read_sentences(path))


class Clock:
    """
    The clock of all measurements, in seconds. With one thread it counts CPU seconds of this
    process, which other processes hardly change; with several, wall-clock seconds.
    """

    def __init__(self) -> None:
        self._now = time.perf_counter

    def start(self, threads: int) -> None:
        self._now = time.process_time if threads == 1 else time.perf_counter

    def __call__(self) -> float:
        return self._now()


clock = Clock()


def in_turns(functions: Sequence[Callable[[], Result]], runs: int) -> List[List[Result]]:
    """
    The results of each function's calls. The first call of each is not counted. The functions take
    turns, so that changes in the machine's speed affect all of them.
    """
    turns = [[function() for function in functions] for _ in range(runs + 1)]
    return [list(results) for results in zip(*turns[1:], strict=True)]


def times_in_turns(functions: Sequence[Callable[[], object]], runs: int) -> List[List[float]]:
    """Returns the times of each function's calls, in seconds."""
    return in_turns([functools.partial(time_of, function) for function in functions], runs)


def time_of(function: Callable[[], object]) -> float:
    """Returns the time of a call, in seconds."""
    start = clock()
    function()
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()
    return clock() - start


def peak_megabytes() -> float:
    """Returns the largest memory of this process; `ru_maxrss` would begin at that of its parent."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def ratios(times: Sequence[float], others: Sequence[float]) -> List[float]:
    """For each run, the ratio of the two times."""
    return [one / other for one, other in zip(times, others, strict=True)]


def describe_machine(threads: int, processes: int = 1) -> str:
    """Sets the number of threads and the clock, and prints the conditions of the figures."""
    torch.set_num_threads(threads)
    clock.start(max(threads, processes))
    of_lisa = f", {processes} processes of LISA" * (processes > 1)
    seconds_of = "CPU seconds" if threads == processes == 1 else "wall-clock seconds"
    setting = f"{threads} thread{'s' * (threads > 1)}{of_lisa}, {seconds_of}"
    print(f"PyTorch {torch.__version__}, {processor()}, {setting}")
    return setting
