"""Maps a function over items in forked processes."""

import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from typing import Any, Callable, Deque, Generator, Iterable, Iterator, Optional, Sequence, TypeVar

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import SigTermReceived

from lisa_allennlp.common.threads import available_cores

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 2
"""The number of items per process that are submitted before their results are taken."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM)

_function: Optional[Callable[[Any], Any]] = None
"""The function of this process, set when it is forked."""


def at_most_the_cores(number: int) -> int:
    """The number of processes, or of available cores if these are fewer: more would be slower."""
    return min(number, available_cores())


def map_in_processes(
    function: Callable[[Item], Result], items: Iterable[Item], num_processes: int
) -> Generator[Result, None, None]:
    """
    Like `map`, but in forked processes. The results keep the order of the items. The processes are
    forked when the first result is requested and share the memory of that moment. Each runs one
    thread, because PyTorch's threads do not survive a fork.

    >>> list(map_in_processes(len, ["She", "left"], num_processes=1))
    [3, 4]

    # Parameters

    function : `Callable[[Item], Result]`
        It does not have to be picklable. It is called in this process for items that cannot be
        pickled.
    items : `Iterable[Item]`
        Read in this process, a few items ahead of the results.
    num_processes : `int`
        With 1, the function runs in this process, with all its threads.

    # Raises

    `ConfigurationError`
        If the system cannot fork, or a process dies.
    Any error of the function or the items, after the results of all items before it.
    """
    if num_processes == 1:
        yield from map(function, items)
        return
    if "fork" not in multiprocessing.get_all_start_methods():
        raise ConfigurationError(
            f"found {num_processes} processes; expected 1, since this system cannot fork"
        )
    context = multiprocessing.get_context("fork")
    stop_reader, stop = context.Pipe(duplex=False)
    executor = ProcessPoolExecutor(num_processes, context, _begin, (function, stop_reader))
    is_done = False
    try:
        futures = _submit(executor, function, items)
        yield from _in_order(futures, AHEAD * num_processes)
        is_done = True
    except BrokenProcessPool as error:
        raise ConfigurationError(
            f"one of {num_processes} processes died; expected enough memory for all of them. "
            "Try fewer processes"
        ) from error
    finally:
        if not is_done:
            _end_at_once(executor, stop)
        executor.shutdown(cancel_futures=True)
        stop.close()
        stop_reader.close()


def _begin(function: Callable[[Any], Any], stop: Connection) -> None:
    global _function
    _function = function
    begin_worker(stop)


def begin_worker(*ends: Connection) -> None:
    """
    Prepares a forked process for labelling: it has one thread, leaves interrupts to its parent, and
    ends when its parent has ended, even by SIGKILL.

    # Parameters

    ends : `Connection`
        Connections on which the parent sends something to end the process.
    """
    torch.set_num_threads(1)
    # Garbage collection writes to objects, which would copy the memory shared with the parent.
    gc.freeze()
    # The parent handles interrupts and terminates its children. AllenNLP's handler of SIGTERM would
    # raise an exception here, which would look like an error of the function.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    threading.Thread(target=_end_with_parent, args=(ends,), daemon=True).start()


def _end_with_parent(ends: Sequence[Connection]) -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel, *ends])
    os._exit(1)


def _end_at_once(executor: ProcessPoolExecutor, stop: Connection) -> None:
    """Ends the processes in the middle of their work."""
    # Nobody reads it, so all processes see it.
    stop.send_bytes(b"stop")
    # Without readers, the executor's thread would wait until they have read what it is writing
    # (https://github.com/python/cpython/issues/94777). Newer versions of Python close the queue in
    # that thread, which fails and leaves the processes if it has been closed here.
    if sys.version_info < (3, 11, 5):
        executor._call_queue._reader.close()  # type: ignore[attr-defined]


@contextmanager
def _signals_wait() -> Iterator[None]:
    """Defers signals, so that a process that is forked in the block gets none before `_begin`."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _call(pickled: bytes) -> Any:
    assert _function is not None
    return _function(pickle.loads(pickled))


def _submit(
    executor: ProcessPoolExecutor, function: Callable[[Any], Any], items: Iterable[Any]
) -> Iterator["Future[Any]"]:
    """Futures in the order of the items. An error in reading items becomes the last future."""
    try:
        for item in items:
            pickled = _pickled(item)
            if pickled is None:
                done: Future = Future()
                done.set_result(function(item))
                yield done
            else:
                with _signals_wait():
                    submitted = executor.submit(_call, pickled)
                yield submitted
    except (BrokenProcessPool, SigTermReceived):
        raise
    except Exception as error:
        failed: Future = Future()
        failed.set_exception(error)
        yield failed


def _pickled(item: Any) -> Optional[bytes]:
    """The pickled item, or `None` if it cannot be pickled; classes raise errors of any type."""
    try:
        return pickle.dumps(item, pickle.HIGHEST_PROTOCOL)
    except SigTermReceived:
        raise
    except Exception:
        return None


def _in_order(futures: Iterator["Future[Any]"], ahead: int) -> Iterator[Any]:
    pending: Deque[Future] = deque()
    for future in futures:
        pending.append(future)
        if len(pending) > ahead:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()
