"""Loops over arrays as machine code, by Numba."""

import functools
import logging
from typing import Any, Callable

logger = logging.getLogger(__name__)


@functools.cache
def can_compile() -> bool:
    """Whether there is a Numba that fits the installed NumPy. If not, it warns once."""
    try:
        import numba  # noqa: F401
    except ImportError as error:
        logger.warning("Without Numba, dropout and decoding are several times slower: %s", error)
        return False
    return True


@functools.cache
def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """
    A function of plain loops over NumPy's arrays as machine code, kept on disk for the next process
    where that is possible. Loading it takes some tenths of a second, and compiling it, once per
    machine, a second or more.

    # Parameters

    function : `Callable`
        It is not called here: it is compiled for the types of its first arguments.
    """
    import numba

    try:
        return numba.njit(cache=True)(function)
    except RuntimeError:
        # Neither the function's folder nor the user's cache can be written to.
        return numba.njit(function)
