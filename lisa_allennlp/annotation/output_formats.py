"""
The formats of the shards.

    >>> from lisa_allennlp.annotation.input_files import Row
    >>> lines = JsonLines()
    >>> row = Row("rain.txt", 1, b"Rain", "lines", 1)
    >>> lines.record(Sentence(["Rain"], pos=["NN"], extra={"id": 7}), row)
    b'{"id": 7, "words": ["Rain"], "pos": ["NN"]}\\n'
"""

import gzip
import json
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Dict, Optional, Protocol, Type, Union

from allennlp.common.file_utils import open_compressed

from lisa_allennlp.annotation import parquet
from lisa_allennlp.annotation.formats import PARQUET
from lisa_allennlp.annotation.input_files import Row
from lisa_allennlp.data.document import Document
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.writing import document_to_json, to_json

Answer = Union[Sentence, Document]


class RecordWriter(Protocol):
    """Writes records to a file; a context manager."""

    def __enter__(self) -> "RecordWriter": ...

    def __exit__(
        self,
        error_type: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> Optional[bool]: ...

    def write(self, record: Any) -> Any:
        """Writes what `record` returned."""


class OutputFormat(Protocol):
    """The format of a shard."""

    def record(self, answer: Answer, row: Row) -> Any:
        """The record of an answer, which has the id among its extra keys."""

    def open(self, path: Path) -> RecordWriter:
        """Opens a file to write."""

    def number_of_rows(self, path: Path) -> int:
        """The number of records in a file."""


class JsonLines:
    """
    JSON lines, as `lisa predict` writes them.

    # Parameters

    compressed : `bool`, optional (default = `False`)
    """

    def __init__(self, compressed: bool = False) -> None:
        self._compressed = compressed

    def record(self, answer: Answer, row: Row) -> bytes:
        """As in `OutputFormat`: a line."""
        if row.format == PARQUET:
            extra = json.loads(json.dumps(dict(answer.extra), default=str))
            answer = replace(answer, extra=extra)
        line = document_to_json(answer) if isinstance(answer, Document) else to_json(answer)
        return line.encode()

    def open(self, path: Path) -> RecordWriter:
        """As in `OutputFormat`."""
        return _GzipWriter(path) if self._compressed else path.open("wb")

    def number_of_rows(self, path: Path) -> int:
        """As in `OutputFormat`."""
        with open_compressed(path, "rb", encoding=None) as file:
            return sum(1 for _ in file)


class _GzipWriter(ExitStack):
    """A compressed file without name and time, so that equal rows are equal bytes."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        raw = self.enter_context(path.open("wb"))
        self._file = self.enter_context(gzip.GzipFile("", "wb", 6, raw, mtime=0))

    def write(self, record: bytes) -> None:
        self._file.write(record)


class Parquet:
    """
    # Parameters

    schema : `pyarrow.Schema`
    id_column : `str`
    """

    def __init__(self, schema: Any, id_column: str) -> None:
        self._schema = schema
        self._id_column = id_column

    def record(self, answer: Answer, row: Row) -> Dict[str, Any]:
        """As in `OutputFormat`."""
        return parquet.record_of(answer, self._id_column, row.format == PARQUET)

    def open(self, path: Path) -> RecordWriter:
        """As in `OutputFormat`."""
        return parquet.ParquetWriter(path, self._schema)

    def number_of_rows(self, path: Path) -> int:
        """As in `OutputFormat`."""
        return parquet.number_of_rows(str(path))


def output_format(ending: str, schema: str, id_column: str) -> OutputFormat:
    """
    # Parameters

    ending : `str`
        One of `OUTPUT_FORMATS`.
    schema : `str`
        For Parquet, as `parquet.schema_to_text` returns it.
    id_column : `str`
    """
    if ending == PARQUET:
        return Parquet(parquet.schema_from_text(schema), id_column)
    return JsonLines(compressed=ending.endswith(".gz"))
