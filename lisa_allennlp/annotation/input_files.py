"""
The input files of a run: where their rows begin, and the rows themselves.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = os.path.join(folder.name, "rain.jsonl")
    >>> with open(path, "w") as file:
    ...     _ = file.write('{"text": "Rain."}\\n\\n{"text": "Snow."}\\n')
    >>> (found,) = find_inputs([path])
    >>> starts = list(row_starts(found))
    >>> starts
    [Start(offset=0, number=1), Start(offset=19, number=3)]
    >>> [row.content for row in read_rows(found, path, starts[1], 1)]
    [b'{"text": "Snow."}\\n']
    >>> folder.cleanup()
"""

import os
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Iterator, List, NamedTuple, Optional, Sequence, cast

from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import open_compressed

from lisa_allennlp.annotation import parquet
from lisa_allennlp.annotation.formats import PARQUET
from lisa_allennlp.common.user_errors import DAMAGED, user_message
from lisa_allennlp.labelling.groups import size_of_text
from lisa_allennlp.labelling.input_files import (
    check_is_not_json,
    format_of_input,
    items_of_file,
)
from lisa_allennlp.labelling.input_formats import TEXT

_FIRST_BYTES = 1000


@dataclass
class InputFile:
    """
    # Parameters

    path : `str`
        As given.
    format : `str`
        One of `FORMATS`.
    size : `int`
        In bytes.
    modified : `int`
        The time of the last change, in nanoseconds.
    sha256 : `str`, optional (default = `""`)
        Of the content; empty until it is read.
    rows : `int`, optional (default = `0`)
    """

    path: str
    format: str
    size: int
    modified: int
    sha256: str = ""
    rows: int = 0


class Start(NamedTuple):
    """
    The place of a row in its file.

    # Parameters

    offset : `int`
        In bytes, after decompression; for Parquet, in rows.
    number : `int`
        The number of its line or row, from 1.
    """

    offset: int
    number: int


class Row(NamedTuple):
    """
    # Parameters

    file : `str`
        The name of the file, as given.
    number : `int`
        The number of its line or row, from 1.
    content : `Any`
        The bytes of a line or file, or the columns of a Parquet row as a dictionary.
    format : `str`
    size : `int`
        About the number of sentences.
    """

    file: str
    number: int
    content: Any
    format: str
    size: int


def find_inputs(paths: Sequence[str], input_format: Optional[str] = None) -> List[InputFile]:
    """
    # Parameters

    paths : `Sequence[str]`
        Files, and folders, which stand for all files below them in the order of their names.
    input_format : `str`, optional (default = by the names)

    # Returns

    `List[InputFile]`
        In the order given, without their contents' digests.

    # Raises

    `ConfigurationError`
        If a file does not exist, is no regular file or is given twice.
    """
    files: List[str] = []
    for path in paths:
        if os.path.isdir(path):
            files += sorted(str(file) for file in Path(path).rglob("*") if file.is_file())
        elif os.path.isfile(path):
            files.append(path)
        else:
            raise ConfigurationError(f"INPUT: found no file or folder {path}; expected one")
    if len(set(map(os.path.realpath, files))) < len(files):
        twice = next(file for n, file in enumerate(files) if _is_among(file, files[:n]))
        raise ConfigurationError(f"INPUT: found {twice} twice; expected each file once")
    return [_input_file(file, input_format) for file in files]


def _is_among(file: str, files: Sequence[str]) -> bool:
    return os.path.realpath(file) in map(os.path.realpath, files)


def _input_file(path: str, chosen: Optional[str]) -> InputFile:
    status = os.stat(path)
    of_name = PARQUET if path.endswith(".parquet") else format_of_input(path, None)
    return InputFile(path, chosen or of_name, status.st_size, status.st_mtime_ns)


def check_first_bytes(file: InputFile) -> None:
    """
    # Raises

    `ConfigurationError`
        If a file that is read as text because of its name seems to have JSON lines.
    """
    with _opened(file.path) as content:
        try:
            check_is_not_json(content.read(_FIRST_BYTES))
        except ConfigurationError as error:
            raise ConfigurationError(f"{file.path}: {error.message}") from error


def row_starts(file: InputFile) -> Iterator[Start]:
    """
    The start of each row. Blank lines are no rows.

    # Raises

    `ConfigurationError`
        If the file is damaged.
    """
    if file.format == TEXT:
        yield Start(0, 1)
    elif file.format == PARQUET:
        for offset in range(parquet.number_of_rows(file.path)):
            yield Start(offset, offset + 1)
    else:
        offset = 0
        with _opened(file.path) as content:
            try:
                for number, line in enumerate(content, start=1):
                    if not line.isspace():
                        yield Start(offset, number)
                    offset += len(line)
            except DAMAGED as error:
                raise ConfigurationError(user_message(error) or f"{file.path}: {error}") from error


def read_rows(file: InputFile, path: str, start: Start, number: int) -> Iterator[Row]:
    """
    Some consecutive rows of a file.

    # Parameters

    path : `str`
        The place of the file, which `file.path` may give relative to another folder.
    number : `int`
        How many rows to read.

    # Raises

    `ConfigurationError`
        If the file has changed.
    """
    if os.stat(path).st_size != file.size:
        raise _has_changed(file, f"{os.stat(path).st_size} bytes", f"{file.size}")
    found = 0
    for row in islice(_rows(file, path, start), number):
        found += 1
        yield row
    if found != number:
        raise _has_changed(file, f"{found} rows from row {start.number} on", f"{number}")


def _rows(file: InputFile, path: str, start: Start) -> Iterator[Row]:
    if file.format == PARQUET:
        for number, columns in enumerate(parquet.read_rows(path, start.offset), start.number):
            length = sum(len(value) for value in columns.values() if isinstance(value, str))
            yield Row(file.path, number, columns, file.format, size_of_text(length))
        return
    with _opened(path) as content:
        try:
            content.seek(start.offset)
        except DAMAGED as error:
            raise _has_changed(file, f"damaged data ({error})", "complete data") from error
        for item in items_of_file(content, file.path, file.format):
            if item.error:
                raise _has_changed(file, f"damaged data ({item.error})", "complete data")
            number = start.number + item.position - 1
            yield Row(file.path, number, item.content, file.format, item.size)


def _has_changed(file: InputFile, found: str, expected: str) -> ConfigurationError:
    return ConfigurationError(
        f"{file.path}: found {found}; expected {expected}, as when the run began"
    )


def _opened(path: str) -> BinaryIO:
    return cast(BinaryIO, open_compressed(path, "rb", encoding=None))
