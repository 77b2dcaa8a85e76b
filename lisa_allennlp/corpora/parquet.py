"""Rows of answers in Parquet, and which columns of Parquet inputs to copy to them."""

import json
from typing import Any, Dict, List, Optional, Sequence, Union

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.document import SENTENCES, Document
from lisa_allennlp.data.formats.parquet import EXTRA, TEXT, arrow_of, arrow_type, open_parquet
from lisa_allennlp.data.formats.tables import name_of
from lisa_allennlp.data.sentence import Sentence, SentenceRecord


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
        with open_parquet(path) as file:
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
        pyarrow.field(SENTENCES, arrow_type(List[SentenceRecord])),
    ]
    return pyarrow.schema(columns)


def record_of(
    answer: Union[Sentence, Document],
    id_column: str,
    kept: Optional[Dict[str, Any]],
    has_extra: bool = True,
) -> Dict[str, Any]:
    """
    Makes a row of the output from an answer with the id among its extra keys, and the columns to
    copy from a Parquet file. The column `extra` has the other extra keys, if the output has it.
    """
    others = dict(answer.extra)
    name = name_of(others.pop(id_column))
    # Lone surrogates cannot be written.
    name.encode()
    record: Dict[str, Any] = {id_column: name, **(kept or {})}
    if others and has_extra:
        record[EXTRA] = json.dumps(others)
    record[TEXT] = answer.text
    sentences = answer.sentences if isinstance(answer, Document) else [answer]
    record[SENTENCES] = [arrow_of(SentenceRecord, sentence.to_dict()) for sentence in sentences]
    return record
