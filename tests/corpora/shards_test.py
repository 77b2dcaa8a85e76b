"""Which columns are read and kept, and the ids."""

import json
from pathlib import Path
from typing import Any, Dict

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from tests.corpora.corpora import annotate, errors, rows

pytestmark = pytest.mark.medium


@pytest.mark.parametrize(
    "content, options, expected",
    [
        ({"sentence": "Rain", "year": 1}, [], {"id": "PATH:1", "year": 1}),
        ({"tokens": ["Go"], "id": 0}, [], {"id": 0}),
        ({"text": "Go", "id": 1, "k": 2}, ["--id-column", "k"], {"k": 2, "id": 1}),
        ({"text": "Go", "id": 1, "k": 2, "l": 3}, ["--keep", "l"], {"id": 1, "l": 3}),
        ({"text": "Go", "words": 1}, ["--keep"], {"id": "PATH:1"}),
        ({"body": "Go.", "text": 3, "k": 1}, ["--text-column", "body"], {"id": "PATH:1", "k": 1}),
    ],
)
def test_the_other_columns(
    archives: Dict[str, Path], tmp_path: Path, content: Any, options: Any, expected: Any
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(content) + "\n")
    given = ("--model", archives["ccg_supertagger"], "--output", tmp_path / "out")
    annotate(path, *given, "--processes", 1, *options)
    (row,) = rows(tmp_path / "out")
    own = {"words", "supertags", "text", "offsets", "sentences", "verbs", "pos", "candidates"}
    extra = [(k, str(v).replace(str(path), "PATH")) for k, v in row.items() if k not in own]
    assert extra == [(k, str(v)) for k, v in expected.items()]


def test_rows_that_cannot_be_labelled(
    archives: Dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lisa_allennlp.data.formats.columns.MOST_BYTES", 30)
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"text": 3, "id": 7}\n\xff\n{"body": 1}\n' + b"x" * 31)
    given = ("--model", archives["ccg_supertagger"], "--output", tmp_path / "out")
    with pytest.raises(ConfigurationError, match="a.jsonl:1: .*None of the 4 rows could be label"):
        annotate(path, *given, "--processes", 1)
    found = [(e["file"], e["row"], e["id"]) for e in errors(tmp_path / "out")]
    file = str(path)
    assert found == [(file, 1, 7), *((file, n, f"{file}:{n}") for n in (2, 3, 4))]
