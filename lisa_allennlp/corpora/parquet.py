"""
Reads and writes Parquet with pyarrow, an optional requirement.

    >>> from lisa_allennlp.data.sentence import Sentence
    >>> record_of(Sentence(["Rain"], pos=["NN"], extra={"id": 7}), "id", None)
    {'id': '7', 'text': None, 'sentences': [{'words': ['Rain'], 'pos': ['NN']}]}
"""

import json
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path
from typing import (
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    Union,
    get_args,
    get_origin,
)

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.document import SENTENCES, Document
from lisa_allennlp.data.json_values import fields_of
from lisa_allennlp.data.sentence import Matrix, Sentence, SentenceRecord

TEXT, EXTRA = "text", "extra"
"""The columns of the output for the raw text, and for the other keys of JSON lines."""

ROWS_AT_ONCE = 1000
"""The rows that are read at once, and the rows of a row group that is written."""


class Columns(NamedTuple):
    """
    The columns to read as JSON has them, and those to copy as they are to Parquet; as far as a file
    has them.
    """

    read: Sequence[str]
    kept: Sequence[str]


def _opened(path: str) -> Any:
    import pyarrow
    from pyarrow import parquet

    try:
        return parquet.ParquetFile(path)
    except pyarrow.ArrowInvalid as error:
        reason = str(error).partition(". ")[0]
        raise ConfigurationError(f"{path}: found no Parquet file ({reason})") from error


def number_of_rows(path: str) -> int:
    """Reads the number of rows from a file's footer."""
    with _opened(path) as file:
        return file.metadata.num_rows


def read_rows(
    path: str, start: int, columns: Columns
) -> Iterator[Tuple[Dict[str, Any], Dict[str, Any]]]:
    """
    Reads the rows from a 0-based position on, without earlier row groups and other columns. Yields
    values of JSON, and scalars of Arrow, which keep what Python's types cannot hold.
    """
    import pyarrow

    with _opened(path) as file:
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
        batches = file.iter_batches(ROWS_AT_ONCE, groups, [*read, *kept], use_threads=False)
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
    Yields the rows as JSON has them. Times are texts, since Python has no nanoseconds and no years
    after 9999; infinite numbers and NaN are null.
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


def kept_columns(
    paths: Sequence[str],
    required: Dict[str, Sequence[str]],
    read: Sequence[str],
    keep: Optional[Sequence[str]],
    to_json: bool,
) -> Any:
    """
    Returns the schema of the columns to copy from Parquet files, in the order of their first
    appearance: those of `keep`, by default all, which the labeller does not `read`. Of the columns
    of each `required` option, a file needs one.
    """
    import pyarrow

    needed = [*required.items(), *(("--keep", [name]) for name in keep or ())]
    schemas = []
    for path in paths:
        with _opened(path) as file:
            schema = file.schema_arrow
        for option, names in needed:
            if not {*names} & {*schema.names}:
                raise ConfigurationError(
                    f"{option}: found the columns {', '.join(schema.names)} in {path}; expected "
                    f"{' or '.join(names)}"
                )
        fields = [f for f in schema if f.name not in read and (keep is None or f.name in keep)]
        for field in fields:
            if to_json and "binary" in str(field.type):
                raise ConfigurationError(
                    f"--keep: found the column {field.name} with {field.type}; expected other "
                    "columns, or --format parquet, since JSON has no bytes"
                )
        schemas.append(pyarrow.schema(fields))
    try:
        return pyarrow.unify_schemas(schemas)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError) as error:
        raise ConfigurationError(
            f"--keep: found columns of different types ({error}); expected the same in all files"
        ) from error


def output_schema(id_column: str, kept: Any, has_extra: bool) -> Any:
    """
    Makes the schema of all shards, with the columns of Parquet inputs that are kept. If inputs are
    JSON lines, the column `extra` has their other keys.
    """
    import pyarrow

    columns = [
        pyarrow.field(id_column, pyarrow.string()),
        *(kept or ()),
        *[pyarrow.field(EXTRA, pyarrow.string())] * has_extra,
        pyarrow.field(TEXT, pyarrow.string()),
        pyarrow.field(SENTENCES, _type_of(List[SentenceRecord])),
    ]
    return pyarrow.schema(columns)


def _type_of(hint: Any) -> Any:
    """Returns the type of Arrow for a type hint. Structs have no matrices."""
    import pyarrow

    if hint in (str, int, float):
        return {str: pyarrow.string(), int: pyarrow.int32(), float: pyarrow.float64()}[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Union:
        return _type_of(arguments[0])
    if origin is dict:
        return pyarrow.map_(*map(_type_of, arguments))
    if origin in (list, tuple):
        return pyarrow.list_(_type_of(arguments[0]))
    fields = fields_of(hint).items()
    return pyarrow.struct([(name, _type_of(h)) for name, h in fields if h != Matrix])


def record_of(
    answer: Union[Sentence, Document], id_column: str, kept: Optional[Dict[str, Any]]
) -> Dict[str, Any]:
    """
    Makes a row of the output from an answer with the id among its extra keys, and the columns to
    copy from a Parquet file. Without them, the column `extra` has the extra keys.
    """
    others = dict(answer.extra)
    given = others.pop(id_column)
    name = given if isinstance(given, str) else json.dumps(given)
    # Lone surrogates cannot be written.
    name.encode()
    record: Dict[str, Any] = {id_column: name, **(kept or {})}
    if others and kept is None:
        record[EXTRA] = json.dumps(others)
    record[TEXT] = answer.text
    sentences = answer.sentences if isinstance(answer, Document) else [answer]
    record[SENTENCES] = [_of_type(SentenceRecord, sentence.to_dict()) for sentence in sentences]
    return record


def _of_type(hint: Any, value: Any) -> Any:
    """Converts JSON to what Arrow takes: structs as objects with the known keys, maps as pairs."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is list:
        return [_of_type(arguments[0], item) for item in value]
    if origin is dict:
        return list(value.items())
    if origin is not None or hint in (str, int, float):
        return value
    fields = fields_of(hint)
    named = value if isinstance(value, dict) else dict(zip(fields, value, strict=True))
    return {name: _of_type(fields[name], named[name]) for name in fields if name in named}


@contextmanager
def writer(path: Path, schema: Any) -> Iterator[Callable[[Dict[str, Any]], None]]:
    """Opens a shard, and yields what writes a row, when a row group of them is complete."""
    import pyarrow
    from pyarrow import parquet

    records: List[Dict[str, Any]] = []

    def write_group() -> None:
        if records:
            file.write_table(pyarrow.Table.from_pylist(records, schema))
            records.clear()

    def write(record: Dict[str, Any]) -> None:
        records.append(record)
        if len(records) == ROWS_AT_ONCE:
            write_group()

    with parquet.ParquetWriter(str(path), schema, compression="zstd") as file:
        yield write
        write_group()
