"""
Checks a config before anything is built from it.

The signatures of constructors are the schema of a config. AllenNLP reads them only when it builds
an object, after it has read the data. A misspelt key is therefore reported late and without its
place. It ends in a `TypeError` if the constructor forwards `**kwargs`, and is ignored if the
constructor drops them. This module checks a config against the same signatures first.
"""

import argparse
import collections.abc
import difflib
import inspect
import json
import os
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Type

import torch
from allennlp.commands.train import TrainModel
from allennlp.common import FromParams, Lazy, Params, Registrable
from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path
from allennlp.common.from_params import infer_method_params, remove_optional
from allennlp.common.params import parse_overrides, with_overrides

from lisa_allennlp import pretrained
from lisa_allennlp.common.experiment_checks import check_experiment, check_input_dim, check_sizes
from lisa_allennlp.common.forwarded_arguments import forwards_only
from lisa_allennlp.common.json_options import json_object
from lisa_allennlp.model_files.archive_config import FOR_OPENING, check_archived
from lisa_allennlp.model_files.registered_types import (
    allowed_types,
    registered_types_only,
    strings_of,
)
from lisa_allennlp.model_files.safe_config import CONFIG_NAME, parse_json, read_config, read_json
from lisa_allennlp.model_files.unpacking import read_member
from lisa_allennlp.pretrained import is_exported

READ_ELSEWHERE = frozenset(
    ["distributed", "evaluation", "include_in_archive", "numpy_seed", "pytorch_seed", "random_seed"]
)
"""Top-level keys that AllenNLP removes before it builds anything."""

_KWARGS_GO_TO_SUPERCLASS = ("allennlp", "allennlp_models", "lisa_allennlp")
"""Packages whose constructors only forward their `**kwargs`."""

_GIVEN_BY_THE_CODE = frozenset(
    ["ddp_accelerator", "local_rank", "model_parameters", "serialization_dir", "vocab"]
)
"""Arguments that AllenNLP passes to constructors. A config may set them, but need not."""

_PRIMITIVES: Dict[Any, Any] = {
    int: ("a whole number", (int,)),
    bool: ("true or false", (bool, int)),
    float: ("a number", (int, float)),
    str: ("a string", (str, os.PathLike)),
}


class Keys(NamedTuple):
    """
    The keys that an object of a config may have.

    # Parameters

    owner : `str`
        The name of the object's class.
    types : `Dict[str, Any]`
        The type annotation of each key.
    are_all : `bool`
        Whether all other keys are wrong.
    """

    owner: str
    types: Dict[str, Any]
    are_all: bool


def check_config(config: Mapping[str, Any], source: str) -> None:
    """
    Checks the names of all keys and types, the values that should be numbers, booleans or strings,
    and whether the sizes of layers fit together. Missing keys and union types are left to AllenNLP.

    >>> check_config({"trainer": {"num_epoch": 3}}, "my.jsonnet")
    Traceback (most recent call last):
    ...
    allennlp.common.checks.ConfigurationError: my.jsonnet: trainer.num_epoch: found a key that ...

    # Parameters

    config : `Mapping[str, Any]`
        The config of an experiment, or some of its top-level keys.
    source : `str`
        The name of the config's file, with which messages begin.

    # Raises

    `ConfigurationError`
        For the first key or value that no constructor accepts. The message has the full path of the
        key.
    """
    own = {key: value for key, value in config.items() if key not in READ_ELSEWHERE}
    _check_object(own, TrainModel, f"{source}: ")


