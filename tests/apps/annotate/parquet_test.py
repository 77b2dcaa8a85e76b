"""Parquet in and out of `lisa annotate`, against pyarrow's own reading and the answers as JSON."""

import datetime
from functools import partial
from pathlib import Path
from typing import Any, Dict, List

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from tests.apps.annotate.corpora import annotate, errors, rows

pytestmark = pytest.mark.medium

arrow = pytest.importorskip("pyarrow", reason="the extra parquet is missing")
arrow_files = pytest.importorskip("pyarrow.parquet")


@pytest.fixture
def table() -> Any:
    """Of 11 rows, of which one cannot be labelled."""
    day = datetime.date(2020, 2, 29)
    columns = {
        "doc": [f"d{n}" if n != 4 else None for n in range(11)],
        "text": ["Rain. It pours."] * 6 + [None] * 5,
        "tokens": [None] * 6 + [["She", "saw"]] * 4 + [None],
        "day": [day] * 11,
        "tags": [["a", "b"]] * 11,
    }
    return arrow.table(columns)


def run(table: Any, model: Path, folder: Path, *options: object) -> Path:
    folder.mkdir(exist_ok=True)
    path, output = folder / "in.parquet", folder / "out"
    arrow_files.write_table(table, path, row_group_size=4)
    given = ("--model", model, "--output", output, "--rows-per-shard", 8, "--id-column", "doc")
    annotate(path, *given, "--processes", 1, *options)
    return output


def read(folder: Path) -> List[Dict[str, Any]]:
    files = sorted(folder.glob("shard-*.parquet"))
    return [row for file in files for row in arrow_files.read_table(file).to_pylist()]


