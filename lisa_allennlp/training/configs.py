"""
Checks a config before anything is built from it.

The signatures of constructors are the schema of a config. AllenNLP reads them only when it builds
an object, after it has read the data, and reports a misspelt key without its place, or ignores it.
This module checks a config against the same signatures first.
"""

import collections.abc
import inspect
import json
import os
from typing import Any, Dict, Iterable, Iterator, Mapping, Optional, Sequence, Tuple, Type

import torch
from allennlp.commands.train import TrainModel
from allennlp.common import FromParams, Lazy, Registrable
from allennlp.common.from_params import infer_method_params, remove_optional
from allennlp.data import DatasetReader

from lisa_allennlp.common.errors import ConfigurationError, did_you_mean
from lisa_allennlp.common.option_values import check_device
from lisa_allennlp.models_on_disk.archives import CONFIGURATION_ERRORS

READ_ELSEWHERE = frozenset(
    ["distributed", "evaluation", "include_in_archive", "numpy_seed", "pytorch_seed", "random_seed"]
)

DATA_PATHS = ("train_data_path", "validation_data_path", "test_data_path")

INPUT_FILES = ("pretrained_file", "pretrained_files", "options_file", "weight_file")
"""Keys at any depth whose values are names of files, or objects with such values."""

_KWARGS_GO_TO_SUPERCLASS = ("allennlp", "allennlp_models")
"""Packages whose constructors, like those of subclasses of ours, only forward their `**kwargs`."""

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


def check_config(config: Mapping[str, Any], source: str) -> None:
    """
    Checks the names of all keys and types, and the values that should be numbers, booleans or
    strings. Missing keys and union types are left to AllenNLP. `source` is the name of the file.

    >>> check_config({"trainer": {"num_epoch": 3}}, "my.jsonnet")
    Traceback (most recent call last):
    ...
    lisa_allennlp.common.errors.ConfigurationError: my.jsonnet: trainer.num_epoch: found a key ...
    """
    own = {key: value for key, value in config.items() if key not in READ_ELSEWHERE}
    _check_object(own, TrainModel, f"{source}: ")


def check_experiment(config: Mapping[str, Any], source: str) -> None:
    """Checks a config to train: as `check_config`, and that its files and its GPU exist."""
    check_config(config, source)
    for place, path in missing_files(config):
        raise ConfigurationError(
            f"{source}: {place}: found no file or folder {path}; expected an existing one"
        )
    trainer = config.get("trainer") or {}
    if isinstance(trainer.get("cuda_device"), int):
        check_device(f"{source}: trainer.cuda_device", trainer["cuda_device"])
    if trainer.get("num_epochs", 1) is None or trainer.get("num_epochs", 1) < 1:
        raise ConfigurationError(
            f"{source}: trainer.num_epochs: found {json.dumps(trainer['num_epochs'])}; expected at "
            "least 1"
        )


def missing_files(config: Mapping[str, Any]) -> Iterator[Tuple[str, str]]:
    for place, path in [*_corpus_files(config), *_input_files(config)]:
        # AllenNLP also takes URLs, files inside of archives, and "(archive)#file".
        is_remote = "://" in path or "!" in path or path.startswith("(")
        if not is_remote and not os.path.exists(os.path.expanduser(path)):
            yield place, path


def _corpus_files(config: Mapping[str, Any]) -> Iterator[Tuple[str, str]]:
    reader = config.get("dataset_reader", {})
    name = str(reader.get("type") if isinstance(reader, Mapping) else reader)
    registered, _ = DatasetReader._registry[DatasetReader].get(name, (DatasetReader, None))
    if registered.__module__.startswith("lisa_allennlp."):
        for key in DATA_PATHS:
            if isinstance(config.get(key), Mapping):
                for name, paths in config[key].items():
                    paths = [paths] if isinstance(paths, str) else paths
                    yield from ((f"{key}.{name}", path) for path in paths)
            elif isinstance(config.get(key), str):
                # The supertagger's paths may end in the sections to read, after #.
                yield key, config[key] if os.path.exists(config[key]) else config[key].split("#")[0]


