"""Loops over arrays as machine code, by Numba."""

import functools
import logging
from typing import Any, Callable, Optional

logger = logging.getLogger(__name__)


@functools.cache
def compiled(function: Callable[..., Any]) -> Optional[Callable[..., Any]]:
    """
    A function of plain loops over NumPy's arrays as machine code, kept on disk for the next process
    where that is possible. Loading it takes some tenths of a second, and compiling it, once on a
    machine, a second or more.

    # Parameters

    function : `Callable`
        It is not called here: it is compiled for the types of its first arguments.

    # Returns

    `Optional[Callable]`
        `None` without a Numba that fits the installed NumPy.
    """
    try:
        import numba
    except ImportError as error:
        logger.warning("Without Numba %s is several times slower: %s", function.__name__, error)
        return None
    try:
        return numba.njit(cache=True)(function)
    except RuntimeError:
        # Neither the function's folder nor the user's cache can be written to.
        return numba.njit(function)
