"""
Checks the config of an exported folder, so that building from it runs only the code of registered
classes and opens no file outside the folder.

AllenNLP imports a `type` with dots in it as the path of a class, and some of its classes open any
file, load a pickle or download a model when they are built. The config of an exported folder can
make use of none of this. `archive_config` has the rules for archives, which may name files.
"""

import json
import re
from pathlib import Path
from typing import Any, Dict, Iterator, Optional, Tuple, Union

from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.data.formats.errors import shortened

CONFIG_NAME = "config.json"

SECTIONS = ("data_loader", "dataset_reader", "model", "validation_dataset_reader", "vocabulary")
"""The top-level keys that an exported config may have."""

FILE_KEYS = ("model_name", "options_file", "weight_file")
"""The keys whose values are files of the folder."""

ONLY_IN_TRAINING = ("initializer", "override_weights_file", "pretrained_file")
"""The keys of initial values, which a trained model's weights replace."""

UNSAFE_KEYS = (
    "_pretrained",
    "archive_file",
    "attn_implementation",
    "auto_map",
    "pretrained_model",
    "trust_remote_code",
    "weights_file",
    "weights_file_path",
)
"""The keys with which AllenNLP and transformers read other files or run other code."""

ALLENNLP_MODULES = tuple(
    f"allennlp.{name}"
    for name in (
        "data.data_loaders",
        "data.samplers",
        "data.token_indexers",
        "modules.attention",
        "modules.feedforward",
        "modules.matrix_attention",
        "modules.seq2seq_encoders",
        "modules.seq2vec_encoders",
        "modules.text_field_embedders",
        "modules.token_embedders",
        "nn",
    )
)
"""AllenNLP's modules whose classes an exported config may name."""

PARTS = ("allennlp.data", "allennlp.models", "allennlp.modules", "allennlp.nn", "lisa_allennlp")
"""The modules of the base classes of which readers and allowed models have parts."""

_NOT_IN_FOLDER = re.compile(r"^[/~]|^[A-Za-z]:|\\|//|(^|/)\.\.(/|$)")


def read_config(folder: Union[str, Path]) -> Dict[str, Any]:
    """
    Reads and checks the config of an exported folder.

    # Raises

    `ConfigurationError`
        If the config is missing, not JSON, or unsafe.
    """
    path = Path(folder) / CONFIG_NAME
    config = read_json(path)
    check_safe(config, str(path))
    return config


