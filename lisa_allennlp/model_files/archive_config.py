"""
Checks the config of an archive or a training folder, which someone else may have made.

Building from it runs only the code of registered classes, and opening it downloads nothing but what
the name of a Hugging Face model stands for. Unlike the config of an exported folder, it may name
files outside the folder, as it did in training: ELMo's files, a transformer's folder.
"""

from typing import Any, Collection, Dict, List

from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.data.formats.errors import shortened
from lisa_allennlp.model_files.registered_types import not_registered
from lisa_allennlp.model_files.safe_config import (
    ALLENNLP_MODULES,
    ONLY_IN_TRAINING,
    PARTS,
    UNSAFE_KEYS,
    check_string,
    items_of,
    may_be_built,
)

FOR_OPENING = ("dataset_reader", "validation_dataset_reader", "model")
"""The sections from which the model and its readers are built."""

FOR_EVALUATION = ("data_loader", "validation_data_loader", "evaluation")
"""The sections from which `evaluate` builds."""

_BASES = (*PARTS, "allennlp.evaluation")

_MODULES = (
    *ALLENNLP_MODULES,
    "allennlp.data.dataset_readers",
    "allennlp.data.tokenizers.character",
    "allennlp.data.tokenizers.letters",
    "allennlp.data.tokenizers.pretrained",
    "allennlp.data.tokenizers.whitespace",
    "allennlp.evaluation",
    "allennlp.models.basic",
    "allennlp.models.heads",
    "allennlp.models.multitask",
    "allennlp.models.simple",
    "allennlp.modules.backbones.pretrained",
    "allennlp_models",
)
"""AllenNLP's modules whose classes an archive may name: not those that import or install."""


def without_training(value: Any) -> Any:
    """
    A section of a config without the initial values of training, such as word vectors.

    >>> without_training({"tokens": {"pretrained_file": "vectors.txt", "embedding_dim": 100}})
    {'tokens': {'embedding_dim': 100}}
    """
    if isinstance(value, list):
        return [without_training(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {k: without_training(item) for k, item in value.items() if k not in ONLY_IN_TRAINING}


def check_archived(config: Dict[str, Any], source: str, allowed: Collection[str] = ()) -> None:
    """
    >>> reader = {"type": "conll12_srl"}
    >>> check_archived({"dataset_reader": reader, "model": {"type": "os.system"}}, "config.json")
    Traceback (most recent call last):
    ...
    allennlp.common.checks.ConfigurationError: config.json: model.type: found the type 'os.sys...

    # Parameters

    config : `Dict[str, Any]`
    source : `str`
        The name of the file, with which messages begin.
    allowed : `Collection[str]`, optional
        The types and keys that the user trusts.

    # Raises

    `ConfigurationError`
        For the first type, key or value that is not allowed.
    """
    for section in ("dataset_reader", "model"):
        if not isinstance(config.get(section), dict):
            raise ConfigurationError(
                f"{source}: found no section '{section}'; expected the config of a model that "
                "`lisa train` trained"
            )
    # Also in sections that are never used, so that no other program is misled.
    for place, key, value in items_of(config):
        if key == "type" and _is_imported(value) and value not in allowed:
            raise not_registered(f"{source}: {shortened(place)}", value)
    for section in FOR_OPENING + FOR_EVALUATION:
        for full_place, key, value in items_of(without_training({section: config.get(section)})):
            place = f"{source}: {shortened(full_place)}"
            _check_entry(key, value, place, allowed)
            if section in FOR_EVALUATION and isinstance(value, str) and value not in allowed:
                # No file belongs here, and AllenNLP would import a dotted name.
                check_string("", value, place)


def _is_imported(value: Any) -> bool:
    """Whether AllenNLP would import a class of this name."""
    return isinstance(value, str) and "." in value and not _registered_for(value)


def _registered_for(name: str) -> List[type]:
    return [base for base, classes in Registrable._registry.items() if name in classes]


def _check_entry(key: str, value: Any, place: str, allowed: Collection[str]) -> None:
    if key in UNSAFE_KEYS and key not in allowed:
        raise ConfigurationError(
            f"{place}: found this key, with which other files are opened or other code is run; "
            f"expected none. If you trust the model: --allow-type {key}"
        )
    if key == "type":
        _check_type(value, place, allowed)
    elif isinstance(value, str) and "://" in value:
        raise ConfigurationError(
            f"{place}: found {shortened(repr(value))}; expected no address, since opening a model "
            "downloads nothing. Name a file of your own with --overrides"
        )


def _check_type(value: Any, place: str, allowed: Collection[str]) -> None:
    if not isinstance(value, str):
        raise ConfigurationError(
            f"{place}: found {shortened(repr(value))}; expected the name of a class"
        )
    if value in allowed or may_be_built(value, _BASES, _MODULES):
        return
    bases = _registered_for(value)
    if not bases:
        raise ConfigurationError(
            f"{place}: found the type {shortened(repr(value))}; expected the name of a registered "
            "class. Classes of other packages are registered by --include-package"
        )
    if all(base.__module__.startswith(("allennlp", "lisa_allennlp")) for base in bases):
        raise ConfigurationError(
            f"{place}: found the type {value!r}; expected a class that opens no other files and "
            f"runs no other code. If you trust the model: --allow-type {value}"
        )
