"""
Reads and writes Parquet with pyarrow, an optional requirement.

    >>> from lisa_allennlp.data.sentence import Sentence
    >>> record_of(Sentence(["Rain"], pos=["NN"], extra={"id": 7}), "id", True)
    {'id': '7', 'text': None, 'sentences': [{'words': ['Rain'], 'pos': ['NN']}]}
"""

import base64
import importlib
import json
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence, Union

from allennlp.common.checks import ConfigurationError

from lisa_allennlp.data.document import SENTENCES, Document
from lisa_allennlp.data.sentence import Sentence

TEXT, EXTRA = "text", "extra"
"""The columns of the output for the raw text, and for the other keys of JSON lines."""

ROWS_AT_ONCE = 1000
"""The rows that are read at once, and the rows of a row group that is written."""


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
            "pip install --no-deps -r requirements/large.txt"
        ) from error


def _parquet(why: str = "Parquet") -> Any:
    return require("pyarrow.parquet", why)


def _opened(path: str) -> Any:
    try:
        return _parquet(path).ParquetFile(path)
    except _arrow().ArrowInvalid as error:
        reason = str(error).partition(". ")[0]
        raise ConfigurationError(f"{path}: found no Parquet file ({reason})") from error


def _arrow() -> Any:
    return require("pyarrow", "Parquet")


def number_of_rows(path: str) -> int:
    """
    # Raises

    `ConfigurationError`
        If pyarrow is missing, or this is no Parquet file.
    """
    with _opened(path) as file:
        return file.metadata.num_rows


def schema_of(path: str) -> Any:
    """The `pyarrow.Schema` of a file."""
    with _opened(path) as file:
        return file.schema_arrow


def read_rows(path: str, start: int) -> Iterator[Dict[str, Any]]:
    """The rows from a 0-based position on, as dictionaries. Earlier row groups are not read."""
    with _opened(path) as file:
        groups: List[int] = []
        for number in range(file.metadata.num_row_groups):
            rows = file.metadata.row_group(number).num_rows
            if not groups and start >= rows:
                start -= rows
            else:
                groups.append(number)
        for batch in file.iter_batches(ROWS_AT_ONCE, row_groups=groups) if groups else ():
            yield from batch.slice(min(start, batch.num_rows)).to_pylist()
            start -= min(start, batch.num_rows)


def output_schema(id_column: str, kept: Any, has_extra: bool) -> Any:
    """
    The schema of all shards.

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


def schema_to_text(schema: Any) -> str:
    """A schema in base 64, which `schema_from_text` reads."""
    return base64.b64encode(schema.serialize().to_pybytes()).decode()


def schema_from_text(text: str) -> Any:
    """The reverse of `schema_to_text`."""
    buffer = _arrow().py_buffer(base64.b64decode(text))
    return require("pyarrow.ipc", "Parquet").read_schema(buffer)


def record_of(
    answer: Union[Sentence, Document], id_column: str, has_columns: bool
) -> Dict[str, Any]:
    """
    A row of the output.

    # Parameters

    answer : `Union[Sentence, Document]`
        With the id among its extra keys.
    has_columns : `bool`
        Whether the extra keys are columns of the output; otherwise, the column `extra` has them.
    """
    others = dict(answer.extra)
    given = others.pop(id_column)
    name = given if isinstance(given, str) else json.dumps(given, default=str)
    # Lone surrogates cannot be written.
    name.encode()
    record: Dict[str, Any] = {id_column: name, **(others if has_columns else {})}
    if others and not has_columns:
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


def kept_columns(paths: Sequence[str], left_out: Sequence[str], keep: Optional[List[str]]) -> Any:
    """
    The schema of the columns to copy from Parquet files, in the order of their first appearance.

    # Parameters

    left_out : `Sequence[str]`
        Columns that the labeller reads.
    keep : `List[str]`, optional
        The columns to keep, in every file; `None` for all.

    # Raises

    `ConfigurationError`
        If a file lacks a column, or two files have different types for one.
    """
    arrow = _arrow()
    schemas = []
    for path in paths:
        schema = schema_of(path)
        for name in keep or ():
            check_column(path, schema, "--keep", name)
        fields = [f for f in schema if f.name not in left_out and (keep is None or f.name in keep)]
        schemas.append(arrow.schema(fields))
    try:
        return arrow.unify_schemas(schemas)
    except (arrow.ArrowInvalid, arrow.ArrowTypeError) as error:
        raise ConfigurationError(
            f"--keep: found columns of different types ({error}); expected the same in all files"
        ) from error


def check_column(path: str, schema: Any, option: str, name: str) -> None:
    """
    # Raises

    `ConfigurationError`
        If a schema has no such column.
    """
    if name not in schema.names:
        raise ConfigurationError(
            f"{option}: found no column {name} in {path}; expected one of {', '.join(schema.names)}"
        )


def check_no_bytes(kept: Any) -> None:
    """
    # Raises

    `ConfigurationError`
        If a column has bytes, which JSON cannot hold.
    """
    types = _arrow().types
    for field in kept:
        if types.is_binary(field.type) or types.is_large_binary(field.type):
            raise ConfigurationError(
                f"--keep: found the column {field.name} with {field.type}; expected other columns, "
                "or --format parquet, since JSON has no bytes"
            )


class ParquetWriter:
    """
    Writes a shard. A context manager.

    # Parameters

    path : `Path`
    schema : `pyarrow.Schema`
    """

    def __init__(self, path: Path, schema: Any) -> None:
        self._schema = schema
        self._records: List[Dict[str, Any]] = []
        self._writer = _parquet().ParquetWriter(str(path), schema, compression="zstd")

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
