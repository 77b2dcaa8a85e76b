"""
Two threads that share a core, as happens beside another program or under a CPU quota: how fast they
train and label with the network of `training_configs/lisa_small.jsonnet`, compared with one thread
on that core. While OpenMP's threads wait, they sleep, as with `lisa`, or spin, which is OpenMP's
default.

Each process does both kinds of work once on all cores, which starts its threads, and then moves all
threads to one core. Rates are per CPU second, so other processes on that core change them little.
Spinning threads are very slow there, so they are measured only once and have no bar.

A second table has the rates on all cores, per second of wall-clock time: what sleeping costs on a
machine with nothing else to do. Needs Linux, and two cores for the second table.

    python -m benchmarks.busy [--corpus DIR] [--seconds N] [--json FILE] [--check]
"""

import argparse
import contextlib
import functools
import multiprocessing
import os
import statistics
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Callable, Dict, Iterator, List, NamedTuple, Optional
from unittest import mock

import torch
from allennlp.common import Params
from allennlp.data import DatasetReader

import lisa_allennlp.plugin  # noqa: F401
from benchmarks.common import (
    Report,
    clock,
    in_turns,
    make_parser,
    median_ratio,
    read_sentences,
)
from benchmarks.inference import label, leave_out_gold
from benchmarks.systems import System, group_by_length
from benchmarks.training import train_epoch
from lisa_allennlp.common.threads import WAITING_VARIABLES, available_cores
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.training.lazy_nadam import LazyNadamOptimizer

CONFIG = Path("training_configs/lisa_small.jsonnet")
BAR = 70.0
KINDS_OF_WORK = ("training", "labelling")

Works = Dict[str, Callable[[], object]]
"""Calls by the kind of work."""


class Threads(NamedTuple):
    """
    How a process runs.

    # Parameters

    number : `int`
        Threads of PyTorch.
    variables : `Dict[str, str]`
        OpenMP's variables that set how threads wait. Without any, waiting threads sleep.
    """

    number: int
    variables: Dict[str, str]


ONE = Threads(1, {})
PASSIVE = Threads(2, {})
# A few microseconds, then sleep.
BRIEF = Threads(2, {"GOMP_SPINCOUNT": "1000"})
# The default of GNU's OpenMP.
SPINNING = Threads(2, {"GOMP_SPINCOUNT": "300000"})


