"""Import paths of the release before, which work in this one."""

import importlib
import warnings
from functools import partial
from typing import Any, Callable


def moved(old: str, new: str) -> Callable[[str], Any]:
    """Warns that a module has moved, and returns a `__getattr__` with the names there."""
    warnings.warn(f"{old} is now {new}", DeprecationWarning, stacklevel=3)
    return partial(getattr, importlib.import_module(new))
