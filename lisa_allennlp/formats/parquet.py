"""
Parquet, with pyarrow, an optional requirement: any columns, and the answers that `lisa annotate`
writes.

    >>> from lisa_allennlp.sentence.sentence import Sentence
    >>> arrow_of(SentenceRecord, Sentence(["Rain"], pos=["NN"]).to_dict())
    {'words': ['Rain'], 'pos': ['NN']}
    >>> json_of(SentenceRecord, {"words": ["Rain"], "pos": ["NN"], "upos": None})
    {'words': ['Rain'], 'pos': ['NN']}
"""

import json
from contextlib import contextmanager
from functools import cache
from itertools import repeat
from typing import (
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Sequence,
    Tuple,
    Union,
    get_args,
    get_origin,
)

from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.json_values import fields_of
from lisa_allennlp.formats.columns import LocatedSentence, PathName, at_least_one
from lisa_allennlp.formats.json_lines import read_answer
from lisa_allennlp.sentence.document import SENTENCES
from lisa_allennlp.sentence.sentence import Matrix, SentenceInput, SentenceRecord

TEXT, EXTRA = "text", "extra"
"""The columns of answers for the raw text, and for other keys, as a JSON object."""

INPUT_KEYS = tuple(SentenceInput.__annotations__)
"""The columns that some labellers read. Empty values count as missing."""

ROWS_AT_ONCE = 1000
"""The rows that are read at once, and the rows of a row group that is written."""


class Columns(NamedTuple):
    """The columns to read as JSON, and those to copy as they are."""

    read: Sequence[str]
    kept: Sequence[str]


def open_parquet(path: PathName) -> Any:
    import pyarrow
    from pyarrow import parquet

    try:
        return parquet.ParquetFile(str(path))
    except pyarrow.ArrowInvalid as error:
        reason = str(error).partition(". ")[0]
        raise ConfigurationError(f"{path}: found no Parquet file ({reason})") from error


def number_of_rows(path: PathName) -> int:
    with open_parquet(path) as file:
        return file.metadata.num_rows


def column_names(path: PathName) -> List[str]:
    with open_parquet(path) as file:
        return list(file.schema_arrow.names)


def read_rows(
    path: PathName, start: int, columns: Columns
) -> Iterator[Tuple[Dict[str, Any], Dict[str, Any]]]:
    """
    Reads rows from a 0-based position on, skipping earlier row groups. Yields values of JSON, and
    scalars of Arrow, which keep what Python's types cannot hold.
    """
    import pyarrow

    with open_parquet(path) as file:
        groups: List[int] = []
        for number in range(file.metadata.num_row_groups):
            rows = file.metadata.row_group(number).num_rows
            if not groups and start >= rows:
                start -= rows
            else:
                groups.append(number)
        names = file.schema_arrow.names
        read = [name for name in columns.read if name in names]
        kept = [name for name in columns.kept if name in names]
        both = list(dict.fromkeys([*read, *kept]))
        batches = file.iter_batches(ROWS_AT_ONCE, groups, both, use_threads=False)
        try:
            for batch in batches if groups else ():
                part = batch.slice(min(start, batch.num_rows))
                start -= batch.num_rows - part.num_rows
                rows_of_json = _rows_of_json(part.select(read))
                yield from zip(rows_of_json, _scalars(part.select(kept)), strict=True)
        except (pyarrow.ArrowException, OSError, ValueError, OverflowError) as error:
            reason = str(error).partition(". ")[0]
            raise ConfigurationError(
                f"{path}: found damaged data ({reason}); expected a whole file"
            ) from error


def _rows_of_json(batch: Any) -> Iterator[Dict[str, Any]]:
    """
    Times are texts, since Python has no nanoseconds and no years after 9999; infinite numbers and
    NaN are null.
    """
    import pyarrow

    columns = [
        column.cast(pyarrow.string()) if pyarrow.types.is_temporal(column.type) else column
        for column in batch.columns
    ]
    if not columns:
        return repeat({}, batch.num_rows)
    rows = pyarrow.RecordBatch.from_arrays(columns, names=batch.schema.names).to_pylist()
    texts = (json.dumps(row, default=str) for row in rows)
    return (json.loads(text, parse_constant=lambda _: None) for text in texts)


def _scalars(batch: Any) -> Iterator[Dict[str, Any]]:
    names = batch.schema.names
    rows = zip(*batch.columns, strict=True) if names else repeat((), batch.num_rows)
    return (dict(zip(names, row, strict=True)) for row in rows)


def answer_columns(path: PathName) -> List[str]:
    """Returns the columns with answers of `lisa annotate` or lists of `words`, to label again."""
    with open_parquet(path) as file:
        types = {field.name: str(field.type) for field in file.schema_arrow}
    if types.get(SENTENCES, "").startswith("list<") and "struct<words: list<" in types[SENTENCES]:
        return [SENTENCES, EXTRA]
    return ["words"] if types.get("words", "").startswith("list<") else []


