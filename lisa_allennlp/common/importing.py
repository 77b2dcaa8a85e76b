"""Imports packages whole, so that their classes are registered."""

import importlib
import os
import pkgutil
import sys
from typing import Collection, Iterable

from lisa_allennlp.common.errors import ConfigurationError


def import_all(package: str, exclude: Collection[str] = ()) -> None:
    """
    Imports a package with its modules, except private ones, tests and the full names in `exclude`.
    AllenNLP's `import_module_and_submodules` also reads all folders again for each module.
    """
    if package in exclude:
        return
    module = importlib.import_module(package)
    for found in pkgutil.iter_modules(getattr(module, "__path__", [])):
        if not found.name.startswith(("_", "test")):
            import_all(f"{package}.{found.name}", exclude)


def import_packages(names: Iterable[str]) -> None:
    for name in names:
        if os.getcwd() not in sys.path:
            sys.path.append(os.getcwd())
        try:
            import_all(name)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{name}.".startswith(f"{error.name}."):
                raise
            raise ConfigurationError(
                f"--include-package: found no package '{name}'; expected an installed package"
            ) from None
