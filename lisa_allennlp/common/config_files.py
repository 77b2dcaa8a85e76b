"""
The configs that come with the package, and their names: `lisa_small`, `ccg/bilstm`. They are in the
folder `training_configs` of an installed package or of a checkout, beside the sample corpus in
`fixtures`. Importing this module imports neither PyTorch nor AllenNLP.
"""

import os
from pathlib import Path
from typing import List, Union

from lisa_allennlp.common.errors import ConfigurationError, did_you_mean

_PACKAGE = Path(__file__).resolve().parents[1]
_NAME = "training_configs"
_SUFFIX = ".jsonnet"

FOLDER = next((f for f in (_PACKAGE / _NAME, _PACKAGE.parent / _NAME) if f.is_dir()), None)


def names() -> List[str]:
    """Sorts the configs of LISA, SA and the parser before those in folders."""
    if FOLDER is None:
        return []
    paths = [path.relative_to(FOLDER) for path in FOLDER.rglob(f"*{_SUFFIX}")]
    found = [path.with_suffix("").as_posix() for path in paths if "lib" not in path.parts]
    return sorted(found, key=lambda name: ("/" in name, name))


def resolve(config: Union[str, os.PathLike]) -> str:
    """
    Returns the path of a config. A file comes before a config of the package. An unknown name is a
    `ConfigurationError`.
    """
    path = os.fspath(config)
    if os.path.exists(path):
        return path
    if path in names():
        return _shortened(f"{FOLDER}/{path}{_SUFFIX}")
    if path.endswith((_SUFFIX, ".json")) or "://" in path:
        # An error is reported when the file is opened.
        return path
    raise ConfigurationError(
        f"found no file and no config of the package named '{path}'{did_you_mean(path, names())}; "
        f"expected the path of a config, or one of {', '.join(names())}"
    )


def _shortened(path: str) -> str:
    relative = os.path.relpath(path)
    return path if relative.startswith(os.pardir) else relative
