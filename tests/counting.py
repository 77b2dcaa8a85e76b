"""Counts the work that a call does, for tests of how it grows, which no busy machine disturbs."""

import sys
from typing import Any, Callable


def num_calls(function: Callable[[], object]) -> int:
    """How many functions, of Python or C, a call calls from Python."""
    count = 0

    def note(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(before)
    return count
