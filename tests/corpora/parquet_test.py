"""Parquet in and out, against pyarrow's own reading and the answers as JSON."""

import datetime
import json
from pathlib import Path
from typing import Any, Dict, List

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.formats import parquet
from lisa_allennlp.data.formats.parquet import Columns
from tests.corpora.corpora import annotate, errors, rows, write_corpus

arrow = pytest.importorskip("pyarrow", reason="the extra large is missing")
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


@pytest.mark.parametrize("start", [0, 2, 3, 7, 11])
def test_rows_from_any_place(table: Any, tmp_path: Path, start: int) -> None:
    path = str(tmp_path / "in.parquet")
    arrow_files.write_table(table, path, row_group_size=3)
    assert parquet.number_of_rows(path) == 11
    columns = Columns(["doc", "text", "none"], ["tokens", "tags"])
    found = [
        {**content, **{name: value.as_py() for name, value in kept.items()}}
        for content, kept in parquet.read_rows(path, start, columns)
    ]
    assert found == table.drop(["day"]).to_pylist()[start:]


def run(table: Any, model: Path, folder: Path, *options: object) -> Path:
    """Annotates the table, in two shards."""
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


@pytest.mark.medium
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


@pytest.mark.medium
def test_other_keys_of_json_lines(archives: Dict[str, Path], tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "corpus.jsonl", 5)
    model = archives["ccg_supertagger"]
    annotate(corpus, "--output", tmp_path / "out", "--model", model, "--format", "parquet")
    found = read(tmp_path / "out")
    assert [row["id"] for row in found] == list("01234")
    assert [json.loads(row["extra"]) for row in found] == [{"n": n} for n in range(5)]


@pytest.mark.medium
def test_tables_and_columns_that_are_refused(
    table: Any, archives: Dict[str, Path], tmp_path: Path
) -> None:
    model = archives["ccg_supertagger"]
    for options, message in (
        (["--keep", "colour"], "--keep: found the columns doc, text.*; expected colour"),
        (["--text-column", "body"], "--text-column: found .*; expected body"),
        (["--id-column", "words"], "--id-column: found words, which the output uses"),
    ):
        with pytest.raises(ConfigurationError, match=message):
            run(table, model, tmp_path, *options)
    with pytest.raises(ConfigurationError, match="found the columns doc in .*; expected text or"):
        run(arrow.table({"doc": ["a"]}), model, tmp_path)
    table = arrow.table({"doc": ["a"], "text": ["b"], "blob": [b"c"]})
    with pytest.raises(ConfigurationError, match="--keep: found the column blob with binary"):
        run(table, model, tmp_path)
    (tmp_path / "b.parquet").write_text("no table")
    with pytest.raises(ConfigurationError, match="b.parquet: found no Parquet file"):
        annotate(tmp_path / "b.parquet", "--output", tmp_path / "out", "--model", model)


@pytest.mark.medium
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


@pytest.mark.medium
def test_a_damaged_column_matters_where_it_is_read(
    table: Any, archives: Dict[str, Path], tmp_path: Path
) -> None:
    model, options = archives["ccg_supertagger"], ("--keep", "day")
    output = run(table, model, tmp_path, *options)
    expected = rows(output)
    path = tmp_path / "in.parquet"
    group = arrow_files.ParquetFile(path).metadata.row_group(0)
    columns = {table.column_names[n]: group.column(n) for n in (1, 3)}
    for name in ("day", "text"):
        content = bytearray(path.read_bytes())
        start = columns[name].dictionary_page_offset or columns[name].data_page_offset
        content[start : start + 8] = bytes(8)
        path.write_bytes(content)
        given = ("--model", model, "--output", output, "--force", "--id-column", "doc")
        if name == "day":
            annotate(path, *given, "--processes", 1, "--rows-per-shard", 8, "--keep")
            assert [row["doc"] for row in rows(output)] == [row["doc"] for row in expected]
        with pytest.raises(ConfigurationError, match="in.parquet: found damaged data"):
            annotate(path, *given, "--processes", 1, *options)
