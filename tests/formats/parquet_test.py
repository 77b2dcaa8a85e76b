"""Rows of Parquet, against pyarrow's own reading, and answers, against JSON."""

import io
import json
from pathlib import Path
from typing import Any, List

import pytest
from hypothesis import given

from lisa_allennlp.formats import parquet
from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.formats.json_lines import parse_json_lines
from lisa_allennlp.formats.parquet import Columns, arrow_of, json_of
from lisa_allennlp.sentence.sentence import Sentence, SentenceRecord
from tests.sentence.sentences import sentences

arrow = pytest.importorskip("pyarrow", reason="the extra parquet is missing")
arrow_files = pytest.importorskip("pyarrow.parquet")


def test_rows_from_any_place(tmp_path: Path) -> None:
    path = str(tmp_path / "in.parquet")
    table = arrow.table(
        {
            "doc": [f"d{n}" if n != 4 else None for n in range(11)],
            "tokens": [None] * 6 + [["She", "saw"]] * 5,
            "day": [1] * 11,
        }
    )
    arrow_files.write_table(table, path, row_group_size=3)
    assert parquet.number_of_rows(path) == 11
    for start in (0, 2, 3, 7, 11):
        found = [
            {**content, **{name: value.as_py() for name, value in kept.items()}}
            for content, kept in parquet.read_rows(path, start, Columns(["doc", "no"], ["tokens"]))
        ]
        assert found == table.drop(["day"]).to_pylist()[start:]


def as_read(sentence: Sentence) -> Any:
    """The record of a sentence, once through Arrow."""
    kind = parquet.arrow_type(List[SentenceRecord])
    given = [[arrow_of(SentenceRecord, sentence.to_dict())]]
    ((record,),) = arrow.array(given, kind).to_pylist()
    return json_of(SentenceRecord, json.loads(json.dumps(record)))


@given(sentences(with_parse=True))
def test_records_are_those_of_json(sentence: Sentence) -> None:
    described = json.loads(json.dumps(sentence.to_dict()))
    assert as_read(sentence) == {k: v for k, v in described.items() if k not in sentence.extra}


def test_annotated_sentences_are_those_of_json_lines(tmp_path: Path) -> None:
    offsets = [(0, 2), (2, 3)]
    words = Sentence(["Go", "."], ["VB", "."], [], offsets=offsets)
    rows = [
        {"id": "d", "text": "Go.Go.", "sentences": [words.to_dict()] * 2, "title": "t"},
        {"id": "s", "n": 1, **words.to_dict()},
    ]
    columns = {
        "id": ["d", "s"],
        "title": ["t", None],
        "extra": [None, '{"n": 1}'],
        "text": ["Go.Go.", None],
        "sentences": [[arrow_of(SentenceRecord, words.to_dict())] * n for n in (2, 1)],
    }
    path = tmp_path / "a.parquet"
    kind = parquet.arrow_type(List[SentenceRecord])
    sentences_column = arrow.array(columns.pop("sentences"), kind)
    arrow_files.write_table(arrow.table(columns).append_column("sentences", sentences_column), path)
    lines = io.StringIO("".join(json.dumps(row) + "\n" for row in rows))
    expected = [sentence for sentence, _ in parse_json_lines(lines, "in")]
    found = read_annotated(path)
    assert found.bare_sentences == expected
    assert [sentence.extra for sentence in expected] == [
        *[{"document": "d", "title": "t"}] * 2,
        {"id": "s", "n": 1},
    ]
    assert [line for _, lines in found.sentences for line in lines] == [1, 1, 1, 1, 2, 2]
