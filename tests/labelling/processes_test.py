"""`map` in forked processes, against `map`."""

import itertools
import multiprocessing
import os
import signal
import threading
import time
from typing import Iterator, List, Optional, Set, Tuple, Type, cast

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import SigTermReceived
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.labelling.processes import AHEAD, at_most_the_cores, map_in_processes

pytestmark = pytest.mark.medium


def square_slowly(number: int) -> int:
    """Early items take longest, so that later ones are done first."""
    time.sleep(0.005 * (7 - number) if number < 7 else 0)
    return number**2


@pytest.mark.medium
@settings(max_examples=12, deadline=None)
@given(items=st.lists(st.integers(0, 9), max_size=9), processes=st.integers(1, 4))
def test_results_are_those_of_map(items: List[int], processes: int) -> None:
    assert list(map_in_processes(square_slowly, items, processes)) == [i**2 for i in items]


def test_processes_are_others_with_a_thread_each() -> None:
    def where(_: int) -> Tuple[int, int]:
        time.sleep(0.1)
        return os.getpid(), torch.get_num_threads()

    places = list(map_in_processes(where, range(6), 3))
    assert len({process for process, _ in places} - {os.getpid()}) > 1
    assert {threads for _, threads in places} == {1}
    assert (
        list(map_in_processes(where, range(2), 1)) == [(os.getpid(), torch.get_num_threads())] * 2
    )


def test_few_items_are_read_ahead() -> None:
    numbers = itertools.count()
    results = map_in_processes(square_slowly, numbers, 2)
    assert next(results) == 0
    assert next(numbers) <= AHEAD * 2 + 1
    results.close()


def fail_at_four(number: int) -> int:
    if number == 4:
        raise ValueError("four")
    return square_slowly(number)


@pytest.mark.parametrize("processes", [1, 2])
def test_errors_come_after_the_results_before_them(processes: int) -> None:
    def numbers() -> Iterator[int]:
        yield from range(3)
        raise OSError("no more")

    for function, items, error in (
        (square_slowly, numbers(), OSError),
        (fail_at_four, range(9), ValueError),
    ):
        results = []
        with pytest.raises(error):
            for result in map_in_processes(function, items, processes):
                results.append(result)
        assert results == [i**2 for i in range(3 if error is OSError else 4)]


def test_a_process_that_ends_is_reported_and_ends_the_others() -> None:
    def end(number: int) -> None:
        if number == 0:
            time.sleep(0.5)
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(600)

    def refuse(signal_number: int, frame: object) -> None:
        raise RuntimeError("as AllenNLP's handler does")

    others = set(multiprocessing.active_children())
    ours: Set[int] = set()

    def items() -> Iterator[int]:
        yield 0
        ours.update(cast(int, p.pid) for p in set(multiprocessing.active_children()) - others)
        yield from (1, 2)

    before = signal.signal(signal.SIGTERM, refuse)
    try:
        with pytest.raises(ConfigurationError, match="one of 2 processes died"):
            list(map_in_processes(end, items(), 2))
    finally:
        signal.signal(signal.SIGTERM, before)
    assert len(ours) == 2
    deadline = time.monotonic() + 20
    while any(exists(process) for process in ours) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(exists(process) for process in ours)


def exists(process: int) -> bool:
    """
    Asked of the system: `is_alive` is true as well while another thread, here the executor's, is
    about to write down how the process ended.
    """
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_an_interrupt_is_not_for_the_processes() -> None:
    def interrupted(number: int) -> int:
        os.kill(os.getpid(), signal.SIGINT)
        return number

    assert list(map_in_processes(interrupted, range(3), 2)) == [0, 1, 2]


def sleep_long(number: int) -> int:
    if number:
        time.sleep(600)
    return number


def test_processes_have_ended_when_all_is_done() -> None:
    others, threads = set(multiprocessing.active_children()), set(threading.enumerate())
    results = map_in_processes(square_slowly, range(7, 20), 2)
    assert next(results) == 49
    assert len(set(multiprocessing.active_children()) - others) == 2
    assert list(results) == [i**2 for i in range(8, 20)]
    assert not set(multiprocessing.active_children()) - others
    assert not set(threading.enumerate()) - threads


@pytest.mark.parametrize("error", [None, KeyboardInterrupt(), SigTermReceived()])
def test_processes_end_in_the_middle_of_their_work(error: Optional[BaseException]) -> None:
    """Also while the parent is writing an item that is larger than a pipe can hold."""
    others, threads = set(multiprocessing.active_children()), set(threading.enumerate())

    def items() -> Iterator[Tuple[int, str]]:
        yield from ((number, "x" * 1_000_000) for number in range(AHEAD * 2))
        if error is not None:
            raise error
        yield 0, ""

    results = map_in_processes(lambda item: sleep_long(item[0]), items(), 2)
    if error is None:
        assert next(results) == 0
        results.close()
    else:
        with pytest.raises(type(error)):
            list(results)
    assert not set(multiprocessing.active_children()) - others
    assert not set(threading.enumerate()) - threads


def test_processes_end_when_their_parent_is_killed() -> None:
    reader, writer = os.pipe()

    def report(_: int) -> None:
        os.write(writer, f"{os.getpid()}\n".encode())
        time.sleep(600)

    parent = multiprocessing.get_context("fork").Process(
        target=lambda: list(map_in_processes(report, range(2), 2))
    )
    parent.start()
    os.close(writer)
    with open(reader) as file:
        workers = [int(file.readline()) for _ in range(2)]
        assert parent.pid is not None
        os.kill(parent.pid, signal.SIGKILL)
        parent.join()
        # The pipe is at its end when no process has it open any more.
        assert file.read() == ""
    assert len(set(workers)) == 2


@pytest.mark.parametrize("error", [ValueError, SigTermReceived])
def test_a_termination_is_no_error_of_an_item(error: Type[Exception]) -> None:
    class Unpicklable:
        def __reduce__(self) -> str:
            raise error

    function = map_in_processes(lambda _: "here", [Unpicklable()], 2)
    if error is SigTermReceived:
        with pytest.raises(SigTermReceived):
            list(function)
    else:
        assert list(function) == ["here"]


def test_there_are_at_most_as_many_processes_as_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lisa_allennlp.labelling.processes.available_cores", lambda: 3)
    assert [at_most_the_cores(number) for number in (1, 3, 4, 100_000)] == [1, 3, 3, 3]


def test_a_system_that_cannot_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("multiprocessing.get_all_start_methods", lambda: ["spawn"])
    with pytest.raises(ConfigurationError, match="found 2 processes; expected 1"):
        list(map_in_processes(square_slowly, [1], 2))
    assert list(map_in_processes(square_slowly, [3], 1)) == [9]
