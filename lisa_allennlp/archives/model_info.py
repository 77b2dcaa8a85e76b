"""What `model.json` says of an exported model."""

import dataclasses
import json
from pathlib import Path
from typing import Any, Dict, Union

from allennlp.common.checks import ConfigurationError

from lisa_allennlp.archives.safe_config import read_json
from lisa_allennlp.pretrained import INFO_NAME

FORMAT = 1
"""Increased whenever a change makes older exported folders unusable."""


@dataclasses.dataclass
class ModelInfo:
    """
    >>> info = ModelInfo("english", "1.0", "CC BY-SA 4.0", {"srl_f1": 72.0}, "ab12", 6000000)
    >>> info.format
    1

    # Parameters

    name, version : `str`
    license : `str`
        In one line.
    scores : `Dict[str, float]`
        By the names of `lisa evaluate`, from 0 to 100.
    sha256 : `str`
        Of the file with the weights.
    parameters : `int`
        The number of the network's parameters.
    package_version : `str`
        The version of lisa-allennlp that exported the model.
    format : `int`
    """

    name: str
    version: str
    license: str
    scores: Dict[str, float]
    sha256: str
    parameters: int
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
            f"{path}: format is {found.get('format')!r}; expected {FORMAT}: export the model with "
            "this version of lisa-allennlp"
        )
    for field in dataclasses.fields(ModelInfo):
        kind: Any = {"scores": dict, "parameters": int, "format": int}.get(field.name, str)
        if not isinstance(found.get(field.name), kind):
            raise ConfigurationError(
                f"{path}: {field.name} is {found.get(field.name)!r}; expected a {kind.__name__}"
            )
    names = {field.name for field in dataclasses.fields(ModelInfo)}
    return ModelInfo(**{name: value for name, value in found.items() if name in names})


def size_of(folder: Union[str, Path]) -> int:
    """The size of all files of a folder, in bytes."""
    return sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
