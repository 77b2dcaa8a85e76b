"""The processes of a distributed training, of which one makes a mistake or is killed."""

import errno
import multiprocessing
import os
import signal
import socket
import time
from datetime import timedelta
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from torch.multiprocessing.spawn import ProcessRaisedException

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.common.user_errors import user_message
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.training import workers

pytestmark = pytest.mark.medium


@pytest.fixture(autouse=True)
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "START_METHOD", "fork")


def raise_later(error: Exception) -> Callable[[], None]:
    def fault() -> None:
        raise error

    return fault


def kill_itself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def interrupt_the_first_process() -> None:
    os.kill(os.getppid(), signal.SIGINT)
    time.sleep(60)


FAULTS: Dict[str, Any] = {
    "corpus": (
        raise_later(CorpusFormatError("dev.gold_conll", 45, "4 columns", "12")),
        "dev.gold_conll:45: found 4 columns; expected 12",
    ),
    "file": (
        raise_later(FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "dev.conllu")),
        "dev.conllu: No such file or directory",
    ),
    "disk": (
        raise_later(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "OUT/best.th.partial")),
        "OUT/best.th: No space left on device",
    ),
    "weights": (
        raise_later(RuntimeError("Expected to have finished reduction in the prior iteration")),
        workers._UNUSED_WEIGHTS,
    ),
    "killed": (
        kill_itself,
        "found process 2 of 2 ended by SIGKILL; expected it to end with the training. The system "
        "may have killed it for lack of memory",
    ),
}


def work(
    rank: int,
    serialization_dir: str,
    port: int,
    fault: Callable[[], None],
    include_in_archive: Optional[List[str]] = None,
) -> None:
    """The second worker has a fault while the first one waits for it."""
    address = f"tcp://127.0.0.1:{port}"
    torch.distributed.init_process_group("gloo", address, world_size=2, rank=rank)
    torch.distributed.barrier()
    if rank == 1:
        fault()
    torch.distributed.all_reduce(torch.ones(1))


def spawn(folder: Path, fault: Callable[[], None]) -> None:
    workers.spawn(work, (str(folder), free_port(), fault), 2)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@pytest.mark.parametrize("name", FAULTS)
def test_a_mistake_ends_all_processes_in_one_line(name: str, tmp_path: Path) -> None:
    fault, message = FAULTS[name]
    with pytest.raises(ConfigurationError) as error:
        spawn(tmp_path, fault)
    assert user_message(error.value) == message
    assert multiprocessing.active_children() == []


def test_a_fault_in_the_program_keeps_its_traceback(tmp_path: Path) -> None:
    with pytest.raises(
        ProcessRaisedException, match="in raise_later|in fault(.|\n)*TypeError: one"
    ):
        spawn(tmp_path, raise_later(TypeError("one")))
    assert multiprocessing.active_children() == []


@pytest.fixture
def hears_interrupts() -> Iterator[None]:
    """Programs that a script starts in the background ignore control-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("hears_interrupts")
def test_an_interruption_ends_all_processes_and_archives_the_best_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archived = []
    monkeypatch.setattr(
        "allennlp.commands.train.archive_model", lambda *args, **_: archived.append(args)
    )
    (tmp_path / "best.th").touch()
    with pytest.raises(KeyboardInterrupt):
        spawn(tmp_path, interrupt_the_first_process)
    assert multiprocessing.active_children() == []
    assert archived == [(str(tmp_path), "best.th")]


@pytest.mark.usefixtures("hears_interrupts")
def test_a_second_interruption_leaves_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    join = multiprocessing.process.BaseProcess.join

    def join_and_interrupt(process: Any, timeout: Optional[float] = None) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        join(process, timeout)

    monkeypatch.setattr(multiprocessing.process.BaseProcess, "join", join_and_interrupt)
    with pytest.raises(KeyboardInterrupt):
        spawn(tmp_path, interrupt_the_first_process)
    assert multiprocessing.active_children() == []


def test_without_a_fault(tmp_path: Path) -> None:
    spawn(tmp_path, (tmp_path / "done").touch)
    assert (tmp_path / "done").exists()


def test_a_lost_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first process of another machine sees no mistake, only a connection that is lost."""
    monkeypatch.setattr(workers, "PATIENCE", 0.1)
    # It ends as if nothing were wrong.
    with pytest.raises(ConfigurationError, match="another process of the training has ended"):
        spawn(tmp_path, lambda: os._exit(0))


def wait_for_a_third(rank: int, serialization_dir: str, port: int) -> None:
    address, patience = f"tcp://127.0.0.1:{port}", timedelta(seconds=2)
    torch.distributed.init_process_group("gloo", address, patience, world_size=3, rank=rank)


def test_a_machine_that_is_not_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "PATIENCE", 0.1)
    with pytest.raises(ConfigurationError, match="^found no connection between all processes"):
        workers.spawn(wait_for_a_third, (str(tmp_path), free_port()), 2)
    assert multiprocessing.active_children() == []


def test_a_port_that_is_used(tmp_path: Path) -> None:
    with socket.socket() as used:
        used.bind(("127.0.0.1", 0))
        used.listen()
        port = used.getsockname()[1]
        with pytest.raises(ConfigurationError) as error:
            workers.spawn(work, (str(tmp_path), port, kill_itself), 2)
    assert error.value.message == (
        f"distributed.primary_port: found {port}, which another program uses; expected a free port"
    )
