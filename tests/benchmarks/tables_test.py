"""The tables made from records, and that those of the repository are not stale."""

import importlib.util
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Dict

import pytest

from benchmarks import tables
from benchmarks.records import Figure, Record, RecordError, Row
from tests import ROOT

RECORDS = {
    "one": Record(
        "One",
        "dev",
        {"train": "lisa train A", "evaluate": "lisa evaluate A"},
        [
            Row("SA", {"F1": Figure([61.5])}, paper={"F1": 81.02}),
            Row("LISA", {"F1": Figure([66]), "UAS": Figure([85.84])}, bars={"F1": (">=", 65)}),
        ],
        {"seed": "1"},
    ),
    "two": Record(
        "Two",
        "dev",
        {"train": "lisa train B"},
        [Row("LISA", {"F1": Figure([64.25, 63.0])}, bars={"F1": (">=", 65)}, notes="again")],
        {"seed": "2"},
        "Table 3",
    ),
}
POOLED = {"label": "LISA, all", "from": ["one/LISA", "two/LISA"]}
COLUMNS = ["value", "range", "runs", "bar"]


def table(layout: Dict[str, Any]) -> str:
    return tables.make_table("t", {"t": layout}, RECORDS, "c.md")


def test_a_record_is_a_table() -> None:
    assert tables.make_table("one", {}, RECORDS, "results/c.md") == (
        "| system | F1 | UAS | how |\n"
        "| --- | --- | --- | --- |\n"
        "| SA | 61.5 |  | [command](results/c.md#one) |\n"
        "| LISA | 66.0 | 85.84 | [command](results/c.md#one) |\n"
    )


def test_rows_are_pooled() -> None:
    layout = {"columns": {c: f"{c}:F1" for c in COLUMNS} | {"seed": "seed"}, "rows": [POOLED]}
    links = "[command](c.md#one), [command](c.md#two)"
    assert table(layout).splitlines()[-1] == (
        f"| LISA, all | 64.25 | 63.00 to 66.00 | 3 | ≥ 65, missed | 1, 2 | {links} |"
    )


def test_columns_without_a_metric_are_of_the_rows_metric() -> None:
    rows = [{**POOLED, "metric": "UAS"}, {"label": "SA", "from": ["one/SA"], "metric": "F1"}]
    lines = table({"head": "what", "columns": {"a": "value", "b": "paper"}, "rows": rows})
    assert lines.splitlines()[2:] == [
        "| LISA, all | 85.84 |  | [command](c.md#one), [command](c.md#two) |",
        "| SA | 61.5 | 81.02 | [command](c.md#one) |",
    ]


def test_a_bar_that_is_met() -> None:
    line = table({"columns": {"bar": "bar:F1"}, "rows": ["one/LISA"]}).splitlines()[-1]
    assert line.startswith("| LISA | ≥ 65 |")


