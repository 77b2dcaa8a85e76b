"""Opens an archive and returns its labeller."""

import inspect
import os
from typing import Any, Dict, Iterable, Optional, Type, Union

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.params import parse_overrides
from allennlp.models import Model
from allennlp.models.archival import Archive

from lisa_allennlp.common.configs import archived_config
from lisa_allennlp.common.devices import check_device
from lisa_allennlp.common.json_options import json_object
from lisa_allennlp.labelling.labeller import Labeller, make_labeller
from lisa_allennlp.model_files.opening import open_archive
from lisa_allennlp.models.sentence_model import SentenceModel
from lisa_allennlp.nn.precision import check_precision


def load_labeller(
    archive_file: Union[str, os.PathLike],
    precision: Optional[str] = None,
    device: Union[str, int] = -1,
    name: Optional[str] = None,
    overrides: Union[str, Dict[str, Any]] = "",
    weights_file: Optional[str] = None,
    dataset_reader: str = "validation",
    allow_types: Iterable[str] = (),
    **options: Any,
) -> Labeller:
    """
    Loads a trained model of this package.

    # Parameters

    archive_file : `Union[str, PathLike]`
        As for `lisa_allennlp.pretrained.resolve`.
    precision : `str`, optional (default = the config's)
        Precision of the network's matrix products: `float32` or `bfloat16`.
    device : `Union[str, int]`, optional (default = the CPU)
        `cpu`, `cuda`, `cuda:1`, or the number of a GPU; -1 is the CPU.
    name : `str`, optional (default = the model's `default_predictor`)
        The registered name of the labeller.
    overrides : `Union[str, Dict[str, Any]]`, optional
        Overrides of the archived config, as for AllenNLP's commands.
    weights_file : `str`, optional (default = the archive's own)
        A file of other weights.
    dataset_reader : `str`, optional (default = `"validation"`)
        The archive's reader to use, `train` or `validation`.
    allow_types : `Iterable[str]`, optional
        As for `open_archive`.
    **options
        Options of the labeller, such as `parser` or `max_tokens`.

    # Raises

    `ConfigurationError`
        If the archive has no model of this package or an option is invalid.
    """
    if not isinstance(archive_file, (str, os.PathLike)):
        raise ConfigurationError(f"the model is {archive_file!r}; expected a path or a name")
    path = os.fspath(archive_file)
    cuda_device = _cuda_device(device)
    check_device("device", cuda_device)
    changes = _changes(overrides)
    if precision is not None:
        check_precision(precision)
        _check_has_precision(path, allow_types)
        changes["model.precision"] = precision
    archive = open_archive(path, cuda_device, changes, weights_file, allow_types)
    return _labeller(path, archive, name, dataset_reader, options)


def _labeller(
    path: str, archive: Archive, name: Optional[str], reader: str, options: Dict[str, Any]
) -> Labeller:
    model, own = archive.model, archive.model.default_predictor
    if own not in Labeller.list_available() or not isinstance(model, SentenceModel):
        raise ConfigurationError(
            f"{path}: found a {type(model).__name__}; expected a model of this package, for the "
            f"predictor {' or '.join(sorted(Labeller.list_available()))}"
        )
    if name is not None and name not in Labeller.list_available():
        raise ConfigurationError(f"{path}: found no labeller '{name}'; expected '{own}'")
    if name is not None and not issubclass(_labeller_class(name), _labeller_class(own)):
        raise ConfigurationError(
            f"{path}: found a {type(model).__name__} for the predictor '{name}'; expected '{own}'"
        )
    model.eval()
    readers = {
        "train": archive.dataset_reader,
        "validation": archive.validation_dataset_reader,
    }
    if reader not in tuple(readers):
        raise ConfigurationError(f"dataset_reader is {reader!r}; expected 'train' or 'validation'")
    others = ("precision", "device")
    return make_labeller(name or own, model, readers[reader], options, others)


def _labeller_class(name: str) -> Type[Labeller]:
    labeller_class: Any = Labeller.by_name(name)
    return labeller_class


def _cuda_device(device: Union[str, int]) -> int:
    if isinstance(device, int) and not isinstance(device, bool) and device >= -1:
        return device
    try:
        parsed = torch.device(device) if isinstance(device, str) else None
    except RuntimeError:
        parsed = None
    if parsed is None or parsed.type not in ("cpu", "cuda"):
        raise ConfigurationError(
            f"device is {device!r}; expected cpu, cuda, cuda:N or the number of a GPU"
        )
    return -1 if parsed.type == "cpu" else parsed.index or 0


def _changes(overrides: Any) -> Dict[str, Any]:
    if isinstance(overrides, str):
        return json_object("overrides", overrides, parse_overrides)
    if not isinstance(overrides, dict):
        raise ConfigurationError(f"overrides is {overrides!r}; expected a dictionary or JSON")
    return dict(overrides)


def _check_has_precision(archive_file: str, allow_types: Iterable[str]) -> None:
    name = archived_config(archive_file, allow_types)["model"]["type"]
    model_class, constructor = Model.resolve_class_name(name)
    build = getattr(model_class, constructor) if constructor else model_class
    if "precision" not in inspect.signature(build).parameters:
        raise ConfigurationError(
            f"precision: {archive_file} has a model of type '{name}'; expected one with this "
            "option, such as 'lisa'"
        )
