"""Counts the work that a call does, for tests of how it grows, which no busy machine disturbs."""

import sys
from typing import Any, Callable

from torch.utils._python_dispatch import TorchDispatchMode


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


def num_operators(function: Callable[[], object]) -> int:
    """How many of PyTorch's operators a call runs."""
    with _Operators() as operators:
        function()
    return operators.count


class _Operators(TorchDispatchMode):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def __torch_dispatch__(self, operator: Any, types: Any, args: Any = (), kwargs: Any = None):
        self.count += 1
        return operator(*args, **(kwargs or {}))
