"""Loops over arrays, compiled by Numba."""

import functools
import logging
from typing import Any, Callable

logger = logging.getLogger(__name__)


@functools.cache
def can_compile() -> bool:
    """Whether a Numba that fits the installed NumPy is installed. Warns once if not."""
    try:
        import numba  # noqa: F401
    except ImportError as error:
        logger.warning("Without Numba, dropout is several times slower: %s", error)
        return False
    return True


@functools.cache
def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """
    Compiles a function of plain loops over NumPy arrays. The machine code is kept on disk for later
    processes if possible. Loading it takes some tenths of a second; compiling it, once per machine,
    takes a second or more.

    >>> import numpy as np
    >>> def add_up(values):
    ...     total = 0
    ...     for value in values:
    ...         total += value
    ...     return total
    >>> compiled(add_up)(np.array([1, 2, 3]))
    6

    # Parameters

    function : `Callable`
        Compiled at the first call, for the types of its arguments.
    """
    import numba

    try:
        return numba.njit(cache=True)(function)
    except RuntimeError:
        # Neither the function's folder nor the user's cache is writable.
        return numba.njit(function)
