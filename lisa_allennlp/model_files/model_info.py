"""What `model.json` says of an exported model."""

import dataclasses
import json
from pathlib import Path
from typing import Any, Dict, Union

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.formats.errors import shortened
from lisa_allennlp.pretrained import INFO_NAME

FORMAT = 1
"""Increased whenever a change makes older exported folders unusable."""


@dataclasses.dataclass
class ModelInfo:
    """
    Describes an exported model.

    # Parameters

    name, version : `str`
    license : `str`
        In one line.
    scores : `Dict[str, float]`
        By the names of `lisa evaluate`, from 0 to 100.
    parameters : `int`
        The number of the network's parameters.
    vocabulary : `Dict[str, int]`
        The number of lines of each file of the vocabulary, by its namespace.
    sha256 : `str`
        Of the file with the weights.
    package_version : `str`
        The version of lisa-allennlp that exported the model.
    format : `int`
    """

    name: str
    version: str
    license: str
    scores: Dict[str, float]
    parameters: int
    vocabulary: Dict[str, int]
    sha256: str
    package_version: str = ""
    format: int = FORMAT

    def write(self, folder: Path) -> None:
        """Writes `model.json`."""
        text = json.dumps(dataclasses.asdict(self), indent=2, ensure_ascii=False)
        (folder / INFO_NAME).write_text(text + "\n", encoding="utf-8", newline="\n")


def read_info(folder: Union[str, Path]) -> ModelInfo:
    """
    Reads `model.json`.

    # Raises

    `ConfigurationError`
        If it is of another format.
    """
    path = Path(folder) / INFO_NAME
    found = read_json(path)
    if found.get("format") != FORMAT:
        raise ConfigurationError(
            f"{path}: format is {shortened(repr(found.get('format')))}; expected {FORMAT}: export "
            "the model with this version of lisa-allennlp"
        )
    return ModelInfo(**{field.name: found[field.name] for field in dataclasses.fields(ModelInfo)})


def read_json(path: Path) -> Dict[str, Any]:
    """
    Reads a file with a JSON object.

    # Raises

    `ConfigurationError`
        If the file is missing or has something else.
    """
    try:
        return parse_json(path.read_bytes(), str(path))
    except FileNotFoundError as error:
        raise ConfigurationError(f"{path}: found no such file; expected that of a model") from error


def parse_json(content: bytes, source: str) -> Dict[str, Any]:
    """Parses a JSON object, as `read_json`. Messages begin with the name of the file."""
    try:
        value = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(
            f"{source}: found no JSON ({error}); expected an object"
        ) from error
    if not isinstance(value, dict):
        raise ConfigurationError(f"{source}: found {value!r:.60}; expected a JSON object")
    return value


def size_of(folder: Union[str, Path]) -> int:
    """Returns the size of all files of a folder, in bytes."""
    return sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
