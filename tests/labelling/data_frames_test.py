"""`Labeller.table`, against the rows that `lisa annotate` writes."""

from typing import Any, Dict, List, Sequence

import pandas
import polars
import pyarrow
import pytest

import lisa_allennlp
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats.role_tables import FRAMES, TABLES, Table, role_names
from lisa_allennlp.labelling.groups import InputError

TEXTS = ["She sold him the car. It rained.", None, "", "He left and came back."]


def expected_rows(name: str, documents: Sequence[Any]) -> List[Dict[str, Any]]:
    """The rows of the texts that are there, with the names of their documents."""
    lisa = lisa_allennlp.load("english-fast")
    table = Table(name, role_names(lisa.roles))
    found = []
    for text, named in zip(TEXTS, documents, strict=True):
        if text is not None:
            rows = ({**row, "document": named} for row in table.rows(lisa.document(text)))
            found += [{column: row.get(column) for column in table.columns} for row in rows]
    return found


@pytest.mark.parametrize("name", TABLES)
def test_a_column_becomes_a_table_of_its_library(name: str) -> None:
    lisa = lisa_allennlp.load("english-fast")
    index = list("wxyz")
    frame = lisa.table(pandas.Series(TEXTS, index), name)
    rows = pyarrow.Table.from_pandas(frame, preserve_index=False).to_pylist()
    assert rows == expected_rows(name, index)
    assert lisa.table(polars.Series(TEXTS), name).to_dicts() == expected_rows(name, range(4))


def test_types_do_not_depend_on_the_texts() -> None:
    lisa = lisa_allennlp.load("english-fast")
    full = lisa.table(polars.Series(TEXTS))
    assert lisa.table(polars.Series([], dtype=polars.String)).schema == full.schema


def test_documents_join_the_other_columns() -> None:
    lisa, columns = lisa_allennlp.load("english-fast"), ["document", "lemma"]
    given = polars.DataFrame({"text": TEXTS, "stars": [1, 2, 3, 4]})
    found = lisa.table(given["text"], FRAMES, columns, auxiliaries=False)
    joined = found.join(given.with_row_index("document"), on="document")
    assert joined.select("lemma", "stars").rows() == [
        ("sell", 1),
        ("rain", 1),
        ("leave", 4),
        ("come", 4),
    ]
    texts = lisa.table(["He left."], columns=columns)
    assert texts.to_dict("records") == [{"document": 0, "lemma": "leave"}]


def test_what_is_no_text_is_named() -> None:
    lisa = lisa_allennlp.load("english-fast")
    with pytest.raises(InputError, match="^row b: the document: found 3; expected raw text"):
        lisa.table(pandas.Series(["He left.", 3], ["a", "b"]))
    for texts in ("He left.", pandas.DataFrame({"text": TEXTS})):
        with pytest.raises(ConfigurationError, match="texts: found .*expected a column"):
            lisa.table(texts)