@pytest.mark.parametrize(
    "layout, message",
    [
        ({"rows": ["three"]}, "t: found no record 'three'"),
        ({"rows": ["one/XL"]}, "found no system 'XL' in one.json"),
        ({"rows": ["one"], "columns": {"a": "mean:F1"}}, "found the column 'mean:F1'"),
        ({"rows": ["one"], "columns": {"a": "value:LAS"}}, "found no figure 'LAS' in its rows"),
        ({"rows": [{**POOLED, "metric": "LAS"}]}, "LISA, all: found no figure 'LAS'"),
        ({"rows": [{"label": "a"}]}, "found no 'from'"),
        ({"rows": ["one"], "caption": "a"}, "found 'caption'; expected one of head"),
    ],
)
def test_errors_of_layouts(layout: Dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        table(layout)


def test_rows_with_different_bars_are_not_pooled() -> None:
    rows = [Row("a", {"F1": Figure([1])}, bars={"F1": (">=", bar)}) for bar in (1, 2)]
    with pytest.raises(RecordError, match="expected the same in all rows"):
        tables.pooled("a", rows, "here")


def test_only_what_is_between_markers_changes(tmp_path: Path) -> None:
    text = "Before.\n\n<!-- table: one -->\n| old |\n<!-- end -->\n\n    <!-- table: NAME -->\n"
    path = tables.ROOT / "docs" / "a.md"
    filled = tables.fill(path, text, {}, RECORDS)
    expected = tables.make_table("one", {}, RECORDS, "results/commands.md")
    assert filled == text.replace("| old |\n", expected)
    assert tables.fill(path, filled, {}, RECORDS) == filled


@pytest.mark.parametrize(
    "text",
    [
        "<!-- table: one -->\n",
        "<!-- table: one -->\n<!-- table: two -->\n<!-- end -->\n",
        "<!-- table: none -->\n<!-- end -->\n",
    ],
)
def test_broken_markers(text: str) -> None:
    with pytest.raises(RecordError, match="a.md: found|found the table 'none'"):
        tables.fill(ROOT / "a.md", text, {}, RECORDS)


def test_the_page_of_commands() -> None:
    page = tables.make_commands_page(RECORDS)
    assert "## two\n" in page and "    lisa evaluate A\n" in page
    assert "The paper's figures: Table 3." in page and "- LISA: again" in page


def copy_of_results(folder: Path) -> Path:
    shutil.copytree(ROOT / "docs", folder / "docs")
    shutil.copy(ROOT / "RESULTS.md", folder)
    return folder


def test_a_changed_record_makes_files_stale(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    root = copy_of_results(tmp_path)
    path = root / "docs" / "results" / "decoding.json"
    data = json.loads(path.read_text())
    data["rows"][-1]["figures"]["times as fast as viterbi_decode"] = [1234.5]
    path.write_text(json.dumps(data))
    assert tables.main(["--check"], root) == 1
    assert "speed.md: stale" in capsys.readouterr().out
    assert tables.main([], root) == 0
    assert "| 1,234.5 |" in (root / "docs" / "results" / "speed.md").read_text()
    assert tables.main(["--check"], root) == 0


def test_an_unusable_record_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    root = copy_of_results(tmp_path)
    (root / "docs" / "results" / "decoding.json").write_text("[]")
    assert tables.main([], root) == 1
    error = capsys.readouterr().err
    assert error == "benchmarks.tables: decoding.json: found []; expected an object\n"


def test_no_table_of_the_repository_is_stale() -> None:
    assert [path.name for path in tables.stale_files()] == []


def test_every_record_and_every_layout_is_shown() -> None:
    names = set()
    for path in tables.documents(ROOT):
        names |= {match["name"] for match in tables.MARKER.finditer(path.read_text())}
    layouts = json.loads(tables.LAYOUTS.read_text())
    assert set(layouts) <= names
    sources = json.dumps([layouts[name]["rows"] for name in names if name in layouts])
    shown = names | set(re.findall(r'"(\w+)(?:/[^"]*)?"', sources))
    assert set(tables.read_records(tables.RESULTS)) <= shown


def test_commands_name_what_exists() -> None:
    for name, record in tables.read_records(tables.RESULTS).items():
        for command in record.commands.values():
            for config in re.findall(r"training_configs/\S+", command):
                assert (ROOT / config).is_file(), f"{name}: {config}"
            for module in re.findall(r"python -m (benchmarks\.\w+)", command):
                assert importlib.util.find_spec(module) is not None, f"{name}: {module}"
            for script in re.findall(r"python (scripts/\S+)", command):
                assert (ROOT / script).is_file(), f"{name}: {script}"
            assert not re.search(r"(?<![\w.])/(home|work|tmp|root)/", command), name


def test_commits_are_in_the_history() -> None:
    git = ["git", "-C", str(ROOT)]
    shallow = subprocess.run(
        [*git, "rev-parse", "--is-shallow-repository"], capture_output=True, text=True
    )
    if shallow.stdout.strip() != "false":
        pytest.skip("expected a checkout with its history")
    for name, record in tables.read_records(tables.RESULTS).items():
        conditions = [record.conditions, *(row.conditions for row in record.rows)]
        for commit in re.findall(
            r"\b[0-9a-f]{7,}\b", " ".join(c.get("commit", "") for c in conditions)
        ):
            found = subprocess.run([*git, "merge-base", "--is-ancestor", commit, "HEAD"])
            assert found.returncode == 0, f"{name}: {commit}"


def test_the_overview_stays_short() -> None:
    assert len((ROOT / "RESULTS.md").read_text().splitlines()) <= 120
