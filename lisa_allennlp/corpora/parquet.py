"""
Reads and writes Parquet with pyarrow, an optional requirement.

    >>> from lisa_allennlp.data.sentence import Sentence
    >>> record_of(Sentence(["Rain"], pos=["NN"], extra={"id": 7}), "id", None)
    {'id': '7', 'text': None, 'sentences': [{'words': ['Rain'], 'pos': ['NN']}]}
"""

import importlib
import json
from itertools import repeat
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.document import SENTENCES, Document
from lisa_allennlp.data.sentence import Sentence

TEXT, EXTRA = "text", "extra"
"""The columns of the output for the raw text, and for the other keys of JSON lines."""

ROWS_AT_ONCE = 1000
"""The rows that are read at once, and the rows of a row group that is written."""


class Columns(NamedTuple):
    """The columns for the labeller, as far as a file has them, and those to copy (to JSON)."""

    read: Sequence[str]
    kept: Sequence[str]
    to_json: bool


def require(name: str, why: str) -> Any:
    """
    Imports an optional requirement.

    # Raises

    `ConfigurationError`
        If it is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ConfigurationError(
            f"{why}: found no package {name.partition('.')[0]}; expected it to be installed: "
            "pip install 'lisa-allennlp[large]'"
        ) from error


def _arrow() -> Any:
    return require("pyarrow", "Parquet")


def _opened(path: str) -> Any:
    try:
        return require("pyarrow.parquet", path).ParquetFile(path)
    except _arrow().ArrowInvalid as error:
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
    Reads the rows from a 0-based position on, without earlier row groups and other columns.

    # Returns

    `Iterator[Tuple[Dict[str, Any], Dict[str, Any]]]`
        The columns for the labeller, and those to copy: values of JSON, or scalars of Arrow, which
        keep what Python's types cannot hold.

    # Raises

    `ConfigurationError`
        If one of these columns is damaged.
    """
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
                others = part.select(kept)
                copied = _rows_of_json(others) if columns.to_json else _scalars(others)
                yield from zip(_rows_of_json(part.select(read)), copied, strict=True)
        except (_arrow().ArrowException, OSError, ValueError, OverflowError) as error:
            reason = str(error).partition(". ")[0]
            raise ConfigurationError(
                f"{path}: found damaged data ({reason}); expected a whole file"
            ) from error


def _rows_of_json(batch: Any) -> Iterator[Dict[str, Any]]:
    """
    The rows as JSON has them. Times are texts, since Python has no nanoseconds and no years after
    9999; infinite numbers and NaN are null.
    """
    arrow = _arrow()
    columns = [
        column.cast(arrow.string()) if arrow.types.is_temporal(column.type) else column
        for column in batch.columns
    ]
    if not columns:
        return repeat({}, batch.num_rows)
    rows = arrow.RecordBatch.from_arrays(columns, names=batch.schema.names).to_pylist()
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
    Finds the columns to copy from Parquet files, in the order of their first appearance.

    # Parameters

    required : `Dict[str, Sequence[str]]`
        The columns of which a file needs one, by the option that names them.
    read : `Sequence[str]`
        The columns that the labeller reads.
    keep : `Sequence[str]`, optional (default = all)
        The others to copy.
    to_json : `bool`
        Whether they are copied to JSON.

    # Returns

    `pyarrow.Schema`

    # Raises

    `ConfigurationError`
        If a file lacks a column, two files have different types for one, or JSON cannot have it.
    """
    arrow = _arrow()
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
        schemas.append(arrow.schema(fields))
    try:
        return arrow.unify_schemas(schemas)
    except (arrow.ArrowInvalid, arrow.ArrowTypeError) as error:
        raise ConfigurationError(
            f"--keep: found columns of different types ({error}); expected the same in all files"
        ) from error


def output_schema(id_column: str, kept: Any, has_extra: bool) -> Any:
    """
    Makes the schema of all shards.

    # Parameters

    kept : `pyarrow.Schema`, optional
        The columns that are copied from Parquet inputs.
    has_extra : `bool`
        Whether inputs are JSON lines, whose other keys are in the column `extra`.
    """
    arrow = _arrow()
    text, numbers = arrow.string(), arrow.list_(arrow.int32())
    texts, reals = arrow.list_(arrow.string()), arrow.list_(arrow.float64())
    span = arrow.struct([("role", text), ("first", arrow.int32()), ("last", arrow.int32())])
    candidate = arrow.struct([("supertag", text), ("probability", arrow.float64())])
    verb = [
        *(("verb", text), ("index", arrow.int32()), ("description", text), ("tags", texts)),
        *(("spans", arrow.list_(span)), ("offsets", arrow.list_(numbers))),
        *(("lemma", text), ("sense", text), ("gloss", text)),
        *(("role_glosses", arrow.map_(text, text)), ("probability", arrow.float64())),
        ("span_probabilities", reals),
    ]
    sentence = [
        *(("words", texts), ("pos", texts), ("predicted_heads", numbers)),
        *(("predicted_dependencies", texts), ("predicates", numbers)),
        *(("predicate_probabilities", reals), ("pos_probabilities", reals)),
        *(("head_probabilities", reals), ("verbs", arrow.list_(arrow.struct(verb)))),
        *(("supertags", texts), ("candidates", arrow.list_(arrow.list_(candidate)))),
        ("offsets", arrow.list_(numbers)),
    ]
    columns = [(id_column, text), *((field.name, field.type) for field in kept or ())]
    columns += [(EXTRA, text)] * has_extra
    columns += [(TEXT, text), (SENTENCES, arrow.list_(arrow.struct(sentence)))]
    return arrow.schema(columns)


def record_of(
    answer: Union[Sentence, Document], id_column: str, kept: Optional[Dict[str, Any]]
) -> Dict[str, Any]:
    """
    Makes a row of the output.

    # Parameters

    answer : `Union[Sentence, Document]`
        With the id among its extra keys.
    kept : `Dict[str, Any]`, optional
        The columns to copy from a Parquet file. Without them, the column `extra` has the extra
        keys.
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
    record[SENTENCES] = [_sentence(sentence) for sentence in sentences]
    return record


def _sentence(sentence: Sentence) -> Dict[str, Any]:
    described = sentence.to_dict()
    for key in sentence.extra:
        del described[key]
    for verb in described.get("verbs", ()):
        verb["spans"] = [
            dict(zip(("role", "first", "last"), span, strict=True)) for span in verb["spans"]
        ]
        if "role_glosses" in verb:
            verb["role_glosses"] = list(verb["role_glosses"].items())
    if "candidates" in described:
        described["candidates"] = [
            [{"supertag": tag, "probability": probability} for tag, probability in ranked]
            for ranked in described["candidates"]
        ]
    return described


class ParquetWriter:
    """Writes a shard. A context manager."""

    def __init__(self, path: Path, schema: Any) -> None:
        self._schema = schema
        self._records: List[Dict[str, Any]] = []
        parquet = require("pyarrow.parquet", "Parquet")
        self._writer = parquet.ParquetWriter(str(path), schema, compression="zstd")

    def __enter__(self) -> "ParquetWriter":
        return self

    def __exit__(self, error_type: Any, *_: Any) -> None:
        if error_type is None:
            self._write_group()
        self._writer.close()

    def write(self, record: Dict[str, Any]) -> None:
        """Writes a row, when a row group of them is complete."""
        self._records.append(record)
        if len(self._records) == ROWS_AT_ONCE:
            self._write_group()

    def _write_group(self) -> None:
        if self._records:
            self._writer.write_table(_arrow().Table.from_pylist(self._records, self._schema))
            self._records = []