def as_json(value: Any) -> Any:
    """Without nulls, and with lists for the structs of spans and candidates."""
    if isinstance(value, dict):
        known = {key: as_json(item) for key, item in value.items() if item is not None}
        return list(known.values()) if "role" in known or "supertag" in known else known
    return [as_json(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("model", ["lisa", "ccg_supertagger"])
def test_parquet_has_what_json_has(
    table: Any, archives: Dict[str, Path], tmp_path: Path, model: str
) -> None:
    options = ("--predictor-args", '{"beta": 0.1}') if model == "ccg_supertagger" else ()
    output = run(table, archives[model], tmp_path, "--format", "parquet", *options)
    found = read(output)
    assert all(row["doc"] for row in found)
    (error,) = errors(output)
    assert (error["row"], error["id"]) == (11, "d10")
    assert [(row["day"], row["tags"]) for row in found] == [
        (datetime.date(2020, 2, 29), ["a", "b"])
    ] * 10

    run(table, archives[model], tmp_path, "--force", *options)
    for row, expected in zip(found, rows(output), strict=True):
        assert (row["doc"], str(row["day"])) == (expected["doc"], expected["day"])
        assert row["text"] == expected.get("text")
        own = {k: v for k, v in expected.items() if k not in ("doc", "day", "tags")}
        assert as_json(row["sentences"]) == expected.get("sentences", [own])


@pytest.mark.parametrize("output_format", ["jsonl", "parquet"])
def test_values_that_python_or_json_do_not_have(
    archives: Dict[str, Path], tmp_path: Path, output_format: str
) -> None:
    table = arrow.table(
        {
            "doc": arrow.array([1, 2], arrow.timestamp("ns")),
            "text": ["Rain.", "Snow."],
            "year": arrow.array([253402300800 * 10_000, None], arrow.timestamp("ms")),
            "score": [float("nan"), 0.5],
            "nested": [{"x": float("inf")}, None],
        }
    )
    options = ("--format", output_format)
    output = run(table, archives["ccg_supertagger"], tmp_path, *options)
    assert errors(output) == []
    if output_format == "jsonl":
        first, second = rows(output)
        assert first["doc"] == "1970-01-01 00:00:00.000000001"
        assert (first["score"], second["score"], first["nested"]) == (None, 0.5, {"x": None})
        return
    shards = sorted(output.glob("shard-*.parquet"))
    found = arrow.concat_tables(map(arrow_files.read_table, shards))
    assert found.select(["year", "nested"]).equals(table.select(["year", "nested"]))
    assert str(found["score"]) == str(table["score"])


def test_answers_are_labelled_again(table: Any, archives: Dict[str, Path], tmp_path: Path) -> None:
    model = archives["lisa"]
    once = run(table, model, tmp_path, "--format", "parquet")
    given = ("--model", model, "--id-column", "doc", "--processes", 1)
    shards_of_once = sorted(once.glob("shard-*.parquet"))
    annotate(*shards_of_once, "--output", tmp_path / "again", "--format", "parquet", *given)
    again, expected = read(tmp_path / "again"), [{**row, "extra": None} for row in read(once)]
    for row in (*again, *expected):
        # Their last digits depend on the other sentences of a batch.
        for sentence in row["sentences"]:
            assert len(sentence.pop("predicate_probabilities")) == len(sentence["words"])
    assert again == expected


def test_tables(table: Any, tmp_path: Path) -> None:
    model = Path("english-fast")
    output = run(table, model, tmp_path, "--table", "--format", "parquet")
    names = {path.name for path in output.glob("shard-*.parquet")}
    found: Dict[str, List[Dict[str, Any]]] = {}
    for name in ("frames", "spans"):
        files = sorted((output / name).iterdir())
        assert {path.name for path in files} == names
        # All files have the same columns.
        found[name] = arrow.concat_tables(map(arrow_files.read_table, files)).to_pylist()
    answers = read(output)
    frames = [
        (row["doc"], number if row["text"] else row["doc"], verb)
        for row in answers
        for number, sentence in enumerate(row["sentences"], start=1)
        for verb in sentence["verbs"]
    ]
    assert [row["predicate"] for row in found["frames"]] == [verb["verb"] for *_, verb in frames]
    assert [row["sentence"] for row in found["frames"]] == [str(name) for _, name, _ in frames]
    spans = [
        (verb["verb"], span["role"], str(span["first"]))
        for *_, verb in frames
        for span in verb["spans"]
    ]
    of_table = [(row["predicate"], row["role"], str(row["first"])) for row in found["spans"]]
    assert of_table == spans != []
    first, last = found["frames"][0], found["frames"][-1]
    assert (first["document"], first["text"]) == ("d0", "It pours.")
    assert (last["document"], last["sentence"]) == (None, "d9")
    # The columns that are kept, with their types.
    own = {"day": datetime.date(2020, 2, 29), "tags": ["a", "b"]}
    for row in (*found["frames"], *found["spans"]):
        assert {name: row[name] for name in own} == own
    assert "extra" not in first
    given = ("--model", model, "--output", output, "--rows-per-shard", 8, "--id-column", "doc")
    options = ("--format", "parquet", "--table")
    annotate(tmp_path / "in.parquet", *given, *options, "--check")
    lost = sorted((output / "spans").iterdir())[0]
    content = lost.read_bytes()
    for lose in (lost.unlink, partial(lost.write_bytes, b"")):
        lose()
        with pytest.raises(ConfigurationError, match=f"{lost}: found no file, or an empty one"):
            annotate(tmp_path / "in.parquet", *given, *options, "--check")
        annotate(tmp_path / "in.parquet", *given, *options)
        assert lost.read_bytes() == content


def test_columns_of_tables(table: Any, archives: Dict[str, Path], tmp_path: Path) -> None:
    columns = ["predicate", "document", "day", "role"]
    output = run(table, archives["lisa"], tmp_path, "--table", "--columns", *columns)
    for name, expected in (("frames", columns[:3]), ("spans", columns)):
        for file in (output / name).iterdir():
            schema = arrow_files.read_table(file).schema
            assert schema.names == expected
            assert schema.field("day").type == table.schema.field("day").type
    # Tables without any of the columns are left out.
    other = run(table, archives["lisa"], tmp_path / "one", "--table", "--columns", "role")
    assert (other / "summary.json").exists() and not (other / "frames").exists()
    # Without tables, another run removes them.
    run(table, archives["lisa"], tmp_path, "--force")
    assert not [*(output / "frames").iterdir(), *(output / "spans").iterdir()]
