"""
The worker processes of a distributed training. They end together: if one fails or is killed, or the
command is interrupted, all end, and the command says why in one line.

>>> use_by_default()
>>> allennlp.commands.train.mp.spawn is spawn
True
"""

import inspect
import logging
import os
import re
import signal
import threading
import time
from contextlib import contextmanager, nullcontext
from typing import Any, Callable, Iterator, Optional, Sequence, Tuple

import allennlp.commands.train
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import SigTermReceived
from torch import multiprocessing
from torch.multiprocessing.spawn import ProcessExitedException, ProcessRaisedException

from lisa_allennlp.common.log_files import raised_log_errors
from lisa_allennlp.common.plugins import load_classes, silence_libraries
from lisa_allennlp.common.progress_line import LINE
from lisa_allennlp.common.threads import THREAD_NUMBER_VARIABLES, available_cores
from lisa_allennlp.common.user_errors import user_message
from lisa_allennlp.training.recoverable_trainer import BEST_MODEL
from lisa_allennlp.training.watching import is_watched, watched

START_METHOD = "spawn"
"""How the processes start. CUDA does not work in forked processes."""

PATIENCE = 60.0
"""The seconds that a worker waits to be ended after it has lost the connection to another."""

GRACE = 0.5
"""The seconds that workers have to end, and then to end at SIGTERM, after another has failed."""

_LOST_CONNECTION = (
    "found that another process of the training has ended; expected the message of its own error "
    "on its machine"
)

_NO_CONNECTION = (
    "found no connection between all processes of the training; expected the same training on each "
    "machine, with other numbers for --node-rank, and a distributed.primary_address that all reach"
)

_USED_PORT = "EADDRINUSE"

_UNUSED_WEIGHTS = (
    "found weights on which the loss does not depend; expected none, or the option "
    "distributed.ddp_accelerator: {'type': 'torch', 'find_unused_parameters': true}"
)


class WorkerError(Exception):
    """An error of one line in a worker."""


def spawn(function: Callable[..., None], args: Sequence[Any] = (), nprocs: int = 1) -> None:
    """
    Replaces `torch.multiprocessing.spawn` in AllenNLP's `train`.

    # Parameters

    function : `Callable[..., None]`
        AllenNLP's `_train_worker`.
    args : `Sequence[Any]`, optional (default = `()`)
        All of its arguments except the first, which is the number of the process.
    nprocs : `int`, optional (default = `1`)

    # Raises

    `ConfigurationError`
        If a worker was killed, or ended with an error that the user can mend.
    `ProcessRaisedException`
        If a worker ended with another error.
    """
    LINE.clear()
    # The error says what it would log.
    logging.getLogger("torch.multiprocessing.spawn").setLevel(logging.ERROR)
    with _deaf_to_interrupts():
        context: Any = multiprocessing.start_processes(
            _run, (nprocs, function, args), nprocs, join=False, start_method=START_METHOD
        )
    try:
        while not context.join(grace_period=GRACE):
            pass
    except ProcessRaisedException as error:
        LINE.erase()
        message = _message(str(error))
        if message is None:
            raise
        raise ConfigurationError(message) from error
    except ProcessExitedException as error:
        LINE.erase()
        end = error.signal_name or f"status {error.exit_code}"
        raise ConfigurationError(
            f"found process {error.error_index + 1} of {nprocs} ended by {end}; expected it to end "
            "with the training. The system may have killed it for lack of memory"
        ) from error
    except (KeyboardInterrupt, SigTermReceived):
        _kill_all(context.processes)
        LINE.erase()
        _archive_best(function, args)
        raise


def use_by_default() -> None:
    """Makes AllenNLP's `train` start its workers by `spawn`."""
    allennlp.commands.train.mp = _Multiprocessing  # type: ignore[assignment]


class _Multiprocessing:
    """What AllenNLP's `train` uses of `torch.multiprocessing`."""

    spawn = staticmethod(spawn)


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """
    Ignores control-C in this block, and in the processes that begin in it: terminals send it to all
    processes of a command, of which the first ends the others.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _kill_all(processes: Sequence[Any]) -> None:
    """Another control-C has to wait, since a process that is left alive keeps the command alive."""
    with _deaf_to_interrupts():
        for process in processes:
            process.kill()
        for process in processes:
            process.join()


def _run(rank: int, nprocs: int, function: Callable[..., None], args: Tuple[Any, ...]) -> None:
    """Runs in a worker."""
    parent = os.getppid()
    # PyTorch asks for a signal that workers ignore.
    _end_with_parent()
    os.register_at_fork(after_in_child=_end_with_parent)
    # As in one process. Other start methods lock by files, which a killed process leaves behind.
    multiprocessing.set_start_method("fork", force=True)
    if not any(name in os.environ for name in THREAD_NUMBER_VARIABLES):
        torch.set_num_threads(max(1, min(available_cores() // nprocs, torch.get_num_threads())))
    try:
        with _as_in_lisa() if is_watched() else nullcontext():
            function(rank, *args)
    except Exception as error:
        if _has_lost_connection(error):
            _wait_to_be_ended(parent)
        message = _worker_message(error)
        if message is None:
            raise
        raise WorkerError(message) from error


def _end_with_parent() -> None:
    multiprocessing._prctl_pr_set_pdeathsig(signal.SIGTERM)  # type: ignore[attr-defined]


@contextmanager
def _as_in_lisa() -> Iterator[None]:
    """The classes and the output of `lisa train`."""
    silence_libraries()
    load_classes()
    allennlp.commands.train.import_plugins = lambda: None
    with watched(), raised_log_errors():
        yield


def _has_lost_connection(error: Exception) -> bool:
    """Whether an error comes from PyTorch's communication, so that another worker is its cause."""
    if isinstance(error, torch.distributed.DistError):
        return _USED_PORT not in str(error)
    return isinstance(error, RuntimeError) and "gloo" in str(error)


def _worker_message(error: Exception) -> Optional[str]:
    if _has_lost_connection(error):
        return _LOST_CONNECTION if torch.distributed.is_initialized() else _NO_CONNECTION
    if _USED_PORT in str(error):
        port = re.search(r"port: (\d+)", str(error))
        found = f"found {port[1]}, which" if port else "found a port that"
        return f"distributed.primary_port: {found} another program uses; expected a free port"
    if "Expected to have finished reduction" in str(error):
        return _UNUSED_WEIGHTS
    return user_message(error)


def _wait_to_be_ended(parent: int) -> None:
    """Waits, so that the first process sees the error of the worker that failed."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and os.getppid() == parent:
        time.sleep(0.1)


def _message(report: str) -> Optional[str]:
    """The message of a `WorkerError`, from the traceback that PyTorch reports."""
    name, _, message = report.strip().splitlines()[-1].partition(": ")
    return message if name == f"{__name__}.{WorkerError.__name__}" else None


def _archive_best(function: Callable[..., None], args: Sequence[Any]) -> None:
    """Archives the best weights so far, as AllenNLP does if one process is interrupted."""
    values = inspect.signature(function).bind(0, *args).arguments
    folder = values["serialization_dir"]
    if os.path.exists(os.path.join(folder, BEST_MODEL)):
        included = values.get("include_in_archive")
        allennlp.commands.train.archive_model(folder, BEST_MODEL, include_in_archive=included)
