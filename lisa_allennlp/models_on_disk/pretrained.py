"""
The trained models that come with the package. Each folder of `pretrained/` is one, in the format of
`lisa export`; its name selects it wherever a model is expected.
"""

import os
from pathlib import Path
from typing import List, Literal, Tuple, Union

FOLDER = Path(__file__).parents[1] / "pretrained"

DEFAULT = "english"
"""The model that `load` and `lisa label` use if none is given."""

CONFIG_NAME = "config.json"
"""The file with a model's config."""

INFO_NAME = "model.json"
"""The file that describes an exported model."""

NETWORK_NAME = "network.json"
"""The file with the inputs of a model's graphs and the decoding of their scores."""

WEIGHTS_NAME = "weights.safetensors"
"""The file with an exported model's weights."""

GRAPHS_NAME = "graphs"
"""The folder of the graphs in that of their model, with a folder per precision."""

PRECISIONS: Tuple[Literal["float32", "int8"], ...] = ("float32", "int8")
FLOAT32, INT8 = PRECISIONS

ARCHIVE_SUFFIXES = (".tar.gz", ".tgz")


def names() -> List[str]:
    """Returns the names of the models in the package, the default one first."""
    found = sorted(path.parent.name for path in FOLDER.glob(f"*/{INFO_NAME}"))
    return sorted(found, key=lambda name: name != DEFAULT)


def resolve(model: Union[str, os.PathLike]) -> str:
    """
    Returns the path of a model: a `model.tar.gz`, a training folder or an exported folder, or a
    model of the package by its name. What exists as a path comes first.
    """
    path = os.fspath(model)
    if is_model_file(path):
        return path
    if path in names():
        return str(FOLDER / path)
    if os.path.exists(path) or (looks_like_path(path) and "://" not in path):
        # Whoever opens it says what is wrong with it.
        return path
    from lisa_allennlp.common.errors import ConfigurationError

    raise ConfigurationError(
        f"found no file, folder or model of the package named '{path}'; expected the path of a "
        f"model, or one of the models in the package: {', '.join(names()) or '(none)'}"
    )


def is_model_file(path: str) -> bool:
    return os.path.isfile(path) or os.path.isfile(os.path.join(path, CONFIG_NAME))


def is_exported(path: str) -> bool:
    """Says whether a path is a folder that `lisa export` wrote, whole or in part."""
    return any(os.path.isfile(os.path.join(path, name)) for name in (INFO_NAME, WEIGHTS_NAME))


def looks_like_path(text: str) -> bool:
    """
    Says whether a text must be a path, even if no such file exists: it is one word with a slash, or
    has the ending of an archive.
    """
    is_one_word = len(text.split()) == 1
    has_separator = "/" in text or os.sep in text
    return (is_one_word and has_separator) or text.endswith(ARCHIVE_SUFFIXES)
