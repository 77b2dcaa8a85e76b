"""
Opens trained models: archives, training folders and exported folders.

Before, it checks that the config of someone else's model names registered classes only, and no
files. AllenNLP imports a `type` with dots in it as the path of a class, and takes a string in place
of any object, which is its `type`. Some of AllenNLP's classes download or open something when they
are built, so only those are allowed that do not. Classes of other packages all are, since a package
is only loaded if the user says so.
"""

import copy
import json
import os
import re
from pathlib import Path
from typing import Any, Collection, Dict, Iterable, Mapping, Optional, Set, Union

from allennlp.common import Params, Registrable
from allennlp.common.params import parse_overrides, remove_keys_from_params, with_overrides
from allennlp.models.archival import Archive, load_archive

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.models_on_disk import pretrained
from lisa_allennlp.models_on_disk.archives.stored_files import FILE_KEYS, file_keys, files_of
from lisa_allennlp.models_on_disk.model_folder import (
    model_folder,
    opening,
    read_config,
    stored_path,
)
from lisa_allennlp.models_on_disk.pretrained import CONFIG_NAME

SECTIONS = ("data_loader", "dataset_reader", "model", "validation_dataset_reader", "vocabulary")

_CHECKED = (*SECTIONS, "evaluation", "validation_data_loader")

_INITIAL_VALUES = ["initializer", "override_weights_file", "pretrained_file"]

_PARTS = tuple(f"allennlp.{name}" for name in ("data", "evaluation", "models", "modules", "nn"))
"""AllenNLP's modules with base classes of the parts of readers and models."""

_MODULES = (
    "allennlp.data.data_loaders.multiprocess",
    "allennlp.data.data_loaders.simple",
    "allennlp.data.samplers",
    "allennlp.data.token_indexers",
    "allennlp.evaluation",
    "allennlp.modules.attention",
    "allennlp.modules.feedforward",
    "allennlp.modules.matrix_attention",
    "allennlp.modules.seq2seq_encoders",
    "allennlp.modules.seq2vec_encoders",
    "allennlp.modules.text_field_embedders",
    "allennlp.modules.token_embedders",
    "allennlp.nn.activations",
    "allennlp.nn.regularizers",
)

_THAT_DOWNLOAD = re.compile("bert_pooler|pretrained_transformer|spacy")
"""Forbidden classes in these modules."""

_FILE_OR_DOTTED_NAME = re.compile(r"[/\\]|^~|^[^.]+\.")


def open_archive(
    archive_file: Union[str, os.PathLike],
    cuda_device: int = -1,
    overrides: Union[str, Dict[str, Any]] = "",
    weights_file: Optional[str] = None,
    allow_types: Iterable[str] = (),
) -> Archive:
    """
    Opens a model that someone else may have made. AllenNLP's `load_archive` opens it after checks.
    A model that cannot be opened, or is not safe to open, is a `ConfigurationError`.

    Nothing but registered classes is built, nothing is unpickled but tensors, nothing is
    downloaded, no file outside the model is read, and nothing is written outside a temporary
    folder. docs/reliability.md says what is promised.

    # Parameters

    overrides : `Union[str, Dict[str, Any]]`, optional
        Overrides of the model's config, which are trusted: they come from the user.
    weights_file : `str`, optional (default = the model's own)
        A file of other weights. Not for exported folders.
    allow_types : `Iterable[str]`, optional
        The dotted names of classes that the model's config may name although they are not
        registered. They are imported.
    """
    changes = dict(parse_overrides(overrides) if isinstance(overrides, str) else overrides)
    path = pretrained.resolve(archive_file)
    with opening(os.fspath(archive_file)), model_folder(path) as folder:
        overridden = " with overrides" * bool(changes)
        source = f"{archive_file}: {CONFIG_NAME}{overridden}"
        archived = read_config(str(folder))
        if "validation_dataset_reader" in archived:
            # The reader of a training with max_instances, which is otherwise the same.
            of_reader = {k: v for k, v in changes.items() if k.startswith("dataset_reader")}
            changes = {**{f"validation_{key}": v for key, v in of_reader.items()}, **changes}
        config = override(archived, changes, source)
        trusted = strings_of(changes)
        check_types(config, source, frozenset(allow_types) | trusted)
        _check_stored(config, folder, trusted, source)
        if weights_file is not None and pretrained.is_exported(str(folder)):
            raise ConfigurationError(
                f"{archive_file}: found the weights file {weights_file}; expected none for an "
                "exported model"
            )
        with opening(f"{archive_file}{overridden}"):
            return load_archive(folder, cuda_device, changes, weights_file)


