"""`lisa train`: what it prints, logs and writes, and which folders it uses."""

import functools
import json
import logging
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, List

import allennlp.commands.train
import pytest
import torch
from allennlp.common import logging as common_logging

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp import load
from lisa_allennlp.training import progress, run
from lisa_allennlp.training.progress import NO_BARS

pytestmark = pytest.mark.medium

OVERRIDES = {
    "trainer.num_epochs": 2,
    "dataset_reader.max_instances": 4,
    "model.initializer": {"regexes": [["no_such_weight", {"type": "zero"}]]},
}
"""Two quick epochs, and a regex for which AllenNLP logs a warning."""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # So that it is deleted again if a training has set it.
    monkeypatch.setenv(run.LEVEL, "")
    monkeypatch.delenv(run.LEVEL)
    monkeypatch.setenv("LISA_DATA", "sample")


def train(changes: Any = None, **options: Any) -> List[str]:
    overrides = json.dumps({**OVERRIDES, **(changes or {})})
    return run.train("ccg/mlp", Path("OUT"), overrides, **options)


def shown_rows(text: str) -> List[str]:
    return [line for line in text.splitlines() if re.match(r" +\d+  ", line)]


def test_without_a_terminal(capsys: pytest.CaptureFixture):
    handlers = list(logging.getLogger().handlers)
    best, model, time = train()
    out, err = capsys.readouterr()
    header, *rows = out.splitlines()
    assert header.split() == "epoch train loss val loss accuracy time".split()
    assert [row.split()[0] for row in rows] == ["1", "2"]
    metrics = json.loads(Path("OUT/metrics.json").read_text())
    chosen = metrics["best_epoch"]
    assert [row.endswith("*") for row in rows][chosen]
    assert best == (
        f"best epoch: {chosen + 1} of 2, accuracy {metrics['best_validation_accuracy']:.2f}"
    )
    assert model == "model: OUT/model.tar.gz" and Path("OUT/model.tar.gz").exists()
    assert re.fullmatch(r"time: 0:\d\d", time)
    # Of the log, the terminal shows warnings; the file has all of it.
    (warning,) = re.findall(r".* - [A-Z]+ - .*", err)
    assert " - WARNING - " in warning and "no_such_weight" in warning
    log = Path("OUT/out.log").read_text()
    assert "no_such_weight" in log and " - INFO - allennlp.training" in log
    assert logging.getLogger().handlers == handlers
    # The validation data is whole.
    config = json.loads(Path("OUT/config.json").read_text())
    assert config["dataset_reader"]["max_instances"] == 4
    assert config["validation_dataset_reader"]["max_instances"] is None


def test_recovered_and_dry_trainings(capsys: pytest.CaptureFixture):
    first, *vocabulary = train(dry_run=True)
    assert "dry run: the data and the model can be built; the vocabulary is in OUT/" in first
    assert any(re.fullmatch(r"  supertag_labels: \d+ entries", line) for line in vocabulary)
    # The folder of a dry run has no weights, so the next training uses it.
    train()
    summary = ["OUT/metrics.json", "OUT/model.tar.gz"]
    metrics = [Path(name).read_bytes() for name in summary][0]
    for name in summary:
        Path(name).unlink()
    capsys.readouterr()
    assert train(recover=True)[0].startswith("best epoch: ")
    assert capsys.readouterr().out == ""
    assert Path("OUT/metrics.json").read_bytes() == metrics and Path("OUT/model.tar.gz").exists()
    train(changes={"trainer.num_epochs": 3}, recover=True)
    assert [row.split()[0] for row in shown_rows(capsys.readouterr().out)] == ["3"]


def test_file_friendly_logging_of_a_level(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
):
    monkeypatch.setattr(common_logging, "FILE_FRIENDLY_LOGGING", True)
    monkeypatch.setattr(progress, "FILE_FRIENDLY_INTERVAL", 0.0)
    monkeypatch.setenv(run.LEVEL, "INFO")
    train()
    out, err = capsys.readouterr()
    assert " - INFO - " in err
    assert "\r" not in out and "\x1b" not in out
    assert len(shown_rows(out)) == 2
    assert len([line for line in out.splitlines() if re.match("epoch ./2  batch ", line)]) == 8


def test_an_interrupted_training_is_archived(monkeypatch: pytest.MonkeyPatch):
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(run.TrainModel, "finish", interrupt)
    with pytest.raises(KeyboardInterrupt):
        train()
    assert load("OUT/model.tar.gz")("Go !").supertags


def test_two_processes(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture) -> None:
    fork = functools.partial(torch.multiprocessing.start_processes, start_method="fork")
    monkeypatch.setattr(torch.multiprocessing, "spawn", fork)
    monkeypatch.setattr(allennlp.commands.train, "import_plugins", lambda: None)
    train(changes={"distributed": {"cuda_devices": [-1, -1]}, "trainer.num_epochs": 1})
    assert len(shown_rows(capfd.readouterr().out)) == 1
    assert load("OUT/model.tar.gz")("Go !").supertags


@pytest.mark.slow
def test_a_new_process_has_a_table_and_no_bars() -> None:
    command = [sys.executable, "-m", "lisa_allennlp", "train", "ccg/mlp", "-s", "OUT", "-o"]
    ran = subprocess.run(
        [*command, json.dumps(OVERRIDES)],
        env={name: value for name, value in os.environ.items() if name != NO_BARS},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0 and len(shown_rows(ran.stdout)) == 2
    assert "no_such_weight" in ran.stderr and "it/s" not in ran.stderr
