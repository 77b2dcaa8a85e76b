"""The input files of a run: where their rows begin, and the rows from any place on."""

import os
from itertools import islice
from pathlib import Path
from typing import Iterator, List, NamedTuple, Optional, Sequence, Tuple

from lisa_allennlp.common.corpus_errors import UTF8
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats import parquet
from lisa_allennlp.labelling.groups import Item
from lisa_allennlp.labelling.input_formats import CSV, PARQUET, TEXT, TSV
from lisa_allennlp.labelling.sources import open_source


class InputFile(NamedTuple):
    """
    A file: its path as given, its format, its size in bytes, and its last change in nanoseconds;
    and for a table its column with the text, if any, and all columns.
    """

    path: str
    format: str
    size: int
    modified: int
    text_column: Optional[str] = None
    columns: Sequence[str] = ()


def find_inputs(
    paths: Sequence[str], input_format: Optional[str] = None, text_column: Optional[str] = None
) -> List[InputFile]:
    """Finds given files, and all files below given folders in the order of their names."""
    files: List[str] = []
    for path in paths:
        if os.path.isdir(path):
            below = sorted(str(file) for file in Path(path).rglob("*") if file.is_file())
            if not below:
                raise ConfigurationError(
                    f"INPUT: found no file in the folder {path}; expected a text or table"
                )
            files += below
        elif os.path.isfile(path):
            files.append(path)
        else:
            raise ConfigurationError(
                f"INPUT: found no file or folder {path}; expected a text or table"
            )
    found, seen = [], set()
    for path in files:
        if os.path.realpath(path) in seen:
            raise ConfigurationError(f"INPUT: found {path} twice; expected each file once")
        seen.add(os.path.realpath(path))
        status = os.stat(path)
        with open_source(path, input_format, text_column) as source:
            facts = source.format, status.st_size, status.st_mtime_ns
            found.append(InputFile(path, *facts, source.text_column, source.columns))
    return found


def row_starts(file: InputFile) -> Iterator[Tuple[int, int]]:
    """
    Yields each row's offset, in bytes after decompression or in rows of Parquet, and the number of
    its (first) line or row, from 1. Blank lines are no rows.
    """
    if file.format == TEXT:
        yield 0, 1
    elif file.format == PARQUET:
        yield from ((row, row + 1) for row in range(parquet.number_of_rows(file.path)))
    else:
        with open_source(file.path, file.format, file.text_column) as source:
            for item in source.items():
                if file.format in (CSV, TSV) and UTF8 in (item.error or ""):
                    # All of a table has one encoding, so other rows would be lost as well.
                    raise ConfigurationError(f"{item.place}: {item.error}")
                yield item.offset, item.position


def read_rows(
    file: InputFile,
    offset: int,
    number: int,
    rows: int,
    columns: Optional[parquet.Columns] = None,
) -> Iterator[Item]:
    """
    Reads consecutive rows, the first of which has this place, as items with a `Row`; rows of tables
    have these columns. Refuses a file that has changed.
    """
    _check_unchanged(file)
    with open_source(file.path, file.format, file.text_column) as source:
        yield from islice(source.items(offset, number, columns), rows)
    _check_unchanged(file)


def _check_unchanged(file: InputFile) -> None:
    status = os.stat(file.path)
    if (status.st_size, status.st_mtime_ns) != (file.size, file.modified):
        raise ConfigurationError(
            f"{file.path}: found a file that was changed; expected it as it was when the run began"
        )
