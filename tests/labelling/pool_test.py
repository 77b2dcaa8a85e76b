"""`map` in forked processes, against `map`, and processes that are killed."""

import itertools
import multiprocessing
import os
import random
import signal
import socket
import threading
import time
from concurrent.futures import Future
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Iterator, List, Set, Tuple

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.labelling.pool import AHEAD, Pool, ProcessError, map_in_processes

pytestmark = pytest.mark.medium

LARGE = 500_000
"""More bytes than fit into a pipe."""


def square_slowly(number: int) -> int:
    """Early items take longest, so that later ones are done first."""
    time.sleep(0.005 * (7 - number) if number < 7 else 0)
    return number**2


@settings(max_examples=6)
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


def test_few_items_are_read_ahead() -> None:
    numbers = itertools.count()
    with closing(map_in_processes(square_slowly, numbers, 2)) as results:
        assert next(results) == 0
        assert next(numbers) <= AHEAD * 2 + 1


@pytest.mark.parametrize("processes", [1, 2])
def test_errors_come_after_the_results_before_them(processes: int) -> None:
    def numbers() -> Iterator[int]:
        yield from range(3)
        raise OSError("no more")

    def fail_at_four(number: int) -> int:
        if number == 4:
            raise ValueError("four")
        return square_slowly(number)

    for function, items, error, number in (
        (square_slowly, numbers(), OSError, 3),
        (fail_at_four, range(9), ValueError, 4),
    ):
        results = []
        with pytest.raises(error):
            for result in map_in_processes(function, items, processes):
                results.append(result)
        assert results == [i**2 for i in range(number)]


def test_what_cannot_be_pickled_is_no_lost_item() -> None:
    assert list(map_in_processes(lambda item: item(), [lambda: 3, lambda: 4], 2)) == [3, 4]
    with pytest.raises((AttributeError, TypeError), match="pickle"):
        list(map_in_processes(lambda _: lambda: 3, [1], 2))


@pytest.mark.parametrize("seconds", [0.0, 0.02])
def test_leaving_early_ends_at_once(seconds: float) -> None:
    """While processes work, wait, or write more than a pipe holds."""
    before = multiprocessing.active_children(), threading.enumerate()
    for size in (1, LARGE):
        items = (bytes(size) for _ in itertools.count())
        results = map_in_processes(lambda item: item, items, 2)
        assert next(results) == bytes(size)
        time.sleep(seconds)
        results.close()
    with pytest.raises(KeyboardInterrupt):
        for _ in map_in_processes(lambda item: time.sleep(600 * item), iter([0, 1, 1]), 2):
            raise KeyboardInterrupt
    assert (multiprocessing.active_children(), threading.enumerate()) == before


def test_a_process_killed_in_a_write_ends_a_map() -> None:
    def end(size: int) -> bytes:
        threading.Timer(0.001, os.kill, (os.getpid(), signal.SIGKILL)).start()
        return bytes(size)

    with pytest.raises(ProcessError, match="one of 2 processes died .signal 9.; expected"):
        list(map_in_processes(end, [100_000_000] * 3, 2))
    assert not multiprocessing.active_children()


def test_killed_processes_are_replaced() -> None:
    with closing(Pool([bytes] * 2, attempts=50)) as pool:
        futures: List[Future[bytes]] = [pool.submit(LARGE) for _ in range(40)]
        for _ in range(10):
            time.sleep(random.random() * 0.01)
            # The pool may be replacing the one that was killed before.
            with suppress(AttributeError, IndexError, ValueError):
                random.choice(multiprocessing.active_children()).kill()
        assert all(future.result(60) == bytes(LARGE) for future in futures)


def test_an_item_that_kills_all_its_processes_costs_itself_alone(tmp_path: Path) -> None:
    def work(number: int) -> int:
        if number == 1:
            (tmp_path / str(os.getpid())).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    with closing(Pool([work] * 2, attempts=3)) as pool:
        futures: List[Future[int]] = [pool.submit(n) for n in range(5)]
        with pytest.raises(ProcessError, match="3 times with the same input"):
            futures[1].result(60)
        assert [futures[n].result(60) for n in (0, 2, 3, 4)] == [0, 2, 3, 4]
    assert len(list(tmp_path.iterdir())) == 3


def test_processes_end_when_their_parent_is_killed() -> None:
    reader, writer = os.pipe()

    def report(number: int) -> None:
        os.write(writer, f"{os.getpid()}\n".encode())
        # The other is idle.
        time.sleep(600 * number)

    def work() -> None:
        results = map_in_processes(report, (n for n in (0, 1, 0)), 3)
        next(results)
        other_child = os.fork()
        if other_child == 0:
            os.close(writer)
            time.sleep(60)
            os._exit(0)
        os.write(writer, f"other {other_child}\n".encode())
        list(results)

    parent = multiprocessing.get_context("fork").Process(target=work)
    parent.start()
    os.close(writer)
    with open(reader) as file:
        lines: Set[str] = {file.readline() for _ in range(4)}
        assert parent.pid is not None
        os.kill(parent.pid, signal.SIGKILL)
        parent.join()
        killed = time.monotonic()
        # The pipe is at its end when no process has it open any more.
        assert file.read() == ""
    # The other child lives for a minute.
    assert time.monotonic() - killed < 30
    (other_child,) = (int(line.split()[1]) for line in lines if line.startswith("other"))
    os.kill(other_child, signal.SIGKILL)


def test_a_child_forked_while_a_process_starts_has_processes_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    process = multiprocessing.get_context("fork").Process
    start, is_starting = process.start, threading.Event()

    def start_slowly(self: Any) -> None:
        is_starting.set()
        time.sleep(0.1)
        start(self)

    monkeypatch.setattr(process, "start", start_slowly)
    results = map_in_processes(abs, [-1, -2], 2)
    thread = threading.Thread(target=list, args=(results,))
    thread.start()
    is_starting.wait()
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        os._exit(list(map_in_processes(abs, [-1, -2], 2)) != [1, 2])
    assert os.waitpid(child, 0)[1] == 0
    thread.join()


def test_processes_do_not_hold_the_connections_of_their_parent() -> None:
    ours, theirs = socket.socketpair()
    with ours, closing(Pool([len])):
        theirs.close()
        ours.settimeout(30)
        assert ours.recv(1) == b""


def test_a_system_that_cannot_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("multiprocessing.get_all_start_methods", lambda: ["spawn"])
    with pytest.raises(ConfigurationError, match="found 2 processes; expected 1"):
        list(map_in_processes(square_slowly, [1], 2))
    assert list(map_in_processes(square_slowly, [3], 1)) == [9]
