"""What the benchmarks share: their corpus, their clock, their tables and their bars."""

import argparse
import functools
import itertools
import json
import multiprocessing
import operator
import platform
import statistics
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Callable, Dict, List, Optional, Sequence, TypeVar

import torch

from lisa_allennlp.data.dataset_readers.conll12_srl import Conll12SrlReader
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.nn.precision import PRECISIONS

SAMPLE = Path("fixtures/sample")
Result = TypeVar("Result")


def add_network(parser: argparse.ArgumentParser) -> None:
    """The options of benchmarks that run LISA's network beside its peer."""
    parser.add_argument(
        "--feedforward-maps",
        type=int,
        default=2,
        help="maps of LISA's feed-forward: 2 as in the paper (default), 3 as in the authors' code",
    )
    parser.add_argument(
        "--precision",
        choices=PRECISIONS,
        default=PRECISIONS[0],
        help="of LISA's matrix products (default: %(default)s); its peer keeps single precision",
    )


def add_processes(parser: argparse.ArgumentParser) -> None:
    """The option of benchmarks of what `lisa predict --processes` does."""
    parser.add_argument(
        "--processes",
        type=int,
        default=1,
        help="run LISA in so many processes of one thread, on as many sentences each, instead of "
        "in one process with --threads (default: 1)",
    )


def make_parser(description: str) -> argparse.ArgumentParser:
    """The options that all benchmarks have."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--corpus",
        type=Path,
        help="a folder with ewt-train.gold_conll and ewt-train.conllu (default: the sample)",
    )
    parser.add_argument("--threads", type=int, default=1, help="threads for PyTorch (default: 1)")
    parser.add_argument("--sentences", type=int, default=640, help="how many (default: 640)")
    parser.add_argument("--runs", type=int, default=3, help="the median of so many (default: 3)")
    parser.add_argument("--json", type=Path, help="write the figures to this file as well")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a bar is missed")
    return parser


class Report:
    """
    Prints tables and bars, and remembers them for `--json` and `--check`.

    # Parameters

    name : `str`
        The benchmark's name.
    args : `argparse.Namespace`
        The options of `make_parser`.
    needs_corpus : `bool`, optional (default = `True`)
        Whether what is measured depends on the corpus.
    """

    def __init__(self, name: str, args: argparse.Namespace, needs_corpus: bool = True) -> None:
        self._name = name
        self._args = args
        self._needs_corpus = needs_corpus
        self._tables: List[List[Dict[str, str]]] = []
        self._bars: List[Dict[str, object]] = []
        self._machine = describe_machine(args.threads, getattr(args, "processes", 1))

    def table(self, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Prints a table."""
        print_table(header, rows)
        print()
        self._tables.append([dict(zip(header, row, strict=True)) for row in rows])

    def at_least(self, what: str, value: float, bar: float) -> None:
        """Holds a figure that should be high against its bar."""
        self._add_bar(what, value, ">=", bar, operator.ge(value, bar))

    def at_most(self, what: str, value: float, bar: float) -> None:
        """Holds a figure that should be low against its bar."""
        self._add_bar(what, value, "<=", bar, operator.le(value, bar))

    def _add_bar(self, what: str, value: float, relation: str, bar: float, met: bool) -> None:
        self._bars.append(
            {"what": what, "value": value, "relation": relation, "bar": bar, "met": met}
        )

    def finish(self) -> int:
        """Prints the bars and, as the last line, how many are met; returns the exit status."""
        rows = [
            [str(b["what"]), f"{b['value']:.3g}", f"{b['relation']} {b['bar']}", verdict(b["met"])]
            for b in self._bars
        ]
        print_table(["bar", "measured", "expected", ""], rows)
        if self._args.json is not None:
            figures = {
                "benchmark": self._name,
                "machine": self._machine,
                "corpus": "sample" if self._args.corpus is None else self._args.corpus.name,
                "tables": self._tables,
                "bars": self._bars,
            }
            self._args.json.write_text(json.dumps(figures, indent=2) + "\n")
        missed = [str(bar["what"]) for bar in self._bars if not bar["met"]]
        ending = f"; missed: {', '.join(missed)}" if missed else ""
        if self._needs_corpus and self._args.corpus is None:
            ending += " (on the sample: the bars are meant for EWT)"
        print(f"{self._name}: {len(rows) - len(missed)} of {len(rows)} bars met{ending}")
        return int(self._args.check and bool(missed))


