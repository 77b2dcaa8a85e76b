"""Builds models from checked configs, and loads their weights."""

import re
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator, List, Mapping, Sequence

import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Vocabulary
from allennlp.models import Model

from lisa_allennlp.model_files.safe_config import CONFIG_NAME
from lisa_allennlp.models.archive_format import ArchiveFormat

_UNFIT = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What constructors raise for a config that does not fit them."""


@contextmanager
def unfit_files_reported(source: str) -> Iterator[None]:
    """
    Turns whatever is raised while a model is built from someone else's files into one line.

    >>> with unfit_files_reported("model.tar.gz: config.json"):
    ...     {}["num_layers"]
    Traceback (most recent call last):
    ...
    allennlp.common.checks.ConfigurationError: model.tar.gz: config.json: no model can be built ...

    # Parameters

    source : `str`
        The name of the file or folder, with which the message begins.
    """
    try:
        yield
    except ConfigurationError as error:
        if error.message.startswith(source.partition(": ")[0]):
            raise
        raise ConfigurationError(f"{source}: {error.message}") from error
    except _UNFIT as error:
        reason = " ".join(str(error).split())[:200]
        raise ConfigurationError(
            f"{source}: no model can be built from it ({type(error).__name__}: {reason}); expected "
            "what this version writes"
        ) from error


def build_readers(config: Mapping[str, Any], folder: Path) -> List[DatasetReader]:
    """
    # Parameters

    config : `Mapping[str, Any]`
    folder : `Path`
        The folder of the model.

    # Returns

    `List[DatasetReader]`
        The readers for training and for validation.
    """
    return [
        DatasetReader.from_params(
            Params(config.get(key) or config["dataset_reader"]).duplicate(),
            serialization_dir=str(folder),
        )
        for key in ("dataset_reader", "validation_dataset_reader")
    ]


def build_model(config: Mapping[str, Any], vocab: Vocabulary, folder: Path) -> Model:
    """
    # Parameters

    config : `Mapping[str, Any]`
    vocab : `Vocabulary`
    folder : `Path`
        The folder of the model.

    # Returns

    `Model`
        With weights at random.
    """
    params = Params(config["model"]).duplicate()
    return Model.from_params(params, vocab=vocab, serialization_dir=str(folder))


@torch.no_grad()
def load_weights(
    model: Model, weights: Mapping[str, torch.Tensor], source: str, overridden: bool = False
) -> None:
    """
    # Parameters

    model : `Model`
    weights : `Mapping[str, Tensor]`
    source : `str`
        The name of the file of the weights, with which messages begin.
    overridden : `bool`, optional (default = `False`)
        Whether the user has overridden the model's config.

    # Raises

    `ConfigurationError`
        If the weights are not those of the model. The message names the first such weight.
    """
    places = model.state_dict()
    expected = f"the network of {CONFIG_NAME}"
    if overridden:
        expected += " with the overrides (-o), which are probably the cause"
    try:
        _check_format(model, weights)
        for name, weight in weights.items():
            if name in places and places[name].shape != weight.shape:
                raise ConfigurationError(
                    f"found the weight {name} of shape {_shape(weight)}; expected "
                    f"{_shape(places[name])}, the shape in {expected}"
                )
        missing, unexpected = model.load_state_dict(dict(weights), strict=False)
    except ConfigurationError as error:
        raise ConfigurationError(f"{source}: {error.message}") from error
    except (RuntimeError, TypeError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ConfigurationError(
            f"{source}: found weights that cannot be used ({reason}); expected those of {expected}"
        ) from error
    missing = _without_authorized(model, missing)
    for names, found in ((missing, "no weight"), (unexpected, "the unknown weight")):
        if names:
            shape = _shape((weights if names is unexpected else places)[names[0]])
            raise ConfigurationError(
                f"{source}: found {found} {names[0]} (of shape {shape}); expected the weights of "
                f"{expected}"
            )


def _check_format(model: Model, weights: Mapping[str, torch.Tensor]) -> None:
    """Another archive format explains all other differences, so it is checked first."""
    for prefix, module in model.named_children():
        if isinstance(module, ArchiveFormat):
            key = f"{prefix}.number"
            module.load_state_dict({"number": weights[key]} if key in weights else {}, strict=False)


def _shape(tensor: torch.Tensor) -> str:
    return "x".join(map(str, tensor.shape)) or "()"


def _without_authorized(model: Model, missing: Sequence[str]) -> List[str]:
    """Without the weights that modules declare as `authorized_missing_keys`, as AllenNLP does."""
    patterns = [
        (f"{name}." if name else "", pattern)
        for name, module in model.named_modules()
        for pattern in getattr(module, "authorized_missing_keys", None) or []
    ]
    return [
        name
        for name in missing
        if not any(name.startswith(start) and re.search(p, name) for start, p in patterns)
    ]
