"""
Checks what an experiment needs before its corpus is read: files, devices, and layers whose sizes
fit together. `lisa_allennlp.common.configs` checks the names and types of a config's keys.
"""

import copy
import logging
import os
from contextlib import contextmanager
from typing import Any, Dict, Iterator, Mapping, Tuple, Type

import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path
from allennlp.common.from_params import infer_method_params
from allennlp.data import DatasetReader, Vocabulary
from allennlp.modules import FeedForward, Seq2SeqEncoder, TextFieldEmbedder
from allennlp.modules.encoder_base import _EncoderBase

from lisa_allennlp.common.devices import check_device
from lisa_allennlp.common.distributed_checks import check_distributed
from lisa_allennlp.model_files.safe_config import FILE_KEYS, items_of

DATA_PATHS = ("train_data_path", "validation_data_path", "test_data_path")

INPUT_FILES: Dict[str, str] = {
    "pretrained_file": "a file of word vectors",
    "pretrained_files": "a file of word vectors",
    "options_file": "ELMo's options",
    "weight_file": "ELMo's weights",
}
"""Keys at any depth whose values are names of files, or objects with such values."""

_BUILT_ALONE = (_EncoderBase, FeedForward)
"""The modules that can be built without the rest of their model."""

_GIVEN_BY_THE_MODEL = ("input_dim", "input_size")
_ANY_SIZE = 8


def check_experiment(config: Mapping[str, Any], source: str) -> None:
    """
    Checks the files and devices that a config names.

    >>> check_experiment({"trainer": {"use_amp": True, "cuda_device": -1}}, "my.jsonnet")
    Traceback (most recent call last):
    ...
    allennlp.common.checks.ConfigurationError: my.jsonnet: trainer.use_amp: found true with the ...

    # Parameters

    config : `Mapping[str, Any]`
        The config of an experiment.
    source : `str`
        The name of the config's file, with which messages begin.

    # Raises

    `ConfigurationError`
        If a file or a device does not exist.
    """
    if _is_own_reader(config.get("dataset_reader", {})):
        for key in DATA_PATHS:
            if isinstance(config.get(key), str):
                # The supertagger's paths may end in the sections to read, after #.
                path = config[key] if os.path.exists(config[key]) else config[key].split("#")[0]
                _check_file(path, f"{source}: {key}", "a corpus file or a folder of corpus files")
    for place, path, expected in _input_files(config, ""):
        _check_file(path, f"{source}: {place}", expected)
    _check_devices(config, source)
    check_distributed(config, source)


def _is_own_reader(reader: Any) -> bool:
    """Whether a dataset reader is one of this package: those of others read more than files."""
    name = reader.get("type") if isinstance(reader, Mapping) else reader
    registered = DatasetReader._registry[DatasetReader]
    return name in registered and registered[name][0].__module__.startswith("lisa_allennlp.")


def _input_files(value: Any, place: str) -> Iterator[Tuple[str, str, str]]:
    """The place, the path and the expected content of each file in `INPUT_FILES`."""
    if isinstance(value, Mapping):
        items = [(str(key), item) for key, item in value.items()]
    elif isinstance(value, list):
        items = [(str(number), item) for number, item in enumerate(value)]
    else:
        return
    for key, item in items:
        expected = INPUT_FILES.get(key)
        files = item if isinstance(item, Mapping) else {"": item}
        if expected is None:
            yield from _input_files(item, f"{place}{key}.")
            continue
        for name, path in files.items():
            if isinstance(path, str):
                yield f"{place}{key}.{name}".rstrip("."), path, expected


def _check_file(path: str, place: str, expected: str) -> None:
    # AllenNLP also takes URLs, files inside of archives, and "(archive)#file".
    if "://" in path or "!" in path or path.startswith("("):
        return
    try:
        cached_path(path)
    except FileNotFoundError:
        raise ConfigurationError(
            f"{place}: found no file or folder {path}; expected {expected}"
        ) from None