def _input_files(value: Any, place: str = "") -> Iterator[Tuple[str, str]]:
    items = value.items() if isinstance(value, Mapping) else enumerate(_items(value))
    for key, item in items:
        if key in INPUT_FILES:
            files = item if isinstance(item, Mapping) else {"": item}
            for name, path in files.items():
                if isinstance(path, str):
                    yield f"{place}{key}.{name}".rstrip("."), path
        else:
            yield from _input_files(item, f"{place}{key}.")


def _check_object(value: Any, base: Type[Any], place: str) -> None:
    if isinstance(value, str):
        value = {"type": value}
    # A pretrained module is described by its archive, not by the keys of its class.
    if not isinstance(value, Mapping) or "_pretrained" in value:
        return
    chosen, constructor = chosen_class(value, base, place)
    from_params = getattr(chosen, "from_params", None)
    if getattr(from_params, "__func__", None) is not FromParams.from_params.__func__:  # type: ignore
        # A class that reads its config itself.
        return
    method = getattr(chosen, constructor) if constructor else chosen.__init__
    types = annotations(chosen, method)
    for key, item in value.items():
        if key in types:
            _check_value(item, types[key], place + key)
        elif not (key == "type" and base in Registrable._registry) and _takes_no_others(
            chosen, method
        ):
            raise unknown_key(place, key, chosen, types)


def unknown_key(
    place: str, key: str, chosen: Type[Any], types: Mapping[str, Any]
) -> ConfigurationError:
    known = sorted(types.keys() - _GIVEN_BY_THE_CODE)
    expected = f"one of {', '.join(known)}" if known else "no key"
    return ConfigurationError(
        f"{place}{key}: found a key that {chosen.__name__} does not take"
        f"{did_you_mean(key, known)}; expected {expected}"
    )


def chosen_class(
    value: Mapping[str, Any], base: Type[Any], place: str
) -> Tuple[Any, Optional[str]]:
    # `list_available` would add a registry for the class.
    registered = Registrable._registry.get(base)
    if registered is None:
        return base, None
    name = value.get("type", base.default_implementation)
    if isinstance(name, str) and (name in registered or "." in name):
        try:
            return base.resolve_class_name(name)
        except CONFIGURATION_ERRORS as error:
            raise ConfigurationError(f"{place}type: {error.message}") from error
    raise ConfigurationError(
        f"{place}type: found {'none' if name is None else json.dumps(name)}"
        f"{did_you_mean(str(name), registered)}; expected one of "
        f"{', '.join(sorted(registered))}, or a class that --include-package loads"
    )


def annotations(chosen: Any, method: Any) -> Dict[str, Any]:
    if method in (object.__init__, torch.nn.Module.__init__):
        return {}
    return {
        name: parameter.annotation
        for name, parameter in infer_method_params(chosen, method).items()
        if name != "self" and parameter.kind is not parameter.VAR_KEYWORD
    }


def _takes_no_others(chosen: Type[Any], method: Any) -> bool:
    """Whether a constructor, and any that its `**kwargs` reach, name all their arguments."""
    parameters = inspect.signature(method).parameters.values()
    if not any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return True
    above = next((c for c in chosen.__mro__[1:] if issubclass(c, FromParams)), None)
    is_ours = any(c.__module__.startswith("lisa_allennlp.") for c in chosen.__mro__)
    is_known = is_ours or chosen.__module__.partition(".")[0] in _KWARGS_GO_TO_SUPERCLASS
    return is_known and above is not None and _takes_no_others(above, above.__init__)


def _check_value(value: Any, annotation: Any, place: str) -> None:
    annotation = remove_optional(annotation)
    origin = getattr(annotation, "__origin__", None)
    arguments: Sequence[Any] = getattr(annotation, "__args__", ())
    if value is None:
        return
    if annotation in _PRIMITIVES:
        expected, types = _PRIMITIVES[annotation]
        is_bool_for_number = annotation is float and isinstance(value, bool)
        if not isinstance(value, types) or is_bool_for_number:
            raise ConfigurationError(f"{place}: found {json.dumps(value)}; expected {expected}")
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
