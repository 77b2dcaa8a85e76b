"""Processes that are killed, that fail, and whose parent dies."""

import multiprocessing
import os
import signal
import time
from pathlib import Path
from typing import Callable, Tuple

import pytest
import torch
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.annotation.local_engine import ATTEMPTS, Work, in_processes

pytestmark = pytest.mark.medium


def test_each_process_has_its_device_and_one_thread() -> None:
    def open_worker(device: int) -> Work:
        def work(shard: int, report: Callable[[int], None]) -> Tuple[int, int, int, int]:
            time.sleep(0.05)
            return shard, device, os.getpid(), torch.get_num_threads()

        return work

    found = list(in_processes(open_worker, [0, 1], range(8)))
    assert sorted(shard for shard, *_ in found) == list(range(8))
    processes = {device: process for _, device, process, _ in found}
    assert set(processes) == {0, 1} and len(set(processes.values())) == 2
    assert {(device, process) for _, device, process, _ in found} == set(processes.items())
    assert {threads for *_, threads in found} == {1}


def test_progress_is_reported_by_shard() -> None:
    reports = []

    def work(shard: int, report: Callable[[int], None]) -> int:
        report(shard * 10)
        return -shard - 1

    results = in_processes(
        lambda device: lambda shard, report: (work(shard, report),),
        [-1],
        [1, 2],
        lambda shard, rows: reports.append((shard, rows)),
    )
    assert list(results) == [(-2,), (-3,)]
    assert reports == [(1, 10), (2, 20)]


def killed_until(times: int, folder: Path) -> Callable[[int], Work]:
    """The first processes with shard 1 kill themselves."""

    def work(shard: int, report: Callable[[int], None]) -> Tuple[int]:
        if shard == 1 and len(list(folder.iterdir())) < times:
            (folder / str(os.getpid())).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return (shard,)

    return lambda device: work


def test_a_shard_is_tried_again(tmp_path: Path) -> None:
    results = in_processes(killed_until(ATTEMPTS - 1, tmp_path), [-1, -1], range(5))
    assert sorted(results) == [(n,) for n in range(5)]
    assert len(list(tmp_path.iterdir())) == ATTEMPTS - 1


def test_a_shard_that_kills_all_its_processes_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"^shard 2: its process ended 3 times \(signal 9"):
        list(in_processes(killed_until(ATTEMPTS, tmp_path), [-1], range(5)))


def test_errors_are_raised_and_end_the_processes(tmp_path: Path) -> None:
    def work(shard: int, report: Callable[[int], None]) -> None:
        (tmp_path / str(os.getpid())).touch()
        wait_until(lambda: len(list(tmp_path.iterdir())) == 2)
        if shard == 2:
            raise OSError(28, "No space left on device", "shard")
        time.sleep(600)

    with pytest.raises(OSError, match="No space left on device: 'shard'"):
        list(in_processes(lambda device: work, [-1, -1], [1, 2]))
    wait_until(lambda: not any(is_alive(int(path.name)) for path in tmp_path.iterdir()))


def test_processes_end_with_their_parent(tmp_path: Path) -> None:
    def work(shard: int, report: Callable[[int], None]) -> None:
        (tmp_path / str(os.getpid())).touch()
        time.sleep(600)

    def run() -> None:
        list(in_processes(lambda device: work, [-1, -1], range(4)))

    driver = multiprocessing.get_context("fork").Process(target=run)
    driver.start()
    wait_until(lambda: len(list(tmp_path.iterdir())) == 2)
    os.kill(driver.pid or 0, signal.SIGKILL)
    driver.join()
    wait_until(lambda: not any(is_alive(int(path.name)) for path in tmp_path.iterdir()))


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_alive(process: int) -> bool:
    """Whether a process runs; one that nobody waits for may be a zombie."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"