def check_arguments(args: argparse.Namespace) -> None:
    """
    Checks the config that a command reads, with its `--overrides`. For commands that train, also
    checks the files and devices that it names.

    # Parameters

    args : `argparse.Namespace`
        The arguments of the command. `param_path` is the config of an experiment. `archive_file` is
        a trained model, whose config is checked only if there are overrides. Commands with neither
        read no config.

    # Raises

    `ConfigurationError`
        As in `check_config`, and for overrides that do not fit the config.
    """
    is_archive = hasattr(args, "archive_file")
    if not is_archive and not hasattr(args, "param_path"):
        return
    overrides = json_object("--overrides", getattr(args, "overrides", None) or "", parse_overrides)
    if is_archive and not overrides:
        return
    path = args.archive_file if is_archive else args.param_path
    config = archived_config(path) if is_archive else Params.from_file(path).as_dict(quiet=True)
    source = f"{path} with --overrides" if overrides else path
    config = override(config, overrides, source)
    if is_archive:
        config = {key: value for key, value in config.items() if key in FOR_OPENING}
        with registered_types_only(source, allowed_types(strings_of(overrides))):
            check_config(config, source)
    else:
        check_config(config, source)
    if hasattr(args, "serialization_dir"):
        check_experiment(config, source)


def override(config: Dict[str, Any], overrides: Mapping[str, Any], source: str) -> Dict[str, Any]:
    """
    Returns a config with overrides.

    # Parameters

    config : `Dict[str, Any]`
    overrides : `Mapping[str, Any]`
        New values by dotted key.
    source : `str`
        The name of the config's file and of the overrides, with which messages begin.

    # Raises

    `ConfigurationError`
        If the overrides do not fit the config.
    """
    try:
        return with_overrides(config, dict(overrides))
    except ValueError as error:
        raise ConfigurationError(f"{source}: {error}") from error


def archived_config(archive_file: str, allow_types: Iterable[str] = ()) -> Dict[str, Any]:
    """
    Returns the config that a model was trained with, checked as `open_archive` does.

    # Parameters

    archive_file : `str`
        As for `lisa_allennlp.pretrained.resolve`.
    allow_types : `Iterable[str]`, optional
        As for `lisa_allennlp.model_files.opening.open_archive`.

    # Raises

    `ConfigurationError`
        If the archive has no config, or an unsafe one.
    """
    path = cached_path(pretrained.resolve(archive_file))
    if is_exported(path):
        return read_config(path)
    if os.path.isdir(path):
        source = os.path.join(path, CONFIG_NAME)
        config = read_json(Path(source))
    else:
        source = f"{archive_file}: {CONFIG_NAME}"
        # The config is the first file, so reading stops before the weights are unpacked.
        content = read_member(path, CONFIG_NAME)
        if content is None:
            raise ConfigurationError(
                f"{archive_file}: found no {CONFIG_NAME}; expected a model archive"
            )
        config = parse_json(content, source)
    check_archived(config, source, allowed_types(allow_types))
    return config


def _check_object(value: Any, base: Type[Any], place: str) -> None:
    if isinstance(value, str):
        value = {"type": value}
    # A pretrained module is described by its archive, not by the keys of its class.
    if not isinstance(value, Mapping) or "_pretrained" in value:
        return
    value = dict(value)
    given = dict(value)
    chosen, constructor = _chosen_class(value, base, place)
    keys = _keys(chosen, constructor)
    if keys is None:
        return
    for key, item in value.items():
        if key in keys.types:
            _check_value(item, keys.types[key], place + key)
        elif keys.are_all:
            raise _unknown_key(place + key, key, keys)
    check_sizes(given, base, chosen, place.rstrip("."))
    check_input_dim(given, chosen, place.rstrip("."))


def _chosen_class(value: Dict[str, Any], base: Type[Any], place: str) -> Tuple[Any, Optional[str]]:
    """The class that `type` selects and its constructor. Removes `type` from the value."""
    # `list_available` would add a registry for the class.
    registered = Registrable._registry.get(base)
    if registered is None:
        return base, None
    name = value.pop("type", base.default_implementation)
    if isinstance(name, str) and (name in registered or "." in name):
        try:
            return base.resolve_class_name(name)
        except ConfigurationError as error:
            raise ConfigurationError(f"{place}type: {error.message}") from error
    similar = difflib.get_close_matches(str(name), registered, n=1)
    guess = f" (did you mean '{similar[0]}'?)" if similar else ""
    found = "none" if name is None else json.dumps(name)
    raise ConfigurationError(
        f"{place}type: found {found}{guess}; expected one of "
        f"{', '.join(sorted(registered))}, or a class that --include-package loads"
    )


