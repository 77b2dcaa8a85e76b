"""Calls a function in forked processes."""

import gc
import multiprocessing
import os
import pickle
import signal
import stat
import threading
import time
from collections import deque
from concurrent.futures import CancelledError, Future
from contextlib import closing, suppress
from multiprocessing.connection import Connection
from multiprocessing.pool import ExceptionWithTraceback  # type: ignore[attr-defined]
from queue import SimpleQueue
from typing import Any, Callable, Deque, Generator, Iterable, Iterator, Sequence, TypeVar

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.threads import limit_threads

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 2
"""The number of items per process that are submitted in advance."""

ATTEMPTS = 3
"""The most processes of `lisa annotate` and `lisa serve` that may die with the same item."""

_FORKING = threading.RLock()
"""Held while a process is started or ended, so that nobody else forks meanwhile."""

# Windows has no forks. A lock that another thread holds at a fork is never released in the child.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_FORKING.acquire,
        after_in_parent=_FORKING.release,
        after_in_child=_FORKING.release,
    )


class ProcessError(ConfigurationError):
    """Raised for an item whose process was killed, for example for lack of memory."""


class Pool:
    """
    Forked processes, which share the memory that this process has when they start. Each has its own
    pipe and thread, so that one that is killed, even while it writes a result, blocks no other. It
    is replaced, and `replaced` is called with how it died; at most `attempts` may die with the same
    item.
    """

    def __init__(
        self,
        functions: Sequence[Callable[[Any], Any]],
        attempts: int = 1,
        replaced: Callable[[str], None] = lambda how: None,
    ) -> None:
        if "fork" not in multiprocessing.get_all_start_methods():
            raise ConfigurationError(
                f"found {len(functions)} processes; expected 1, since this system cannot fork"
            )
        self._attempts = attempts
        self._replaced = replaced
        self._is_closed = False
        self._tasks: SimpleQueue[Any] = SimpleQueue()
        self._workers = [_Worker(function) for function in functions]
        self._threads = [
            threading.Thread(target=self._serve, args=(worker,), daemon=True)
            for worker in self._workers
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, item: Any) -> "Future[Any]":
        """The future has the result or the error of the function, or a `ProcessError`."""
        future: Future[Any] = Future()
        self._tasks.put((item, future))
        return future

    def close(self) -> None:
        """Ends the processes at once, in the middle of their work."""
        with _FORKING:
            self._is_closed = True
            for worker in self._workers:
                worker.kill()
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join()

    def _serve(self, worker: "_Worker") -> None:
        while (task := self._tasks.get()) is not None:
            item, future = task
            if self._is_closed:
                future.cancel()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(self._call(worker, item))
            except Exception as error:
                future.set_exception(error)
            # The last result may fill the memory that the next one needs.
            del task, item, future

    def _call(self, worker: "_Worker", item: Any) -> Any:
        for _ in range(self._attempts):
            with _FORKING:
                if self._is_closed:
                    break
                died = worker.start()
            if died:
                self._replaced(died)
            try:
                is_result, value = worker.call(item)
            except (EOFError, OSError):
                with _FORKING:
                    how = worker.kill()
                continue
            if is_result:
                return value
            raise value
        if self._is_closed:
            raise CancelledError
        times = f" {self._attempts} times with the same input" * (self._attempts > 1)
        raise ProcessError(
            f"one of {len(self._workers)} processes died{times} ({how}); expected enough memory "
            "for all of them. Try fewer processes"
        )


class _Worker:
    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._function = function
        self._process: Any = None
        self.start()

    def start(self) -> str:
        """Starts or replaces the process, and returns how the old one ended."""
        if self._process is not None and self._process.is_alive():
            return ""
        died = "" if self._process is None else self.kill()
        context = multiprocessing.get_context("fork")
        # No process forked at the same time inherits the other end, so this one's death closes it.
        with _FORKING:
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(
                target=_work, args=(self._function, theirs), daemon=True
            )
            self._process.start()
            theirs.close()
        return died

    def call(self, item: Any) -> Any:
        """Returns whether the function succeeded, and its result or error."""
        try:
            pickled = pickle.dumps(item, pickle.HIGHEST_PROTOCOL)
        except Exception:
            # The user's own objects may be of any class.
            return True, self._function(item)
        self._pipe.send_bytes(pickled)
        return self._pipe.recv()

    def kill(self) -> str:
        self._process.kill()
        self._process.join()
        code = self._process.exitcode or 0
        return f"signal {-code}" if code < 0 else f"status {code}"


def _work(function: Callable[[Any], Any], pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _close_sockets(pipe.fileno())
    limit_threads(1)
    # Garbage collection writes to objects, which would copy the memory shared with the parent.
    gc.freeze()
    with suppress(EOFError, OSError):
        while True:
            pipe.send_bytes(_answer(function, pipe.recv_bytes()))


def _answer(function: Callable[[Any], Any], item: bytes) -> bytes:
    try:
        return pickle.dumps((True, function(pickle.loads(item))), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        return pickle.dumps((False, ExceptionWithTraceback(error, error.__traceback__)))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    # Pipes to the parent stay open as long as another child of it has inherited them.
    while os.getppid() == parent.pid:
        time.sleep(1)
    os._exit(1)


def _close_sockets(own: int) -> None:
    """Closes inherited connections, which would stay open when the parent closes them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for name in os.listdir("/dev/fd"):
        with suppress(OSError):
            number = int(name)
            if number > 2 and number != own and stat.S_ISSOCK(os.fstat(number).st_mode):
                os.dup2(nothing, number)


def map_in_processes(
    function: Callable[[Item], Result], items: Iterable[Item], num_processes: int
) -> Generator[Result, None, None]:
    """
    Like `map`, but in forked processes of one thread each, which start with the first result and
    end when the generator is closed. Results keep the order of the items, which are read in this
    process, a few ahead. Neither the function nor items need to be picklable; such items, and with
    one process all, run in this process.

    Any error of the function or the items is raised after the results of all items before it.
    """
    if num_processes == 1:
        yield from map(function, items)
        return
    with closing(Pool([function] * num_processes)) as pool:
        pending: Deque[Future[Any]] = deque()
        for future in _submitted(pool, items):
            pending.append(future)
            if len(pending) > AHEAD * num_processes:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def _submitted(pool: Pool, items: Iterable[Any]) -> Iterator["Future[Any]"]:
    """An error in reading items becomes the last future."""
    try:
        for item in items:
            yield pool.submit(item)
    except Exception as error:
        failed: Future[Any] = Future()
        failed.set_exception(error)
        yield failed
