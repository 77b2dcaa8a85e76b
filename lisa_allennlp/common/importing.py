"""
Imports packages whole, so that their classes are registered.

>>> import_all("lisa_allennlp.pretrained")
"""

import importlib
import pkgutil
from typing import Collection


def import_all(package: str, exclude: Collection[str] = ()) -> None:
    """
    Imports a package and all its modules but private ones and tests, as AllenNLP's
    `import_module_and_submodules` does. For each module, that function also makes Python read all
    folders again, in case files were added, which here only takes time.

    # Parameters

    package : `str`
    exclude : `Collection[str]`, optional (default = none)
        Full names of modules and packages to leave out.
    """
    if package in exclude:
        return
    module = importlib.import_module(package)
    for found in pkgutil.iter_modules(getattr(module, "__path__", [])):
        if not found.name.startswith(("_", "test")):
            import_all(f"{package}.{found.name}", exclude)
