"""
Opens folders that `lisa export` wrote. Nothing in them is a pickle, only registered classes are
built, and nothing is downloaded.
"""

import os
from pathlib import Path
from typing import Any, Mapping, Union

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.params import parse_overrides
from allennlp.models.archival import Archive

from lisa_allennlp.common.configs import override
from lisa_allennlp.model_files.building import (
    build_model,
    build_readers,
    load_weights,
    unfit_files_reported,
)
from lisa_allennlp.model_files.model_info import read_info
from lisa_allennlp.model_files.registered_types import registered_types_only, strings_of
from lisa_allennlp.model_files.safe_config import CONFIG_NAME, read_config
from lisa_allennlp.model_files.stored_files import path_in_folder
from lisa_allennlp.model_files.vocabulary_files import read_vocabulary
from lisa_allennlp.model_files.weight_files import read_weights
from lisa_allennlp.models.sentence_model import SentenceModel
from lisa_allennlp.pretrained import WEIGHTS_NAME


def open_exported(
    folder: Union[str, os.PathLike],
    cuda_device: int = -1,
    overrides: Union[str, Mapping[str, Any]] = "",
) -> Archive:
    """
    >>> open_exported("fixtures")
    Traceback (most recent call last):
    ...
    allennlp.common.checks.ConfigurationError: fixtures/model.json: found no such file; ...

    # Parameters

    folder : `Union[str, PathLike]`
    cuda_device : `int`, optional (default = `-1`)
        The number of a GPU; -1 is the CPU.
    overrides : `Union[str, Mapping[str, Any]]`, optional
        Overrides of the config, which are trusted: they come from the user.

    # Raises

    `ConfigurationError`
        If a file is missing, damaged or unsafe, or the files do not belong together. The message
        names the file.
    """
    path = Path(folder)
    info = read_info(path)
    changes = parse_overrides(overrides) if isinstance(overrides, str) else overrides
    config = override(read_config(path), changes, str(path / CONFIG_NAME))
    source = str(path / CONFIG_NAME) + (" with overrides" if changes else "")
    with registered_types_only(source, strings_of(changes)), unfit_files_reported(source):
        found = _with_paths(config, path)
        readers = build_readers(found, path)
        vocab = read_vocabulary(path, info.vocabulary, found.get("vocabulary"))
        model = build_model(found, vocab, path)
    if not isinstance(model, SentenceModel):
        raise ConfigurationError(
            f"{path / CONFIG_NAME}: found a {type(model).__name__}; expected a model of this "
            "package"
        )
    weights = read_weights(path, info.sha256)
    load_weights(model, weights, str(path / WEIGHTS_NAME), bool(changes))
    if cuda_device >= 0:
        model.cuda(cuda_device)
    return Archive(model, Params(found), readers[0], readers[1], None)


def _with_paths(value: Any, folder: Path) -> Any:
    """The config, with the full paths of the files of the folder."""
    if isinstance(value, dict):
        return {key: _with_paths(item, folder) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_paths(item, folder) for item in value]
    if not isinstance(value, str) or not value.startswith("./"):
        return value
    return path_in_folder(value, folder, str(folder / CONFIG_NAME))
