"""
Labels shards in processes of this machine. A shard whose process is killed is tried again.

    >>> def open_worker(device):
    ...     return lambda shard, report: (shard, device)
    >>> sorted(in_processes(open_worker, devices=[-1, -1], shards=range(3)))
    [(0, -1), (1, -1), (2, -1)]
"""

import multiprocessing
import traceback
from collections import Counter, deque
from multiprocessing.connection import Connection, wait
from multiprocessing.pool import RemoteTraceback  # type: ignore[attr-defined]
from typing import Any, Callable, Deque, Dict, Iterable, Iterator, List, NamedTuple, Sequence, cast

from allennlp.common.checks import ConfigurationError

from lisa_allennlp.labelling.processes import begin_worker

ATTEMPTS = 3
"""The number of processes that may be killed while they label one shard."""

Work = Callable[[int, Callable[[int], None]], Any]
"""Takes a shard and a function that reports the number of its rows that are done."""


class _Failure(NamedTuple):
    error: Exception
    traceback: str


def in_processes(
    open_worker: Callable[[int], Work],
    devices: Sequence[int],
    shards: Iterable[int],
    report: Callable[[int, int], None] = lambda shard, rows: None,
) -> Iterator[Any]:
    """
    # Parameters

    open_worker : `Callable[[int], Work]`
        Called in each process, with its device.
    devices : `Sequence[int]`
        One for each process: the number of a GPU, or -1.
    shards : `Iterable[int]`
    report : `Callable[[int, int], None]`, optional
        Called with a shard and the number of its rows that are done.

    # Returns

    `Iterator[Any]`
        The results, in the order in which they are done. Closing it ends the processes.

    # Raises

    `ConfigurationError`
        If a shard's process is killed `ATTEMPTS` times.
    Any error of a process.
    """
    pool = _Pool(open_worker, devices)
    try:
        yield from pool.run(deque(shards), report)
    finally:
        pool.end()


class _Pool:
    def __init__(self, open_worker: Callable[[int], Work], devices: Sequence[int]) -> None:
        if "fork" not in multiprocessing.get_all_start_methods():
            raise ConfigurationError("found a system that cannot fork; expected Linux")
        self._context = multiprocessing.get_context("fork")
        self._open_worker = open_worker
        self._idle = list(devices)
        self._processes: Dict[Connection, Any] = {}
        self._device: Dict[Connection, int] = {}
        self._shard: Dict[Connection, int] = {}

    def run(self, waiting: Deque[int], report: Callable[[int, int], None]) -> Iterator[Any]:
        """The results of the shards."""
        killed: Counter[int] = Counter()
        while waiting or self._shard:
            self._assign(waiting)
            for connection in cast(List[Connection], wait(list(self._shard))):
                shard = self._shard[connection]
                try:
                    message = connection.recv()
                except (EOFError, OSError):
                    killed[shard] += 1
                    self._bury(connection, shard, killed[shard])
                    waiting.appendleft(shard)
                    continue
                if isinstance(message, _Failure):
                    raise message.error from RemoteTraceback(message.traceback)
                if isinstance(message, int):
                    report(shard, message)
                    continue
                del self._shard[connection]
                yield message

    def _assign(self, waiting: Deque[int]) -> None:
        """Gives each process without a shard the next one, and starts processes as needed."""
        while waiting and len(self._shard) < len(self._processes) + len(self._idle):
            free = [connection for connection in self._processes if connection not in self._shard]
            connection = free[0] if free else self._start()
            self._shard[connection] = waiting.popleft()
            try:
                connection.send(self._shard[connection])
            except OSError:
                # `run` finds that the process is dead.
                continue

    def _start(self) -> Connection:
        device = self._idle.pop()
        ours, theirs = self._context.Pipe()
        arguments = (self._open_worker, device, theirs)
        process = self._context.Process(target=_serve, args=arguments, daemon=True)
        process.start()
        theirs.close()
        self._processes[ours], self._device[ours] = process, device
        return ours

    def _bury(self, connection: Connection, shard: int, times: int) -> None:
        """Forgets a killed process."""
        process = self._processes.pop(connection)
        process.join()
        connection.close()
        del self._shard[connection]
        self._idle.append(self._device.pop(connection))
        if times == ATTEMPTS:
            how = f"signal {-process.exitcode}" if process.exitcode < 0 else "no result"
            raise ConfigurationError(
                f"shard {shard + 1}: its process ended {times} times ({how}); expected enough "
                "memory for all processes. Try fewer --processes"
            )

    def end(self) -> None:
        """Ends all processes. Those with a shard are killed."""
        for connection, process in self._processes.items():
            if connection in self._shard:
                process.kill()
            try:
                connection.send(None)
            except OSError:
                # It is dead already.
                pass
            connection.close()
        for process in self._processes.values():
            process.join()


def _serve(open_worker: Callable[[int], Work], device: int, connection: Connection) -> None:
    """Labels shards until the parent sends `None` or dies."""
    begin_worker()
    try:
        work = open_worker(device)
        while (shard := connection.recv()) is not None:
            connection.send(work(shard, connection.send))
    except Exception as error:
        connection.send(_Failure(error, traceback.format_exc()))
