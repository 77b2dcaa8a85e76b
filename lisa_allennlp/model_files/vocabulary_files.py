"""
Vocabularies as text files, in AllenNLP's format: one file per namespace, one entry per line.
AllenNLP's own functions leave a lock file beside them.
"""

import os
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Union

from allennlp.common.util import namespace_match
from allennlp.data import Vocabulary
from allennlp.data.vocabulary import (
    DEFAULT_OOV_TOKEN,
    DEFAULT_PADDING_TOKEN,
    NAMESPACE_PADDING_FILE,
)

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.formats.errors import shortened

FOLDER_NAME = "vocabulary"

_NEWLINE = "@@NEWLINE@@"


def write_vocabulary(vocab: Vocabulary, folder: Path, sizes: Mapping[str, int]) -> Dict[str, int]:
    """
    Writes a vocabulary to the subfolder `vocabulary`.

    # Parameters

    folder : `Path`
        The folder of the model.
    sizes : `Mapping[str, int]`
        For the namespaces to shorten, the number of entries to keep, padding included.

    # Returns

    `Dict[str, int]`
        The number of lines of each namespace's file.

    # Raises

    `ConfigurationError`
        If the name of a namespace is not that of a file.
    """
    files = folder / FOLDER_NAME
    files.mkdir()
    unpadded, lines = [], {}
    for namespace in sorted(vocab.get_namespaces()):
        if os.path.basename(namespace) != namespace or "\\" in namespace:
            raise ConfigurationError(
                f"vocabulary: found the namespace {shortened(repr(namespace))}; expected a name "
                "without slashes"
            )
        names = vocab.get_index_to_token_vocabulary(namespace)
        entries = [names[index] for index in range(len(names))][: sizes.get(namespace)]
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
    folder: Union[str, Path],
    options: Mapping[str, Any],
    lines: Optional[Mapping[str, int]] = None,
) -> Vocabulary:
    """
    Reads a vocabulary from the subfolder `vocabulary`.

    >>> import tempfile
    >>> vocab = Vocabulary(tokens_to_add={"tokens": ["the", "cat"], "head_tags": ["root"]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     lines = write_vocabulary(vocab, Path(folder), {"tokens": 3})
    ...     read = read_vocabulary(folder, {}, lines)
    >>> lines, read.get_token_to_index_vocabulary("tokens")
    ({'head_tags': 1, 'tokens': 2}, {'@@PADDING@@': 0, '@@UNKNOWN@@': 1, 'the': 2})

    # Parameters

    folder : `Union[str, Path]`
        The folder of the model.
    options : `Mapping[str, Any]`
        The section `vocabulary` of the model's config.
    lines : `Mapping[str, int]`, optional
        The expected number of lines of each namespace's file.

    # Raises

    `ConfigurationError`
        If the files have other numbers of lines.
    """
    files = Path(folder) / FOLDER_NAME
    vocabulary_class, _ = Vocabulary.resolve_class_name(options.get("type", "from_instances"))
    unknown = options.get("oov_token") or DEFAULT_OOV_TOKEN
    unpadded = (files / NAMESPACE_PADDING_FILE).read_text(encoding="utf-8").splitlines()
    vocab = vocabulary_class(
        non_padded_namespaces=unpadded,
        padding_token=options.get("padding_token") or DEFAULT_PADDING_TOKEN,
        oov_token=unknown,
    )
    found = {}
    for path in sorted(files.glob("[!.]*.txt")):
        if path.name != NAMESPACE_PADDING_FILE:
            is_padded = not any(namespace_match(pattern, path.stem) for pattern in unpadded)
            vocab.set_from_file(str(path), is_padded, unknown, path.stem)
            found[path.stem] = len(vocab.get_index_to_token_vocabulary(path.stem)) - is_padded
    if lines is not None and found != lines:
        raise ConfigurationError(
            f"{files}: found files with these numbers of lines: {found}; expected {dict(lines)}, "
            "as in model.json"
        )
    return vocab
