"""
The classes that `lisa` registers: those of AllenNLP, of this package and of plug-ins.

>>> "lisa_allennlp.plugin" in set(plugins())
True
"""

import importlib
import warnings
from pathlib import Path
from typing import Iterator

from lisa_allennlp.common.importing import import_all

CHECKOUT = Path(__file__).resolve().parents[2]
"""The checkout of the project, if the package is imported from one."""

_NOT_NEEDED = (
    "allennlp.sanity_checks",
    "allennlp.tools",
    # Needs the package checklist.
    "allennlp.confidence_checks.task_checklists",
)
"""Modules of AllenNLP that `load_classes` leaves out."""


def load_classes() -> None:
    """Loads everything that AllenNLP's `import_plugins` loads, except allennlp-models."""
    import_all("allennlp", exclude=_NOT_NEEDED)
    importlib.import_module("lisa_allennlp.plugin")
    # One by one: the path of a plug-in is there only while it is the current one.
    for plugin in plugins():
        importlib.import_module(plugin)


def plugins() -> Iterator[str]:
    """The plug-ins that AllenNLP finds in the current folder, and those of the checkout."""
    from allennlp.common.plugins import (
        LOCAL_PLUGINS_FILENAME,
        discover_file_plugins,
        discover_plugins,
    )
    from allennlp.common.util import push_python_path

    yield from discover_plugins()
    if (CHECKOUT / LOCAL_PLUGINS_FILENAME).is_file():
        with push_python_path(CHECKOUT):
            yield from discover_file_plugins(str(CHECKOUT / LOCAL_PLUGINS_FILENAME))


def silence_libraries() -> None:
    """Hides libraries' warnings about the versions of Python and setuptools and about AllenNLP."""
    warnings.filterwarnings("ignore", category=FutureWarning, module=r"google\.")
    warnings.filterwarnings("ignore", message="pkg_resources is deprecated")
    warnings.filterwarnings("ignore", category=FutureWarning, message=r"`torch\.cuda\.amp\.")
