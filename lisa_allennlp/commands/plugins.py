"""Loads AllenNLP, the package's classes and plug-ins, for the commands that need AllenNLP."""

import importlib
import warnings
from typing import Sequence

from lisa_allennlp.common.importing import import_all, import_packages

_NOT_NEEDED = (
    "allennlp.sanity_checks",
    "allennlp.tools",
    # Needs the package checklist.
    "allennlp.confidence_checks.task_checklists",
)


def load_classes() -> None:
    """
    Loads what AllenNLP's `import_plugins` loads, except allennlp-models: AllenNLP, this package,
    and the plug-ins that the current folder and the home folder name.
    """
    import_all("allennlp", exclude=_NOT_NEEDED)
    importlib.import_module("lisa_allennlp.plugin")
    from allennlp.common.plugins import discover_plugins

    # One by one: the path of a plug-in is there only while it is the current one.
    for plugin in discover_plugins():
        importlib.import_module(plugin)


def load_allennlp(packages: Sequence[str] = ()) -> None:
    """Prepares a command that needs AllenNLP, with the classes of `--include-package`."""
    _prepare()
    load_classes()
    import_packages(packages)


def _prepare() -> None:
    """Hides libraries' warnings, and ends on SIGTERM as AllenNLP does."""
    warnings.filterwarnings("ignore", category=FutureWarning, module=r"google\.")
    warnings.filterwarnings("ignore", message="pkg_resources is deprecated")
    warnings.filterwarnings("ignore", category=FutureWarning, message=r"`torch\.cuda\.amp\.")
    from allennlp.common.util import install_sigterm_handler

    install_sigterm_handler()