def _check_devices(config: Mapping[str, Any], source: str) -> None:
    trainer = config.get("trainer") or {}
    section = config.get("distributed")
    distributed = section.get("cuda_devices") if isinstance(section, Mapping) else None
    places = {"trainer.cuda_device": trainer.get("cuda_device")}
    if isinstance(distributed, list):
        places.update(
            (f"distributed.cuda_devices.{n}", device) for n, device in enumerate(distributed)
        )
    for place, device in places.items():
        if isinstance(device, int):
            check_device(f"{source}: {place}", device)
    devices = [device for device in places.values() if device is not None]
    is_on_cpu = -1 in devices or (not devices and not torch.cuda.device_count())
    if trainer.get("use_amp") is True and is_on_cpu:
        raise ConfigurationError(
            f"{source}: trainer.use_amp: found true with the CPU; expected a GPU. On a CPU, "
            "model.precision may be 'bfloat16'"
        )


@contextmanager
def _without_log() -> Iterator[None]:
    """Hides what AllenNLP logs of everything that it builds."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(before)


@contextmanager
def _without_weights() -> Iterator[None]:
    """Builds modules without memory for their weights, and without a trace."""
    with _without_log(), torch.device("meta"), torch.random.fork_rng(devices=[]):
        yield


def check_sizes(value: Mapping[str, Any], base: Type[Any], chosen: Any, place: str) -> None:
    """
    Builds a module that needs nothing but its own options, without memory for its weights.

    # Parameters

    value : `Mapping[str, Any]`
        Its config. The size of the input may be missing: a model gives it.
    base : `Type[Any]`
        The type of the object in the constructor around it.
    chosen : `Any`
        The class that the config chooses.
    place : `str`
        Its place in the config, with which messages begin.

    # Raises

    `ConfigurationError`
        If the constructor rejects the sizes.
    """
    if not (isinstance(chosen, type) and issubclass(chosen, _BUILT_ALONE)):
        return
    parameters = infer_method_params(chosen, chosen.__init__).items()  # type: ignore[type-var]
    missing = [
        name
        for name, parameter in parameters
        if parameter.default is parameter.empty
        and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
        and name not in {"self", *value}
    ]
    if not all(name in _GIVEN_BY_THE_MODEL for name in missing):
        return
    config = {**value, **dict.fromkeys(missing, _ANY_SIZE)}
    try:
        with _without_weights():
            base.from_params(Params(copy.deepcopy(config)))
    except (ConfigurationError, ValueError, AssertionError) as error:
        reason = error.message if isinstance(error, ConfigurationError) else str(error)
        if reason:
            raise ConfigurationError(f"{place}: {reason}") from error


def check_input_dim(value: Mapping[str, Any], chosen: Any, place: str) -> None:
    """
    Checks that a model's encoder reads vectors of the size of the embedded tokens, if the model has
    a method `check_input_dim` and its token embedders read no other files than word vectors.

    # Parameters

    value : `Mapping[str, Any]`
        The config of an object.
    chosen : `Any`
        The class that the config chooses.
    place : `str`
        Its place in the config, with which messages begin.

    # Raises

    `ConfigurationError`
        If the sizes differ.
    """
    embedder = value.get("text_field_embedder")
    if not hasattr(chosen, "check_input_dim"):
        return
    if any(key in FILE_KEYS for _, key, _ in items_of(embedder)):
        return
    try:
        with _without_weights():
            config = _without_vectors(embedder)
            embedded = TextFieldEmbedder.from_params(Params(config), vocab=Vocabulary())
            encoder = Seq2SeqEncoder.from_params(Params(copy.deepcopy(value["encoder"])))
            sizes = encoder.get_input_dim(), embedded.get_output_dim()
    except Exception:
        # AllenNLP will say what it is: with the vocabulary of a corpus, there may be no error.
        return
    try:
        chosen.check_input_dim(*sizes)
    except ConfigurationError as error:
        raise ConfigurationError(f"{place}: {error.message}") from error


def _without_vectors(value: Any) -> Any:
    """A config without the names of files of word vectors."""
    if isinstance(value, list):
        return [_without_vectors(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    return {k: _without_vectors(item) for k, item in value.items() if k != "pretrained_file"}
