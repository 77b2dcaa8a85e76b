"""Reads the input files of a run: where their rows begin, and the rows themselves."""

import os
from contextlib import contextmanager
from itertools import dropwhile, islice
from pathlib import Path
from typing import Any, BinaryIO, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.user_errors import DAMAGED
from lisa_allennlp.data.formats import parquet
from lisa_allennlp.labelling.groups import Item, size_of_text
from lisa_allennlp.labelling.input_files import (
    SentenceLines,
    check_is_not_json,
    item_of_sentence,
    items_of_file,
    items_of_lines,
    lines_of,
    open_input,
    recognised,
    sentence_lines,
)
from lisa_allennlp.labelling.input_formats import CORPORA, PARQUET, TEXT


class InputFile(NamedTuple):
    """A file: its path as given, its format, its bytes, and its last change in nanoseconds."""

    path: str
    format: str
    size: int
    modified: int


class Row(NamedTuple):
    """
    A row, with the bytes of a line or file, the lines of a sentence, or the columns of a Parquet
    row that are read and those that are copied.
    """

    format: str
    content: Any
    kept: Optional[Dict[str, Any]] = None


def find_inputs(paths: Sequence[str], input_format: Optional[str] = None) -> List[InputFile]:
    """Finds the files that are given, and all files below given folders in the names' order."""
    files: List[str] = []
    for path in paths:
        if os.path.isdir(path):
            files += sorted(str(file) for file in Path(path).rglob("*") if file.is_file())
        elif os.path.isfile(path):
            files.append(path)
        else:
            raise ConfigurationError(f"INPUT: found no file or folder {path}; expected one")
    seen = set()
    for path in files:
        if os.path.realpath(path) in seen:
            raise ConfigurationError(f"INPUT: found {path} twice; expected each file once")
        seen.add(os.path.realpath(path))
    return [_input_file(path, input_format) for path in files]


def _input_file(path: str, chosen: Optional[str]) -> InputFile:
    status = os.stat(path)
    with open_input(path) as opened:
        found = recognised(opened, path, chosen)
    if found == TEXT and chosen is None:
        with open_input(path) as content:
            try:
                check_is_not_json(content.read(1000))
            except ConfigurationError as error:
                raise ConfigurationError(f"{path}: {error.message}") from error
    return InputFile(path, found, status.st_size, status.st_mtime_ns)


def row_starts(file: InputFile) -> Iterator[Tuple[int, int]]:
    """
    Yields the place of each row: its offset, in bytes after decompression or, for Parquet, in rows;
    and the number of its (first) line or row, from 1. Blank lines are no rows.
    """
    if file.format == TEXT:
        yield 0, 1
    elif file.format in CORPORA:
        for sentence in _sentences(file):
            yield sentence.offset, sentence.number
    elif file.format == PARQUET:
        yield from ((row, row + 1) for row in range(parquet.number_of_rows(file.path)))
    else:
        with open_input(file.path) as content, _naming(file):
            for number, (offset, line) in enumerate(_lines_with_offsets(content), start=1):
                if line is None or not line.isspace():
                    yield offset, number


def read_rows(
    file: InputFile,
    offset: int,
    number: int,
    rows: int,
    columns: Optional[parquet.Columns] = None,
) -> Iterator[Item]:
    """
    Reads consecutive rows of a file, the first of which has this place. The content of the items is
    a `Row`. A file that has changed is refused.
    """
    _check_unchanged(file)
    for item in islice(_rows(file, offset, columns), rows):
        position = number + item.position - 1
        yield item._replace(place=f"{file.path}:{position}", position=position)
    _check_unchanged(file)


def _rows(file: InputFile, offset: int, columns: Optional[parquet.Columns]) -> Iterator[Item]:
    """Yields the rows from an offset on, with positions from 1."""
    if file.format == PARQUET:
        assert columns is not None
        rows = parquet.read_rows(file.path, offset, columns)
        for position, (content, kept) in enumerate(rows, start=1):
            length = sum(len(value) for value in content.values() if isinstance(value, str))
            row = Row(PARQUET, content, kept)
            yield Item(row, "", position, size=size_of_text(length))
        return
    if file.format in CORPORA:
        # The lines before an offset may name the document.
        sentences = dropwhile(lambda sentence: sentence.offset < offset, _sentences(file))
        first = None
        for sentence in sentences:
            first = first or sentence.number
            item = item_of_sentence(sentence, file.path)
            row = Row(file.format, item.content)
            yield item._replace(content=row, position=sentence.number - first + 1)
        return
    with open_input(file.path) as opened, _naming(file):
        opened.seek(offset)
        if file.format == TEXT:
            items = items_of_file(opened, file.path, TEXT)
        else:
            items = items_of_lines(opened, file.path)
        for item in items:
            if item.error or file.format == TEXT or not item.content.isspace():
                yield item._replace(content=Row(file.format, item.content))


def _sentences(file: InputFile) -> Iterator[SentenceLines]:
    """The sentences of a file in columns."""
    with open_input(file.path) as opened, _naming(file):
        yield from sentence_lines(_lines_with_offsets(opened))


def _lines_with_offsets(opened: BinaryIO) -> Iterator[Tuple[int, Optional[bytes]]]:
    offset = 0
    for line in lines_of(opened):
        yield offset, line
        offset = opened.tell()


def _check_unchanged(file: InputFile) -> None:
    status = os.stat(file.path)
    if (status.st_size, status.st_mtime_ns) != (file.size, file.modified):
        raise ConfigurationError(
            f"{file.path}: found a file that was changed; expected it as when the run began"
        )


@contextmanager
def _naming(file: InputFile) -> Iterator[None]:
    """Names the file in errors of reading."""
    try:
        yield
    except (*DAMAGED, OSError) as error:
        raise ConfigurationError(
            f"{file.path}: found damaged data ({error}); expected a whole file"
        ) from error
