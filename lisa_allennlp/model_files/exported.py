"""
Opens folders that `lisa export` wrote. Nothing in them is a pickle, only registered classes are
built, and nothing is downloaded.
"""

import os
from pathlib import Path
from typing import Any, Dict, Mapping, Union

import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.params import parse_overrides
from allennlp.data import DatasetReader
from allennlp.models import Model
from allennlp.models.archival import Archive

from lisa_allennlp.common.configs import override
from lisa_allennlp.model_files.model_info import read_info
from lisa_allennlp.model_files.safe_config import CONFIG_NAME, read_config, read_json
from lisa_allennlp.model_files.vocabulary_files import read_vocabulary
from lisa_allennlp.model_files.weight_files import read_weights
from lisa_allennlp.models.archive_format import ArchiveFormatError
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
    found = _with_paths(config, path)
    readers = [
        DatasetReader.from_params(Params(found.get(key) or found["dataset_reader"]).duplicate())
        for key in ("dataset_reader", "validation_dataset_reader")
    ]
    vocab = read_vocabulary(path, info.vocabulary, found.get("vocabulary"))
    model = Model.from_params(Params(found["model"]).duplicate(), vocab=vocab)
    if not isinstance(model, SentenceModel):
        raise ConfigurationError(
            f"{path / CONFIG_NAME}: found a {type(model).__name__}; expected a model of this "
            "package"
        )
    _load_weights(model, read_weights(path, info.sha256), path)
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
    path = (folder / value).resolve()
    if folder.resolve() not in path.parents or not path.exists():
        raise ConfigurationError(
            f"{folder / CONFIG_NAME}: found {value!r}, which is not in the folder; expected all "
            "files that `lisa export` wrote"
        )
    for file in path.glob("*.json"):
        # With this key, transformers would run code of the folder or of the Hub.
        if "auto_map" in read_json(file):
            raise ConfigurationError(f"{file}: auto_map: found this key; expected none")
    return str(path)


@torch.no_grad()
def _load_weights(model: SentenceModel, weights: Dict[str, torch.Tensor], folder: Path) -> None:
    places = model.state_dict()
    for name, weight in weights.items():
        if name in places and places[name].shape != weight.shape:
            shapes = ["x".join(map(str, tensor.shape)) for tensor in (weight, places[name])]
            raise ConfigurationError(
                f"{folder / WEIGHTS_NAME}: found the weight {name} of shape {shapes[0]}; expected "
                f"{shapes[1]}, the shape in the network of {CONFIG_NAME}"
            )
    try:
        missing, unexpected = model.load_state_dict(weights, strict=False)
    except ArchiveFormatError as error:
        raise ConfigurationError(f"{folder / WEIGHTS_NAME}: {error.message}") from error
    for names, found in ((missing, "no weight"), (unexpected, "the unknown weight")):
        if names:
            raise ConfigurationError(
                f"{folder / WEIGHTS_NAME}: found {found} {names[0]}; expected the weights of the "
                f"network in {CONFIG_NAME}"
            )
