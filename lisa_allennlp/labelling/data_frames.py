"""
Tables of labelled texts, as data frames of pandas or polars.

    >>> import lisa_allennlp, pandas
    >>> texts = pandas.Series(["She sold him the car.", None, "It rained."], ["a", "b", "c"])
    >>> lisa = lisa_allennlp.load("english-fast")
    >>> lisa.table(texts, columns=["document", "sense", "ARG1"])
      document    sense       ARG1
    0        a  sell.01  [the car]
    1        c  rain.01       [It]
"""

from itertools import count, islice, tee
from typing import Any, Callable, Iterable, Optional, Sequence

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.json_values import bad_value
from lisa_allennlp.formats.parquet import ROWS_AT_ONCE, batch_of
from lisa_allennlp.formats.role_tables import TABLES, Table, role_names
from lisa_allennlp.labelling.groups import Item, size_of_text
from lisa_allennlp.sentence.document import DOCUMENT, Document


def label_table(
    label: Callable[[Iterable[Item]], Iterable[Document]],
    roles: Iterable[str],
    texts: Any,
    table: str,
    columns: Optional[Sequence[str]],
) -> Any:
    import pyarrow

    if table not in TABLES:
        raise ConfigurationError(f"table is {table!r}; expected {' or '.join(TABLES)}")
    if isinstance(texts, str) or hasattr(texts, "columns"):
        raise bad_value("texts", texts, "a column of texts, such as df['text'], or a list")
    library = type(texts).__module__.partition(".")[0]
    numbers: Iterable[int] = count()
    index: Any = None
    if library == "pandas":
        texts = texts.dropna()
        index = texts.index.to_flat_index()
    elif library == "polars":
        numbers = texts.is_not_null().arg_true().to_list()
        texts = texts.drop_nulls()
    made = Table(table, role_names(roles), columns)
    schema = made.schema()
    if DOCUMENT in made.columns:
        # The type of polars' row numbers.
        field = pyarrow.field(DOCUMENT, pyarrow.uint32())
        schema = schema.set(schema.get_field_index(DOCUMENT), field)
    own, numbers = tee(numbers)
    items = (
        Item(text, f"row {number if index is None else index[number]}", number, size=_size(text))
        for text, number in zip(texts, own, strict=False)
    )
    documents = label(items)
    rows = (
        {**row, DOCUMENT: number}
        for document, number in zip(documents, numbers, strict=False)
        for row in made.rows(document)
    )
    groups = iter(lambda: list(islice(rows, ROWS_AT_ONCE)), [])
    batches = (batch_of(group, schema) for group in groups)
    found = pyarrow.Table.from_batches(batches, schema)
    if library == "polars":
        import polars

        return polars.from_arrow(found)
    frame = found.to_pandas()
    if index is not None and DOCUMENT in made.columns:
        frame[DOCUMENT] = index.take(frame[DOCUMENT])
    return frame


def _size(text: Any) -> int:
    return size_of_text(len(text)) if isinstance(text, str) else 1