def make_works(sentences: List[Sentence], corpus: Optional[Path]) -> Works:
    """A training step and the labelling of a batch, both with sentences of median length."""
    data = {} if corpus is None else {"LISA_DATA": "ewt", "LISA_CORPUS": str(corpus)}
    config = Params.from_file(CONFIG, ext_vars={**os.environ, **data}).as_dict()
    # The values of word vectors do not affect the speed.
    del config["model"]["text_field_embedder"]["token_embedders"]["tokens"]["pretrained_file"]
    reader = DatasetReader.from_params(Params(config["dataset_reader"]))
    instances = [reader.text_to_instance(sentence) for sentence in sentences]
    for instance in instances:
        reader.apply_token_indexers(instance)
    system = System("lisa_small", reader, instances, config["model"])
    max_tokens = config["data_loader"]["batch_sampler"]["max_tokens"]
    groups = list(group_by_length(instances, max_tokens))
    system = system.with_instances(groups[len(groups) // 2])
    optimizer = LazyNadamOptimizer(list(system.model.named_parameters()), lr=1e-4)
    batches = system.batches(max_tokens)
    leave_out_gold(batches)
    return {
        "training": functools.partial(train_epoch, system, optimizer, max_tokens),
        "labelling": functools.partial(label, system, batches),
    }


def rate(work: Callable[[], object], seconds: float) -> float:
    """Calls per second of the benchmarks' clock, measured for at least `seconds`."""
    end, start, number = time.monotonic() + seconds, clock(), 0
    while number == 0 or time.monotonic() < end:
        work()
        number += 1
    return number / (clock() - start)


def move_threads(core: int) -> None:
    """Moves all threads that this process has to one core."""
    for thread in os.listdir("/proc/self/task"):
        os.sched_setaffinity(int(thread), {core})


@contextlib.contextmanager
def start_process(
    threads: Threads, core: Optional[int], make: Callable[[], Works]
) -> Iterator[Callable[[str, float], float]]:
    """
    Starts a process that works on request.

    # Parameters

    core : `int`, optional
        The core that its threads share; with `None`, they run on all cores.
    make : `Callable[[], Works]`
        Is called in that process.

    # Returns

    `Iterator[Callable[[str, float], float]]`
        A function of a kind of work and a number of seconds that returns the `rate`.
    """
    # OpenMP reads its variables when it is loaded, so a fork would not see changed ones.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, threads.number, core, make), daemon=True)
    others = {name: value for name, value in os.environ.items() if name not in WAITING_VARIABLES}
    with mock.patch.dict(os.environ, {**others, **threads.variables}, clear=True):
        process.start()
    theirs.close()

    def measure(work: str, seconds: float) -> float:
        ours.send((work, seconds))
        return ours.recv()

    try:
        yield measure
    finally:
        ours.close()
        process.join()


def _serve(
    connection: Connection, number: int, core: Optional[int], make: Callable[[], Works]
) -> None:
    torch.set_num_threads(number)
    clock.start(1 if core is not None else number)
    works = make()
    for work in works.values():
        work()
    if core is not None:
        move_threads(core)
    with contextlib.suppress(EOFError):
        while True:
            work, seconds = connection.recv()
            connection.send(rate(works[work], seconds))


def measure_on_one_core(
    report: Report, args: argparse.Namespace, make: Callable[[], Works]
) -> None:
    """Adds the table of threads that share a core, and its bars."""
    core = max(os.sched_getaffinity(0))
    rows = []
    with contextlib.ExitStack() as stack:
        one, passive, brief, spinning = (
            stack.enter_context(start_process(threads, core, make))
            for threads in (ONE, PASSIVE, BRIEF, SPINNING)
        )
        for work in KINDS_OF_WORK:
            measured = in_turns(
                [functools.partial(f, work, args.seconds) for f in (one, passive, brief)],
                args.runs,
            )
            rates = [*map(statistics.median, measured), spinning(work, args.seconds)]
            rows.append([f"{work}, one core", *rates])
            share = 100 * median_ratio(measured[1], measured[0])
            report.at_least(f"{work}, waiting passively, % of one thread's rate", share, BAR)
    headings = ["batches/s", "1 thread", "2, passive", "2, brief", "2, spinning"]
    report.table(headings, rows)


def measure_on_all_cores(
    report: Report, args: argparse.Namespace, make: Callable[[], Works]
) -> None:
    """Adds the table of threads that have a core each."""
    rows = []
    with contextlib.ExitStack() as stack:
        processes = [
            stack.enter_context(start_process(threads, None, make))
            for threads in (PASSIVE, BRIEF, SPINNING)
        ]
        for work in KINDS_OF_WORK:
            calls = [functools.partial(measure, work, args.seconds) for measure in processes]
            medians = map(statistics.median, in_turns(calls, args.runs))
            rows.append([f"{work}, all cores", *medians])
    report.table(["batches/s", "2, passive", "2, brief", "2, spinning"], rows)


def main() -> int:
    """Prints the table; returns the exit status."""
    parser = make_parser(__doc__)
    parser.add_argument(
        "--seconds",
        type=float,
        default=4.0,
        help="length of each measurement in seconds (default: %(default)s)",
    )
    args = parser.parse_args()
    if sys.platform != "linux":
        parser.error("found no Linux; only Linux can move a process's threads to one core")
    report = Report("busy", args)
    sentences = [s for s in read_sentences(args.corpus, args.sentences) if s.frames]
    make = functools.partial(make_works, sentences, args.corpus)
    measure_on_one_core(report, args, make)
    if available_cores() > 1:
        measure_on_all_cores(report, args, make)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