def read_json(path: Path, source: Optional[str] = None) -> Dict[str, Any]:
    """
    Reads a file with a JSON object.

    # Parameters

    path : `Path`
    source : `str`, optional (default = the path)
        The name of the file, with which messages begin.

    # Raises

    `ConfigurationError`
        If the file is missing or has something else.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise ConfigurationError(
            f"{source or path}: found no such file; expected all files that belong to the model"
        ) from error
    return parse_json(content, source or str(path))


def parse_json(content: bytes, source: str) -> Dict[str, Any]:
    """
    >>> parse_json(b'{"format": 1}', "model.json")
    {'format': 1}

    # Parameters

    content : `bytes`
        A JSON object.
    source : `str`
        The name of the file, with which messages begin.

    # Raises

    `ConfigurationError`
        If it is anything else.
    """
    try:
        value = json.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        found = f"found the byte 0x{error.object[error.start]:02x}"
        raise ConfigurationError(f"{source}: {found}; expected text encoded in UTF-8") from error
    except json.JSONDecodeError as error:
        raise ConfigurationError(
            f"{source}:{error.lineno}: found {error.msg[0].lower()}{error.msg[1:]}; expected JSON"
        ) from error
    except (RecursionError, ValueError) as error:
        raise ConfigurationError(f"{source}: found JSON that cannot be read ({error})") from error
    if not isinstance(value, dict):
        raise ConfigurationError(f"{source}: found {value!r:.60}; expected a JSON object")
    return value


def check_safe(config: Dict[str, Any], source: str) -> None:
    """
    >>> reader = {"type": "conll12_srl"}
    >>> check_safe({"dataset_reader": reader, "model": {"type": "os.system"}}, "config.json")
    Traceback (most recent call last):
    ...
    allennlp.common.checks.ConfigurationError: config.json: model.type: found 'os.system'; ...

    # Parameters

    config : `Dict[str, Any]`
    source : `str`
        The name of the file, with which messages begin.

    # Raises

    `ConfigurationError`
        For the first key or value that is not allowed.
    """
    for key in config:
        if key not in SECTIONS:
            expected = f"only {', '.join(SECTIONS)}"
            raise ConfigurationError(
                f"{source}: {shortened(key)}: found this key; expected {expected}"
            )
    for section in ("dataset_reader", "model"):
        if not isinstance(config.get(section), dict):
            raise ConfigurationError(f"{source}: found no section '{section}'; expected one")
    for full_place, key, value in items_of(config):
        place = shortened(full_place)
        if key in UNSAFE_KEYS + ONLY_IN_TRAINING:
            raise ConfigurationError(
                f"{source}: {place}: found this key; expected none in an exported model"
            )
        if key == "type" or isinstance(value, str):
            check_string(key, value, f"{source}: {place}")


def items_of(value: Any, place: str = "") -> Iterator[Tuple[str, str, Any]]:
    """
    The place, the key and the value of each entry of a config, at every depth.

    >>> list(items_of({"model": {"layers": [3]}}))[1:]
    [('model.layers', 'layers', [3]), ('model.layers.0', '0', 3)]
    """
    if isinstance(value, dict):
        entries = [(str(key), item) for key, item in value.items()]
    elif isinstance(value, list):
        entries = [(str(number), item) for number, item in enumerate(value)]
    else:
        return
    for key, item in entries:
        inner = f"{place}.{key}" if place else key
        yield inner, key, item
        yield from items_of(item, inner)


def check_string(key: str, value: Any, place: str) -> None:
    """
    Checks a `type` or any string.

    # Raises

    `ConfigurationError`
        If AllenNLP may import it, or open something outside the folder.
    """
    if key == "type" and not (isinstance(value, str) and may_be_built(value)):
        raise ConfigurationError(
            f"{place}: found {shortened(repr(value))}; expected the name of a class that is "
            "registered and opens no files. Other classes need an archive (model.tar.gz)"
        )
    if key in FILE_KEYS and not value.startswith("./"):
        raise ConfigurationError(
            f"{place}: found {shortened(repr(value))}; expected a file of the folder, ./NAME"
        )
    # An object may be given by its type alone, and a type with a dot in it would be imported.
    is_file = value.startswith("./")
    if _NOT_IN_FOLDER.search(value) or (not is_file and ("/" in value or "." in value[1:])):
        raise ConfigurationError(
            f"{place}: found {shortened(repr(value))}; expected no path outside the folder, URL or "
            "dotted name"
        )


def may_be_built(
    name: str, bases: Tuple[str, ...] = PARTS, modules: Tuple[str, ...] = ALLENNLP_MODULES
) -> bool:
    """
    Whether all registered classes that a name may stand for may be built.

    >>> import lisa_allennlp.plugin
    >>> may_be_built("lisa"), may_be_built("from_archive"), may_be_built("os.system")
    (True, False, False)

    # Parameters

    name : `str`
        The value of a `type`.
    bases : `Tuple[str, ...]`, optional
        The modules of the base classes to consider.
    modules : `Tuple[str, ...]`, optional
        The modules of AllenNLP whose classes may be built. Those of other packages all may: a
        package is only loaded if the user says so.
    """
    found = [
        classes[name]
        for base, classes in Registrable._registry.items()
        if name in classes and base.__module__.startswith(bases)
    ]
    return bool(found) and all(
        # `from_archive` and its kin are constructors of a base class.
        not registered.__module__.startswith("allennlp")
        or registered.__module__.startswith(modules)
        for registered, _ in found
    )
