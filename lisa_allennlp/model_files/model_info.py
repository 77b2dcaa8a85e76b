"""What `model.json` says of an exported model."""

import dataclasses
import json
from pathlib import Path
from typing import Dict, Tuple, Union

from allennlp.common.checks import ConfigurationError

from lisa_allennlp.data.formats.errors import shortened
from lisa_allennlp.model_files.safe_config import read_json
from lisa_allennlp.pretrained import INFO_NAME

FORMAT = 1
"""Increased whenever a change makes older exported folders unusable."""

_KINDS: Dict[str, Tuple[type, str]] = {
    "format": (int, "a number"),
    "parameters": (int, "a number"),
    "scores": (dict, "an object"),
    "vocabulary": (dict, "an object"),
}


@dataclasses.dataclass
class ModelInfo:
    """
    >>> lines = {"tokens": 40001, "role_labels": 107}
    >>> info = ModelInfo("english", "1.0", "CC0", {"srl_f1": 72.0}, 6000000, lines, "ab12")
    >>> info.format
    1

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
    # Raises

    `ConfigurationError`
        If the file is missing, incomplete, or of another format.
    """
    path = Path(folder) / INFO_NAME
    found = read_json(path)
    if found.get("format") != FORMAT:
        raise ConfigurationError(
            f"{path}: format is {shortened(repr(found.get('format')))}; expected {FORMAT}: export "
            "the model with this version of lisa-allennlp"
        )
    for field in dataclasses.fields(ModelInfo):
        kind, expected = _KINDS.get(field.name, (str, "a string"))
        if not isinstance(found.get(field.name), kind):
            raise ConfigurationError(
                f"{path}: {field.name} is {shortened(repr(found.get(field.name)))}; expected "
                f"{expected}"
            )
    names = {field.name for field in dataclasses.fields(ModelInfo)}
    return ModelInfo(**{name: value for name, value in found.items() if name in names})


def size_of(folder: Union[str, Path]) -> int:
    """The size of all files of a folder, in bytes."""
    return sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
