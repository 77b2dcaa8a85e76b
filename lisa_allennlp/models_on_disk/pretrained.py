"""The trained models in the package: folders of `lisa export`, whose names select them."""

import os
from pathlib import Path
from typing import List, Literal, Tuple, Union

FOLDER = Path(__file__).parents[1] / "pretrained"

DEFAULT = "english"
"""For `load` and `lisa label`."""

CONFIG_NAME = "config.json"

INFO_NAME = "model.json"

NETWORK_NAME = "network.json"

WEIGHTS_NAME = "weights.safetensors"

GRAPHS_NAME = "graphs"

PRECISIONS: Tuple[Literal["float32", "int8"], ...] = ("float32", "int8")
FLOAT32, INT8 = PRECISIONS

ARCHIVE_SUFFIXES = (".tar.gz", ".tgz")


def names() -> List[str]:
    """The default model comes first."""
    found = sorted(path.parent.name for path in FOLDER.glob(f"*/{INFO_NAME}"))
    return sorted(found, key=lambda name: name != DEFAULT)


def resolve(model: Union[str, os.PathLike]) -> str:
    """
    Returns the path of an archive, training folder or exported folder, or of a model of the package
    by name. Existing paths come first.
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
    """Whether a folder was written by `lisa export`, whole or in part."""
    return any(os.path.isfile(os.path.join(path, name)) for name in (INFO_NAME, WEIGHTS_NAME))


def looks_like_path(text: str) -> bool:
    """Whether a text is a path, existing or not: one word with a slash, or an archive's ending."""
    is_one_word = len(text.split()) == 1
    has_separator = "/" in text or os.sep in text
    return (is_one_word and has_separator) or text.endswith(ARCHIVE_SUFFIXES)
