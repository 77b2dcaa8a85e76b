"""`lisa print-results`: the metrics of several trainings in one table."""

import json
from pathlib import Path
from typing import Any, List

import pytest

from tests.commands.in_process import run

LISA = {
    "best_epoch": 2,
    "epoch": 4,
    "training_duration": "0:10:04.6",
    "best_validation_srl_f1": 71.204,
    "best_validation_las": 85.0,
    "best_validation_srl_loss": 3.0,
}
PARSER = {"best_epoch": 0, "epoch": 0, "best_validation_las": 90.5, "best_validation_x": 0.25}


def write(folder: Path, metrics: Any, metric: str, name: str = "metrics.json") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(metrics))
    (folder / "config.json").write_text(json.dumps({"trainer": {"validation_metric": metric}}))


@pytest.fixture(autouse=True)
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path("out/lisa"), LISA, "+srl_f1")
    write(Path("out/parser"), PARSER, "+x")


def table(capsys: pytest.CaptureFixture, *arguments: str) -> List[List[str]]:
    assert run("print-results", *arguments) == 0
    return [line.split() for line in capsys.readouterr().out.splitlines()]


def test_default_columns(capsys: pytest.CaptureFixture):
    expected = [
        ["epochs", "best", "srl_f1", "x", "las", "time"],
        ["out/lisa", "5", "3", "71.20", "-", "85.00", "10:05"],
        ["out/parser", "1", "1", "-", "0.2500", "90.50", "-"],
    ]
    assert table(capsys, "out") == expected
    assert table(capsys, "out/lisa", "out/parser") == expected


def test_csv_is_unrounded_and_latex_is_not(capsys: pytest.CaptureFixture):
    keys = ["best_validation_srl_f1", "none"]
    assert run("print-results", "out/lisa", "--csv", "-k", *keys) == 0
    assert capsys.readouterr().out.splitlines()[1] == '"out/lisa",71.204,""'
    assert run("print-results", "out/lisa", "--latex", "-k", *keys) == 0
    written = capsys.readouterr().out
    assert r"& best\_validation\_srl\_f1 & none \\" in written
    assert r"out/lisa & 71.20 & -- \\" in written


def test_a_training_that_has_not_ended(capsys: pytest.CaptureFixture):
    for epoch in (2, 10):
        metrics = {"epoch": epoch, "best_epoch": 1, "best_validation_loss": 3.0}
        write(Path("out/running"), metrics, "-loss", f"metrics_epoch_{epoch}.json")
    assert table(capsys, "out/running") == [
        ["epochs", "best", "loss", "time"],
        ["out/running", "11", "2", "3.00", "-"],
    ]


def test_folders_without_trainings_and_damaged_files(capsys: pytest.CaptureFixture):
    Path("empty").mkdir()
    assert run("print-results", "out", "empty") == 1
    expected = "lisa: error: empty: found no metrics.json; expected the output folder of a training"
    assert expected in capsys.readouterr().err
    Path("out/lisa/metrics.json").write_text("{")
    assert run("print-results", "out") == 1
    expected = "lisa: error: out/lisa/metrics.json: found no valid JSON ("
    assert expected in capsys.readouterr().err
