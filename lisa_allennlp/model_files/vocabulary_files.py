"""Vocabularies as text files, in AllenNLP's format: one file per namespace, one entry per line."""

from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Union

from allennlp.common.checks import ConfigurationError
from allennlp.common.util import namespace_match
from allennlp.data import Vocabulary
from allennlp.data.vocabulary import (
    DEFAULT_OOV_TOKEN,
    DEFAULT_PADDING_TOKEN,
    NAMESPACE_PADDING_FILE,
)

from lisa_allennlp.models.label_names import label_strings

FOLDER_NAME = "vocabulary"

_NEWLINE = "@@NEWLINE@@"


def write_vocabulary(vocab: Vocabulary, folder: Path, sizes: Mapping[str, int]) -> Dict[str, int]:
    """
    Writes a vocabulary to the subfolder `vocabulary`. AllenNLP's own function leaves a lock file.

    >>> import tempfile
    >>> vocab = Vocabulary(tokens_to_add={"tokens": ["the", "cat"], "head_tags": ["root"]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     lines = write_vocabulary(vocab, Path(folder), {"tokens": 3})
    ...     print(lines, read_vocabulary(folder, lines).get_token_to_index_vocabulary("tokens"))
    {'head_tags': 1, 'tokens': 2} {'@@PADDING@@': 0, '@@UNKNOWN@@': 1, 'the': 2}

    # Parameters

    folder : `Path`
        The folder of the model.
    sizes : `Mapping[str, int]`
        For the namespaces to shorten, the number of entries to keep, padding included.

    # Returns

    `Dict[str, int]`
        The number of lines of each namespace's file.
    """
    files = folder / FOLDER_NAME
    files.mkdir()
    unpadded, lines = [], {}
    for namespace in sorted(vocab.get_namespaces()):
        entries = label_strings(vocab, namespace)[: sizes.get(namespace)]
        if not entries:
            continue
        if vocab.is_padded(namespace):
            entries = entries[1:]
        else:
            unpadded.append(namespace)
        lines[namespace] = len(entries)
        _write_lines(files / f"{namespace}.txt", [e.replace("\n", _NEWLINE) for e in entries])
    _write_lines(files / NAMESPACE_PADDING_FILE, unpadded)
    return lines


def _write_lines(path: Path, lines: List[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


def read_vocabulary(
    folder: Union[str, Path], lines: Mapping[str, int], options: Optional[Mapping[str, Any]] = None
) -> Vocabulary:
    """
    Reads the vocabulary of an exported folder. Unlike AllenNLP's function it writes nothing, and
    it checks the files.

    # Parameters

    folder : `Union[str, Path]`
        The folder of the model.
    lines : `Mapping[str, int]`
        The expected number of lines of each namespace's file.
    options : `Mapping[str, Any]`, optional
        `padding_token` and `oov_token`, as in the config of a vocabulary.

    # Raises

    `ConfigurationError`
        If a file is missing, not UTF-8, has a line twice, or another number of lines.
    """
    files = Path(folder) / FOLDER_NAME
    options = options or {}
    unpadded = _read_lines(files / NAMESPACE_PADDING_FILE)
    if "" in unpadded:
        raise ConfigurationError(
            f"{files / NAMESPACE_PADDING_FILE}:{unpadded.index('') + 1}: found an empty line; "
            "expected the name of a namespace"
        )
    unknown = options.get("oov_token") or DEFAULT_OOV_TOKEN
    vocab = Vocabulary(
        non_padded_namespaces=unpadded,
        padding_token=options.get("padding_token") or DEFAULT_PADDING_TOKEN,
        oov_token=unknown,
    )
    for namespace, number in lines.items():
        path = files / f"{namespace}.txt"
        is_padded = not any(namespace_match(pattern, namespace) for pattern in unpadded)
        _check_entries(path, number, unknown if is_padded else None)
        vocab.set_from_file(str(path), is_padded, unknown, namespace)
    return vocab


def _read_lines(path: Path) -> List[str]:
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError as error:
        raise ConfigurationError(
            f"{path}: found no such file; expected all files that `lisa export` wrote"
        ) from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigurationError(
            f"{path}:{line}: found the byte 0x{error.object[error.start]:02x}; expected text "
            "encoded in UTF-8"
        ) from error
    text = text.replace("\r\n", "\n").removesuffix("\n")
    return text.split("\n") if text else []


def _check_entries(path: Path, number: int, needed: Optional[str]) -> None:
    lines = _read_lines(path)
    if len(lines) != number:
        raise ConfigurationError(
            f"{path}: found {len(lines)} lines; expected {number}, as in model.json"
        )
    if len(set(lines)) < len(lines):
        place, line = next(
            (place, line) for place, line in enumerate(lines) if line in lines[:place]
        )
        raise ConfigurationError(
            f"{path}:{place + 1}: found '{line}' for the second time; expected each entry once"
        )
    if needed is not None and needed not in lines:
        raise ConfigurationError(f"{path}: found no line '{needed}'; expected the unknown entry")
