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


def test_a_continued_training_equals_an_uninterrupted_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    run, record = tmp_path / "run", tmp_path / "run" / TIME_LIMIT_NAME
    # The first epoch is completed in any case; a half epoch is not begun.
    for hours, expected in ((0.5, 1), (2.9, 2)):
        train(run, str(hours), monkeypatch, recover=expected > 1)
        assert epochs(run) == expected
        said = {"max_hours": hours, "hours": expected, "epochs": expected, "num_epochs": 4}
        assert json.loads(record.read_text()) == said
    before = json.loads((run / "metrics.json").read_text())
    # As if it had been killed before it was archived: it stays cut.
    for name in ("metrics.json", "model.tar.gz"):
        (run / name).unlink()
    train(run, "2.9", monkeypatch, recover=True)
    assert epochs(run) == 2 and json.loads((run / "metrics.json").read_text()) == before
    train(run, "4", monkeypatch, recover=True)
    assert epochs(run) == 4 and not record.exists()
    train(tmp_path / "whole", "", monkeypatch)
    whole, continued = (torch.load(path / "best.th") for path in (tmp_path / "whole", run))
    assert all(torch.equal(whole[name], continued[name]) for name in whole)


def test_a_training_that_ends_by_itself_is_not_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    still = {"trainer.optimizer": {"type": "sgd", "lr": 0.0}, "trainer.patience": 1}
    train(tmp_path / "run", "2", monkeypatch, **still)
    assert epochs(tmp_path / "run") == 2 and not (tmp_path / "run" / TIME_LIMIT_NAME).exists()


@pytest.mark.parametrize("hours", ["0", "2h"])
def test_a_limit_is_a_positive_number(hours: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LISA_MAX_HOURS", hours)
    with pytest.raises(ConfigurationError, match=f"LISA_MAX_HOURS: found '{hours}'; expected"):
        TimeLimit("OUT")
