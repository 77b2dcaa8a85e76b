"""Work that is shared by processes with a core each."""

import gc
import multiprocessing
import signal
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Callable, Deque, Generator, Iterable, Iterator, Optional, TypeVar

import torch
from allennlp.common.checks import ConfigurationError

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 2
"""How many items a process may be ahead of the results that have been taken."""

_function: Optional[Callable[[Any], Any]] = None
"""What a process was forked for."""


def map_in_processes(
    function: Callable[[Item], Result], items: Iterable[Item], num_processes: int
) -> Generator[Result, None, None]:
    """
    Like `map`, with the results in the items' order, in forked processes. They share what is in
    memory when the first result is asked for, and compute with one thread each: threads of PyTorch
    cannot go on in a fork.

    # Parameters

    function : `Callable[[Item], Result]`
        Whatever it refers to is not copied: only items and results have to be picklable.
    items : `Iterable[Item]`
        Read here, a few ahead of the results.
    num_processes : `int`
        With 1, the function is called here, with all threads.

    # Raises

    `ConfigurationError`
        If the system cannot fork, or a process ends before its work.
    Whatever function and items raise, after the results of all items before it.
    """
    if num_processes == 1:
        yield from map(function, items)
        return
    if "fork" not in multiprocessing.get_all_start_methods():
        raise ConfigurationError(f"found {num_processes} processes; expected 1: cannot fork here")
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(num_processes, context, _begin, (function,)) as executor:
        try:
            yield from _in_order(_submit(executor, items), AHEAD * num_processes)
        except BrokenProcessPool as error:
            raise ConfigurationError(
                f"one of {num_processes} processes ended before its work; expected memory for all "
                "of them: try fewer"
            ) from error
        finally:
            executor.shutdown(wait=False, cancel_futures=True)


def _begin(function: Callable[[Any], Any]) -> None:
    global _function
    _function = function
    torch.set_num_threads(1)
    # Of what is shared with other processes nothing is garbage, and looking would copy it.
    gc.freeze()
    # An interrupt is for the process that waits for this one. That process may end this one, and
    # AllenNLP's handler would answer it with an exception, as if from the function.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _call(item: Any) -> Any:
    assert _function is not None
    return _function(item)


def _submit(executor: ProcessPoolExecutor, items: Iterable[Any]) -> Iterator["Future[Any]"]:
    """The results to come. An error in reading items comes last, in its turn."""
    try:
        for item in items:
            yield executor.submit(_call, item)
    except Exception as error:
        failed: Future = Future()
        failed.set_exception(error)
        yield failed


def _in_order(futures: Iterator["Future[Any]"], ahead: int) -> Iterator[Any]:
    pending: Deque[Future] = deque()
    for future in futures:
        pending.append(future)
        if len(pending) > ahead:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()