def _keys(chosen: Any, constructor: Optional[str]) -> Optional[Keys]:
    """The keys that an object of a class may have; `None` if unknown."""
    if not _is_built_from_signature(chosen):
        return None
    method = getattr(chosen, constructor) if constructor else chosen.__init__
    if method in (object.__init__, torch.nn.Module.__init__):
        return Keys(chosen.__name__, {}, True)
    types = {
        name: parameter.annotation
        for name, parameter in infer_method_params(chosen, method).items()
        if name != "self" and parameter.kind is not parameter.VAR_KEYWORD
    }
    return Keys(chosen.__name__, types, _takes_no_others(chosen, method))


def _is_built_from_signature(chosen: Any) -> bool:
    from_params = getattr(chosen, "from_params", None)
    return getattr(from_params, "__func__", None) is FromParams.from_params.__func__  # type: ignore


def _takes_no_others(chosen: Type[Any], method: Any) -> bool:
    """Whether a constructor, and those that its `**kwargs` reach, name all their arguments."""
    parameters = inspect.signature(method).parameters.values()
    if not any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return True
    above = next((c for c in chosen.__mro__[1:] if issubclass(c, FromParams)), None)
    is_known = chosen.__module__.partition(".")[0] in _KWARGS_GO_TO_SUPERCLASS
    if not (is_known or (above is chosen.__mro__[1] and forwards_only(method))):
        return False
    return above is not None and _takes_no_others(above, above.__init__)


def _check_value(value: Any, annotation: Any, place: str) -> None:
    annotation = remove_optional(annotation)
    origin = getattr(annotation, "__origin__", None)
    arguments: Sequence[Any] = getattr(annotation, "__args__", ())
    if value is None:
        return
    if annotation in _PRIMITIVES:
        _check_primitive(value, annotation, place)
    elif origin is Lazy:
        _check_value(value, arguments[0], place)
    elif origin in (dict, collections.abc.Mapping) and isinstance(value, Mapping):
        for key, item in value.items():
            _check_value(item, arguments[1], f"{place}.{key}")
    elif origin in (list, set, collections.abc.Iterable, collections.abc.Sequence):
        for number, item in enumerate(_items(value)):
            _check_value(item, arguments[0], f"{place}.{number}")
    elif origin is tuple and Ellipsis not in arguments:
        for number, (item, argument) in enumerate(zip(_items(value), arguments, strict=False)):
            _check_value(item, argument, f"{place}.{number}")
    elif inspect.isclass(annotation) and issubclass(annotation, FromParams):
        _check_object(value, annotation, f"{place}.")


def _items(value: Any) -> Iterable[Any]:
    return value if isinstance(value, (list, tuple)) else ()


def _check_primitive(value: Any, annotation: Any, place: str) -> None:
    expected, types = _PRIMITIVES[annotation]
    is_bool_for_number = annotation is float and isinstance(value, bool)
    if not isinstance(value, types) or is_bool_for_number:
        raise ConfigurationError(f"{place}: found {json.dumps(value)}; expected {expected}")


def _unknown_key(place: str, key: str, keys: Keys) -> ConfigurationError:
    known: List[str] = sorted(keys.types.keys() - _GIVEN_BY_THE_CODE)
    similar = difflib.get_close_matches(key, known, n=1)
    guess = f" (did you mean '{similar[0]}'?)" if similar else ""
    expected = f"one of {', '.join(known)}" if known else "no key"
    return ConfigurationError(
        f"{place}: found a key that {keys.owner} does not take{guess}; expected {expected}"
    )
