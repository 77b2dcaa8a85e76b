"""The tables made from records; those of the repository are not stale."""

import json
import re
import shutil
from pathlib import Path
from typing import Any, Dict

import pytest

from benchmarks import tables
from benchmarks.records import FOLDER
from tests import ROOT

RECORDS: tables.Records = {
    "one": {
        "seed": "1",
        "rows": [
            {"system": "SA", "figures": {"F1": 61.5}, "paper": {"F1": 81.02}},
            {
                "system": "LISA",
                "figures": {"F1": 66, "UAS": 85.84},
                "bars": {"F1": [">=", 65]},
            },
        ],
    },
    "two": {
        "seed": "2",
        "rows": [{"system": "LISA", "figures": {"F1": [64.25, 63.0]}}],
    },
}
POOLED = {"label": "LISA, all", "from": ["one/LISA", "two/LISA"]}
COLUMNS = ["value", "range", "runs", "bar"]


def table(layout: Dict[str, Any]) -> str:
    return tables.make_table("t", {"t": layout}, RECORDS, "r")


def test_rows_are_pooled() -> None:
    layout = {"columns": {c: f"{c}:F1" for c in COLUMNS} | {"seed": "seed"}, "rows": [POOLED]}
    links = "[record](r/one.json), [record](r/two.json)"
    assert table(layout).splitlines()[-1] == (
        f"| LISA, all | 64.25 | 63.00 to 66.00 | 3 | ≥ 65, missed | 1, 2 | {links} |"
    )


def test_no_table_is_stale_and_a_changed_record_makes_it_so(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "RESULTS.md", tmp_path)
    shutil.copytree(ROOT / FOLDER, tmp_path / FOLDER)
    assert tables.main(["--check"], tmp_path) == 0
    path = tmp_path / FOLDER / "serve.json"
    data = json.loads(path.read_text())
    data["rows"][0]["figures"]["sentences/s"] = [1234.56]
    path.write_text(json.dumps(data))
    assert tables.main(["--check"], tmp_path) == 1
    assert "performance.md: stale" in capsys.readouterr().out
    assert tables.main([], tmp_path) == 0
    assert "| 1,234.56 |" in (tmp_path / "docs" / "performance.md").read_text()


def test_every_record_and_every_layout_is_shown() -> None:
    names = set()
    for path in tables.documents(ROOT):
        names |= {match["name"] for match in tables.MARKER.finditer(path.read_text())}
    layouts = json.loads(tables.LAYOUTS.read_text())
    assert set(layouts) <= names
    sources = json.dumps([layouts[name]["rows"] for name in names if name in layouts])
    shown = names | set(re.findall(r'"(\w+)(?:/[^"]*)?"', sources))
    assert set(tables.read_records(ROOT / FOLDER)) <= shown


def test_commands_name_no_path_of_a_machine_and_no_missing_config() -> None:
    for name, record in tables.read_records(ROOT / FOLDER).items():
        for command in record["commands"].values():
            for config in re.findall(r"training_configs/\S+", command):
                assert (ROOT / config).is_file(), f"{name}: {config}"
            assert not re.search(r"(?<![\w.])/(home|work|tmp|root)/", command), name
