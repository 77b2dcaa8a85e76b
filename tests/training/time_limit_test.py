"""Trainings that a time limit ends, on a clock that the tests set."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.training.callbacks import TrainerCallback

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.training import callbacks
from lisa_allennlp.training.callbacks import TIME_LIMIT_NAME, TimeLimit
from tests import ROOT

pytestmark = pytest.mark.medium

SECONDS_PER_EPOCH = 3600.0


class Clock:
    """Stands in for the module `time`: only the callback below lets time pass."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


@TrainerCallback.register("one_hour_per_epoch", exist_ok=True)
class OneHourPerEpoch(TrainerCallback):
    clock = Clock()

    def on_epoch(self, *args: Any, **kwargs: Any) -> None:
        self.clock.now += SECONDS_PER_EPOCH


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(callbacks, "time", OneHourPerEpoch.clock)


def train(
    folder: Path, hours: str, monkeypatch: pytest.MonkeyPatch, recover: bool = False, **changes: Any
) -> None:
    monkeypatch.setenv("LISA_MAX_HOURS", hours)
    overrides = {
        "trainer.num_epochs": 4,
        "dataset_reader.max_instances": 4,
        "trainer.callbacks": [{"type": "one_hour_per_epoch"}, {"type": "time_limit"}],
        **changes,
    }
    config = ROOT / "training_configs/ccg/mlp.jsonnet"
    train_model(Params.from_file(config, json.dumps(overrides)), folder, recover=recover)


def epochs(folder: Path) -> int:
    assert (folder / "metrics.json").exists() and (folder / "model.tar.gz").exists()
    return int(json.loads((folder / "metrics.json").read_text())["epoch"]) + 1


@pytest.mark.parametrize(
    "hours, expected",
    # The first epoch is completed in any case; a half epoch is not begun.
    [("0.5", 1), ("2.9", 2), ("4", 4)],
)
def test_epochs_within_the_limit(
    hours: str, expected: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    train(tmp_path / "run", hours, monkeypatch)
    assert epochs(tmp_path / "run") == expected
    record = tmp_path / "run" / TIME_LIMIT_NAME
    assert record.exists() == (expected < 4)
    if expected < 4:
        said = {"max_hours": float(hours), "hours": expected, "epochs": expected, "num_epochs": 4}
        assert json.loads(record.read_text()) == said


def test_a_continued_training_equals_an_uninterrupted_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    train(tmp_path / "whole", "", monkeypatch)
    train(tmp_path / "run", "1", monkeypatch)
    # The hours of the first run count: two more epochs fit into three hours.
    train(tmp_path / "run", "3", monkeypatch, recover=True)
    assert epochs(tmp_path / "run") == 3 and (tmp_path / "run" / TIME_LIMIT_NAME).exists()
    train(tmp_path / "run", "", monkeypatch, recover=True)
    assert epochs(tmp_path / "run") == 4 and not (tmp_path / "run" / TIME_LIMIT_NAME).exists()
    whole, run = (torch.load(tmp_path / name / "best.th") for name in ("whole", "run"))
    assert all(torch.equal(whole[name], run[name]) for name in whole)


def test_a_training_that_was_cut_stays_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    train(tmp_path / "run", "2", monkeypatch)
    before = json.loads((tmp_path / "run" / "metrics.json").read_text())
    # As if it had been killed before it was archived.
    for name in ("metrics.json", "model.tar.gz"):
        (tmp_path / "run" / name).unlink()
    train(tmp_path / "run", "2", monkeypatch, recover=True)
    assert epochs(tmp_path / "run") == 2 and (tmp_path / "run" / TIME_LIMIT_NAME).exists()
    assert json.loads((tmp_path / "run" / "metrics.json").read_text()) == before


def test_a_training_that_ends_by_itself_is_not_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    still = {"trainer.optimizer": {"type": "sgd", "lr": 0.0}, "trainer.patience": 1}
    train(tmp_path / "run", "2", monkeypatch, **still)
    assert epochs(tmp_path / "run") == 2 and not (tmp_path / "run" / TIME_LIMIT_NAME).exists()


@pytest.mark.parametrize("hours", ["0", "2h"])
def test_a_limit_is_a_positive_number(hours: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LISA_MAX_HOURS", hours)
    with pytest.raises(ConfigurationError, match=f"LISA_MAX_HOURS: found '{hours}'; expected"):
        TimeLimit("OUT")