def _check_stored(config: Any, folder: Path, trusted: Set[str], source: str) -> None:
    found = {
        place: owner[key]
        for place, owner, key in files_of(config)
        if stored_path(owner[key], folder) is None and owner[key] not in trusted
    }
    if found:
        named = ", ".join(f"{place:.99}: found {name!r:.99}" for place, name in found.items())
        cure = json.dumps(dict.fromkeys(found, "FILE"))
        raise ConfigurationError(
            f"{source}: {named}, not stored in the model; expected a model that has its files. "
            f"Store yours: lisa export MODEL FOLDER --license TEXT --overrides '{cure:.999}'"
        )


def archived_config(
    archive_file: Union[str, os.PathLike], allow_types: Iterable[str] = ()
) -> Dict[str, Any]:
    """Returns a model's config, checked as by `open_archive`."""
    config = read_config(pretrained.resolve(archive_file))
    check_types(config, f"{archive_file}: {CONFIG_NAME}", frozenset(allow_types))
    return config


def override(config: Dict[str, Any], overrides: Mapping[str, Any], source: str) -> Dict[str, Any]:
    """Returns a config with new values, by dotted key. Errors begin with `source`."""
    try:
        return with_overrides(config, dict(overrides))
    except ValueError as error:
        raise ConfigurationError(f"{source}: {error}") from error


def strings_of(config: Any) -> Set[str]:
    if isinstance(config, str):
        return {config}
    items = config.values() if isinstance(config, Mapping) else config
    return set().union(*map(strings_of, items)) if isinstance(config, (Mapping, list)) else set()


def without_initial_values(model: Dict[str, Any]) -> Dict[str, Any]:
    params = Params(copy.deepcopy(model))
    remove_keys_from_params(params, _INITIAL_VALUES)
    return params.as_dict(quiet=True)


def check_types(config: Mapping[str, Any], source: str, allowed: Collection[str] = ()) -> None:
    """
    Checks a model's config from the file `source`. The user trusts the types and strings in
    `allowed`. Files of `FILE_KEYS` are checked when they are opened.
    """
    for section in ("dataset_reader", "model"):
        if not isinstance(config.get(section), dict):
            raise ConfigurationError(
                f"{source}: found no section '{section}'; expected the config of a model that "
                "`lisa train` trained"
            )
    used = {section: config.get(section) for section in _CHECKED}
    used["model"] = without_initial_values(config["model"])
    # The words of a model are in its vocabulary's files.
    vocabulary = used["vocabulary"]
    used["vocabulary"] = vocabulary.get("type") if isinstance(vocabulary, dict) else vocabulary
    for section, value in used.items():
        _check(value, section, source, allowed)


def _check(value: Any, place: str, source: str, allowed: Collection[str]) -> None:
    if isinstance(value, list):
        for number, item in enumerate(value):
            _check(item, f"{place}.{number}", source, allowed)
    elif isinstance(value, dict):
        files = file_keys(value)
        for key in files:
            if not isinstance(value.get(key), str):
                raise _refused(value.get(key), f"{place}.{key}", source, "a file of the model")
        for key, item in value.items():
            inner = f"{place}.{key}"
            if key == "_pretrained":
                raise _refused(item, inner, source, "no such key, which opens another model")
            if key == "type" and not (isinstance(item, str) and _may_be_built(item, allowed)):
                raise _refused(item, inner, source, "a registered class that opens no files")
            if key == "regexes" and isinstance(item, list):
                # The names of weights have dots.
                item = [pair[1:] if isinstance(pair, list) else pair for pair in item]
            if key != "type" and key not in files:
                _check(item, inner, source, allowed)
    elif isinstance(value, str) and value not in allowed:
        if value in FILE_KEYS or _FILE_OR_DOTTED_NAME.search(value):
            raise _refused(value, place, source, "no path, address or dotted name")


def _may_be_built(name: str, allowed: Collection[str]) -> bool:
    modules = [
        classes[name][0].__module__
        for base, classes in Registrable._registry.items()
        if name in classes and base.__module__.startswith((*_PARTS, "lisa_allennlp"))
    ]
    theirs = [module for module in modules if module.startswith("allennlp")]
    is_known = all(m.startswith(_MODULES) and not _THAT_DOWNLOAD.search(m) for m in theirs)
    return name in allowed or (bool(modules) and is_known)


def _refused(value: Any, place: str, source: str, expected: str) -> ConfigurationError:
    advice = ""
    is_type = place.endswith(".type") and isinstance(value, str) and "." not in value
    if is_type and not any(value in classes for classes in Registrable._registry.values()):
        advice = ". A class of your own: --include-package PACKAGE, or import the package first"
    elif value:
        advice = f". If you trust the model: --allow-type {str(value):.99}, or "
        advice += f"load(..., allow_types=[{value!r:.99}])"
    return ConfigurationError(
        f"{source}: {place:.99}: found {value!r:.99}; expected {expected}{advice}"
    )
