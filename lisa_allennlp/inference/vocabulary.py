"""Reads a vocabulary in AllenNLP's format, without AllenNLP."""

import re
from functools import partial
from pathlib import Path
from typing import List, Mapping, Optional

from lisa_allennlp.common.errors import ConfigurationError

UNKNOWN = "@@UNKNOWN@@"

_PADDING, _NEWLINE = "@@PADDING@@", "@@NEWLINE@@"


class VocabularyFiles:
    """
    Reads the files of a vocabulary, one per namespace with one entry per line.

    # Parameters

    folder : `Path`
    lines : `Mapping[str, int]`, optional
        The number of lines of each namespace's file. Other namespaces have no entries. Without it,
        as in a folder of a training, all files count.

    # Raises

    `ConfigurationError`
        In `entries`, if the namespace is not a plain name, or its file cannot be read or has
        another number of lines.
    """

    def __init__(self, folder: Path, lines: Optional[Mapping[str, int]] = None) -> None:
        self._folder = folder
        self._lines = lines
        self._unpadded = _read_lines(folder / "non_padded_namespaces.txt")

    def entries(self, namespace: str) -> List[str]:
        """
        Returns the entries of a namespace by index. Entry 0 of words and characters is padding; a
        label's index is its line.
        """
        if not re.fullmatch(r"\w[\w.-]*", namespace):
            raise ConfigurationError(
                f"{self._folder}: found the namespace {namespace[:80]!r}; expected letters, "
                "digits, '_', '.' and '-'"
            )
        path = self._folder / f"{namespace}.txt"
        if not (path.is_file() if self._lines is None else namespace in self._lines):
            return []
        lines = _read_lines(path)
        if self._lines is not None and len(lines) != self._lines[namespace]:
            raise ConfigurationError(
                f"{path}: found {len(lines)} lines; expected {self._lines[namespace]}, as in "
                "model.json"
            )
        is_padded = not any(map(partial(_matches, namespace), self._unpadded))
        return [_PADDING, *lines] if is_padded else lines


def _matches(namespace: str, pattern: str) -> bool:
    """Whether a namespace is, or with a `*` ends as, a line of `non_padded_namespaces.txt`."""
    return namespace.endswith(pattern[1:]) if pattern[:1] == "*" else namespace == pattern


def _read_lines(path: Path) -> List[str]:
    try:
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"{path}: found {error}; expected a vocabulary's file in UTF-8"
        ) from error
    # Not `splitlines`: entries may have other characters that it takes for ends of lines.
    lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n") if text else []
    return [line.replace(_NEWLINE, "\n") for line in lines] if _NEWLINE in text else lines
