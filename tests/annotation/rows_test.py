"""Which columns are read and kept, and the ids."""

from pathlib import Path
from typing import Any, Dict

import pytest
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.annotation.input_files import Row
from lisa_allennlp.annotation.rows import RowOptions
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.loading import load_labeller


@pytest.fixture(scope="module")
def labeller(archives: Dict[str, Path]) -> Labeller:
    return load_labeller(archives["ccg_supertagger"])


def row(content: Any, input_format: str = "json") -> Row:
    return Row("a.jsonl", 7, content, input_format, 1)


@pytest.mark.parametrize(
    "content, options, expected",
    [
        (b'{"sentence": "Rain", "year": 1}', RowOptions(), {"id": "a.jsonl:7", "year": 1}),
        (b'{"tokens": ["Go"], "id": 0}', RowOptions(), {"id": 0}),
        (b'{"tokens": ["Go"], "id": null}', RowOptions(), {"id": "a.jsonl:7"}),
        (b'{"text": "Go", "id": 1, "k": 2}', RowOptions(id_column="k"), {"k": 2, "id": 1}),
        (b'{"text": "Go", "id": 1, "k": 2, "l": 3}', RowOptions(keep=["l"]), {"id": 1, "l": 3}),
        (b'{"text": "Go", "words": 1}', RowOptions(keep=[]), {"id": "a.jsonl:7"}),
        (b'"Rain"', RowOptions(), {"id": "a.jsonl:7"}),
    ],
)
def test_the_other_columns(
    labeller: Labeller, content: bytes, options: RowOptions, expected: Dict[str, Any]
) -> None:
    request: Any = options.request(labeller, row(content))
    extra = request.document.extra if hasattr(request, "document") else request.sentence.extra
    assert list(extra.items()) == list(expected.items())


def test_the_text_column(labeller: Labeller) -> None:
    options = RowOptions(text_column="body")
    request: Any = options.request(labeller, row(b'{"body": "Rain. Snow.", "text": 3, "k": 1}'))
    assert request.document.text == "Rain. Snow."
    assert request.document.extra == {"id": "a.jsonl:7", "k": 1}
    with pytest.raises(ConfigurationError, match='found {"text": "Rain"}; expected the column `b'):
        options.request(labeller, row(b'{"text": "Rain"}'))


def test_columns_without_value(labeller: Labeller) -> None:
    columns = {"text": None, "tokens": ["Go"], "head_indices": None, "k": None}
    request: Any = RowOptions().request(labeller, row(columns, "parquet"))
    assert request.sentence.words == ["Go"]
    assert request.sentence.extra == {"id": "a.jsonl:7", "k": None}


def test_plain_text(labeller: Labeller) -> None:
    request: Any = RowOptions().request(labeller, row(b"Rain. Snow.\n", "lines"))
    assert request.document.text == "Rain. Snow."
    assert request.document.extra == {"id": "a.jsonl:7"}