def input_of(row: Mapping[str, Any]) -> Dict[str, Any]:
    """
    Returns a row of JSON as an input of `lisa predict`, without missing values. A row of answers
    has the keys of the column `extra`.
    """
    given = {k: v for k, v in row.items() if v is not None or k not in INPUT_KEYS}
    if not isinstance(given.get(SENTENCES), list):
        return given
    others = given.pop(EXTRA, None)
    sentences = [json_of(SentenceRecord, sentence) for sentence in given.pop(SENTENCES)]
    given = {**{k: v for k, v in given.items() if v is not None}, **json.loads(others or "{}")}
    if TEXT not in given and len(sentences) == 1:
        return {**given, **sentences[0]}
    return {TEXT: "", **given, SENTENCES: sentences}


def parse_parquet(path: PathName) -> Iterator[LocatedSentence]:
    """
    Reads sentences of `lisa annotate`; their lines are rows, from 1. Raises a `CorpusFormatError`
    without the column `sentences`, or without any.
    """
    if SENTENCES not in answer_columns(path):
        found = "no column `sentences` with words"
        raise CorpusFormatError(path, None, found, "what `lisa annotate --format parquet` writes")
    rows = read_rows(path, 0, Columns(column_names(path), []))
    sentences = (
        located
        for number, (row, _) in enumerate(rows, start=1)
        for located in read_answer(path, number, input_of(row))
    )
    return at_least_one(sentences, path)


def arrow_type(hint: Any) -> Any:
    """Returns the type of Arrow for a type hint or for itself. Structs have no matrices."""
    import pyarrow

    if isinstance(hint, pyarrow.DataType):
        return hint
    plain = {str: pyarrow.string(), int: pyarrow.int32(), float: pyarrow.float64()}
    plain[bool] = pyarrow.bool_()
    if hint in plain:
        return plain[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Union:
        return arrow_type(arguments[0])
    if origin is dict:
        return pyarrow.map_(*map(arrow_type, arguments))
    if origin in (list, tuple):
        return pyarrow.list_(arrow_type(arguments[0]))
    fields = fields_of(hint).items()
    return pyarrow.struct([(name, arrow_type(h)) for name, h in fields if h != Matrix])


@cache
def _is_the_same(hint: Any) -> bool:
    origin = get_origin(hint)
    if origin is list:
        return _is_the_same(get_args(hint)[0])
    return hint in (str, int, float) or origin not in (None, dict)


def arrow_of(hint: Any, value: Any) -> Any:
    """Converts JSON to what Arrow takes: structs as objects with the known keys, maps as pairs."""
    if _is_the_same(hint):
        return value
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is list:
        return [arrow_of(arguments[0], item) for item in value]
    if origin is dict:
        return list(value.items())
    fields = fields_of(hint)
    named = value if isinstance(value, dict) else dict(zip(fields, value, strict=True))
    return {name: arrow_of(fields[name], named[name]) for name in fields if name in named}


def json_of(hint: Any, value: Any) -> Any:
    """Converts what Arrow returns to JSON, without nulls."""
    origin, arguments = get_origin(hint), get_args(hint)
    if value is None or hint in (str, int, float):
        return value
    if origin is list:
        return [json_of(arguments[0], item) for item in value]
    if origin is Union:
        return json_of(arguments[0], value)
    if origin is not None:
        return dict(value) if origin is dict else value
    fields = fields_of(hint)
    known = {k: json_of(fields[k], v) for k, v in value.items() if v is not None and k in fields}
    return known if issubclass(hint, dict) else list(known.values())


def batch_of(records: Sequence[Mapping[str, Any]], schema: Any) -> Any:
    """
    Returns a `pyarrow.RecordBatch`. The time depends on the values that are there: most records
    lack nearly all columns of roles.
    """
    import pyarrow

    columns: Dict[str, List[Any]] = {}
    for number, record in enumerate(records):
        for name, value in record.items():
            if name not in columns:
                columns[name] = [None] * len(records)
            columns[name][number] = value
    arrays = [
        pyarrow.array(columns[field.name], field.type)
        if field.name in columns
        else pyarrow.nulls(len(records), field.type)
        for field in schema
    ]
    return pyarrow.RecordBatch.from_arrays(arrays, schema=schema)


@contextmanager
def writer(path: Any, schema: Any) -> Iterator[Callable[[Dict[str, Any]], None]]:
    """Opens a file or a stream of bytes, and yields a function that writes a row."""
    from pyarrow import parquet

    records: List[Dict[str, Any]] = []

    def write_group() -> None:
        if records:
            file.write_batch(batch_of(records, schema))
            records.clear()

    def write(record: Dict[str, Any]) -> None:
        records.append(record)
        if len(records) == ROWS_AT_ONCE:
            write_group()

    with parquet.ParquetWriter(path, schema, compression="zstd") as file:
        yield write
        write_group()
