"""Which columns are read and kept, and the ids."""

import csv
import json
from pathlib import Path
from typing import Any, Dict

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from tests.apps.annotate.corpora import annotate, errors, rows

pytestmark = pytest.mark.medium


@pytest.mark.parametrize(
    "content, options, expected",
    [
        ({"text": "Go", "id": 1, "k": 2}, ["--id-column", "k"], {"k": 2, "id": 1}),
        ({"text": "Go", "id": 1, "k": 2, "l": 3}, ["--keep", "l"], {"id": 1, "l": 3}),
        ({"text": "Go", "id": ""}, [], {"id": "PATH:1"}),
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


def test_rows_that_cannot_be_labelled(archives: Dict[str, Path], tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"text": 3, "id": 7}\n\xff\n')
    given = ("--model", archives["ccg_supertagger"], "--output", tmp_path / "out")
    with pytest.raises(ConfigurationError, match="a.jsonl:1: .*None of the 2 rows"):
        annotate(path, *given, "--processes", 1)
    found = [(e["file"], e["row"], e["id"]) for e in errors(tmp_path / "out")]
    assert found == [(str(path), 1, 7), (str(path), 2, f"{path}:2")]
    whole = tmp_path / "whole.txt"
    whole.write_bytes(b"\xff")
    with pytest.raises(ConfigurationError, match="whole.txt:1: "):
        annotate(whole, *given[:-1], tmp_path / "of_text", "--processes", 1)
    assert [e["file"] for e in errors(tmp_path / "of_text")] == [str(whole)]


def test_every_table_has_the_users_columns(tmp_path: Path) -> None:
    given = ("--model", "english-fast", "--processes", 1, "--table", "csv", "--id-column", "code")
    path = tmp_path / "a.csv"
    path.write_text("code,id,stars,text\nx,7,5,It rained. She left.\ny,8,,We saw her.\n")
    annotate(path, "--output", tmp_path / "csv", *given)
    lines = tmp_path / "a.jsonl"
    with path.open(newline="") as file:
        lines.write_text("".join(json.dumps(row) + "\n" for row in csv.DictReader(file)))
    annotate(lines, "--output", tmp_path / "json", *given, "--keep", "id", "stars")
    for folder in (tmp_path / "csv", tmp_path / "json"):
        for table in ("frames", "spans", "events"):
            with (folder / table / "shard-00001-of-00001.csv").open(newline="") as file:
                found = list(csv.DictReader(file))
            values = {(r["document"], r["sentence"], r["id"], r["stars"]) for r in found}
            assert values == {("x", "1", "7", "5"), ("x", "2", "7", "5"), ("y", "1", "8", "")}
            assert "extra" not in found[0]


def test_the_users_columns_have_names_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    path, names = tmp_path / "a.csv", ["Sense", "who", "input_who"]
    path.write_text(f"id,text,{','.join(names)}\n1,She left.,x,y,z\n")
    given = ("--model", "english-fast", "--processes", 1, "--table", "csv")
    annotate(path, "--output", tmp_path / "out", *given)
    for table in ("frames", "spans", "events"):
        with (tmp_path / "out" / table / "shard-00001-of-00001.csv").open(newline="") as file:
            row = next(csv.DictReader(file))
        own = [row[f"input_{name}"] for name in names]
        assert row["sense"].startswith("leave.") and own == ["x", "y", "z"]
    notes = capsys.readouterr().err
    for name in names:
        assert f"note: your column {name} is input_{name} in the tables" in notes