def verdict(met: object) -> str:
    """A word for a bar."""
    return "met" if met else "MISSED"


def read_sentences(corpus: Optional[Path], limit: int) -> List[Sentence]:
    """
    `limit` sentences from all over the corpus, since its genres differ; a corpus that has fewer is
    repeated.
    """
    path = SAMPLE / "train.gold_conll" if corpus is None else corpus / "ewt-train.gold_conll"
    sentences = list(Conll12SrlReader().read_sentences(path))
    if corpus is None:
        print(f"No --corpus: {limit} sentences from the sample's {len(sentences)}.")
    step = max(1, len(sentences) // limit)
    return list(itertools.islice(itertools.cycle(sentences[::step]), limit))


class Clock:
    """
    What all times are measured with: CPU seconds of this process on one thread, which a busy
    neighbour hardly changes, and on several threads wall-clock seconds.
    """

    def __init__(self) -> None:
        self._now = time.perf_counter

    def start(self, threads: int) -> None:
        """Chooses the clock."""
        self._now = time.process_time if threads == 1 else time.perf_counter

    def __call__(self) -> float:
        """The time in seconds; only differences mean anything."""
        return self._now()


clock = Clock()


def synchronize() -> None:
    """Waits for a GPU, if this process has used one."""
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()


def seconds(function: Callable[[], object], runs: int) -> float:
    """The median time of a call, in seconds, after one that is not counted."""
    return statistics.median(times_in_turns([function], runs)[0])


def in_turns(functions: Sequence[Callable[[], Result]], runs: int) -> List[List[Result]]:
    """
    What each function returns in its calls. One call of each is not counted; then they take turns,
    so that a machine which changes its speed changes it for all of them.
    """
    turns = [[function() for function in functions] for _ in range(runs + 1)]
    return [list(results) for results in zip(*turns[1:], strict=True)]


def times_in_turns(functions: Sequence[Callable[[], object]], runs: int) -> List[List[float]]:
    """Of each function the times of its calls, in seconds."""
    return in_turns([functools.partial(time_of, function) for function in functions], runs)


def time_of(function: Callable[[], object]) -> float:
    """The time of a call, in seconds."""
    start = clock()
    function()
    synchronize()
    return clock() - start


def in_processes(call: Callable[[], object], number: int) -> Callable[[], object]:
    """
    What makes so many forked processes do a call each, at once and with one thread, and waits for
    the last. With 1, it is done here.
    """
    if number == 1:
        return call
    context = multiprocessing.get_context("fork")
    connections = []
    for _ in range(number):
        ours, theirs = context.Pipe()
        context.Process(target=_serve, args=(call, theirs), daemon=True).start()
        connections.append(ours)

    def run() -> None:
        for connection in connections:
            connection.send(None)
        for connection in connections:
            connection.recv()

    return run


def _serve(call: Callable[[], object], connection: Connection) -> None:
    torch.set_num_threads(1)
    while True:
        connection.recv()
        call()
        connection.send(None)


def median_ratio(times: Sequence[float], others: Sequence[float]) -> float:
    """The median over runs of how many times longer the one took than the other."""
    return statistics.median(one / other for one, other in zip(times, others, strict=True))


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Prints columns wide enough for their contents."""
    table = [list(header), *map(list, rows)]
    widths = [max(len(row[i]) for row in table) for i in range(len(header))]
    for row in table:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        print("  ".join(cells).rstrip())


def describe_machine(threads: int, processes: int = 1) -> str:
    """Sets the number of threads and the clock; prints and returns what a figure depends on."""
    torch.set_num_threads(threads)
    clock.start(max(threads, processes))
    of_lisa = f", {processes} processes of LISA" * (processes > 1)
    seconds_of = "CPU seconds" if threads == processes == 1 else "wall-clock seconds"
    machine = (
        f"PyTorch {torch.__version__}, {threads} thread(s){of_lisa}, {seconds_of}, "
        f"CPU {platform.machine()}"
    )
    print(machine)
    return machine
