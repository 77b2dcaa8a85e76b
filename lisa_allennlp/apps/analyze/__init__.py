"""
Error analyses of semantic role labelling, on lists of sentences.

- `analysis` has `analyze`, which runs all analyses and returns an `Analysis`.
- `frame_pairs` has the scored frames and the costliest ones; `intervals` the bootstrap.
- `faults` counts frames that PropBank does not have, and objects that no argument covers.
- `corrections` and `breakdowns` have the analyses of LISA's paper and others.
- `plots` draws figures with Matplotlib; `report` makes tables and writes all results to a folder.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lisa_allennlp.apps.analyze.analysis import Analysis, analyze

__all__ = ["Analysis", "analyze"]


def __getattr__(name: str) -> Any:
    """Imports late, so that `lisa analyze --help` does not wait for NumPy."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module("lisa_allennlp.apps.analyze.analysis"), name)
