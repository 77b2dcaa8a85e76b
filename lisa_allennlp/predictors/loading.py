"""Opens a trained AllenNLP model as the engine of a labeller."""

import inspect
from typing import Any, Dict, Iterable, Optional, Tuple, Type, Union

import torch
from allennlp.common.params import parse_overrides
from allennlp.data import DatasetReader
from allennlp.models import Model

from lisa_allennlp.common.configs import archived_config
from lisa_allennlp.common.devices import check_device
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.json_options import json_object
from lisa_allennlp.model_files.opening import open_archive
from lisa_allennlp.models.sentence_model import SentenceModel
from lisa_allennlp.nn.precision import check_precision
from lisa_allennlp.predictors.engines import (
    AllennlpEngine,
    LisaEngine,
    ParserEngine,
    SupertaggerEngine,
)

ENGINES: Dict[str, Type[AllennlpEngine]] = {
    "lisa": LisaEngine,
    "conllu_parses": ParserEngine,
    "ccg_supertagger": SupertaggerEngine,
}
"""The engines by the `default_predictor` of their models."""


def open_engine(
    path: str,
    device: Union[str, int] = -1,
    precision: Optional[str] = None,
    max_tokens: int = 2000,
    overrides: Union[str, Dict[str, Any]] = "",
    weights_file: Optional[str] = None,
    dataset_reader: Optional[str] = None,
    allow_types: Iterable[str] = (),
) -> Tuple[str, AllennlpEngine]:
    """
    # Parameters

    path : `str`
        A `model.tar.gz`, a training folder or an exported folder.
    device, precision, max_tokens, overrides, weights_file, dataset_reader, allow_types :
        As for `lisa_allennlp.labelling.loading.load_labeller`.

    # Returns

    `Tuple[str, AllennlpEngine]`
        The model's `default_predictor`, and its engine.

    # Raises

    `ConfigurationError`
        If there is no model of this package or an option is invalid.
    """
    # Registers the classes that the model's config names.
    import lisa_allennlp.plugin  # noqa: F401

    cuda_device = _cuda_device(device)
    check_device("device", cuda_device)
    changes = _changes(overrides)
    if precision is not None:
        check_precision(precision)
        _check_has_precision(path, allow_types)
        changes["model.precision"] = precision
    archive = open_archive(path, cuda_device, changes, weights_file, allow_types)
    readers = {
        "train": archive.dataset_reader,
        "validation": archive.validation_dataset_reader,
    }
    if dataset_reader is None:
        dataset_reader = "validation"
    if dataset_reader not in tuple(readers):
        raise ConfigurationError(
            f"dataset_reader is {dataset_reader!r}; expected 'train' or 'validation'"
        )
    model = archive.model.eval()
    engine = make_engine(model, readers[dataset_reader], max_tokens, path)
    return str(model.default_predictor), engine


def make_engine(
    model: Model, dataset_reader: DatasetReader, max_tokens: int = 2000, source: str = "the model"
) -> AllennlpEngine:
    """
    The engine of a model.

    # Raises

    `ConfigurationError`
        If it is no model of this package.
    """
    name = model.default_predictor
    if name not in ENGINES or not isinstance(model, SentenceModel):
        raise ConfigurationError(
            f"{source}: found a {type(model).__name__}; expected a model of this package, for the "
            f"predictor {' or '.join(sorted(ENGINES))}"
        )
    return ENGINES[name](model, dataset_reader, max_tokens)


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


def _check_has_precision(path: str, allow_types: Iterable[str]) -> None:
    name = archived_config(path, allow_types)["model"]["type"]
    model_class, constructor = Model.resolve_class_name(name)
    build = getattr(model_class, constructor) if constructor else model_class
    if "precision" not in inspect.signature(build).parameters:
        raise ConfigurationError(
            f"precision: {path} has a model of type '{name}'; expected one with this option, such "
            "as 'lisa'"
        )
