import json
from pathlib import Path
from typing import Any, Dict

import pytest
from allennlp.common import Params

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.training.output_folder import describe, prepare_folder

BEFORE_WEIGHTS = [
    *("config.json", "meta.json", "metrics_epoch_0.json", "out.log", "vocabulary/tokens.txt"),
    *("gates.jsonl", "network.json", "model_files/names.json"),
]

PARAMS: Dict[str, Any] = {"model": {"type": "lisa"}, "trainer": {"num_epochs": 3, "patience": 2}}


def write(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(PARAMS))
    return folder


def prepare(folder: Path, recover: bool = False, **trainer: Any) -> bool:
    params = {**PARAMS, "trainer": {**PARAMS["trainer"], **trainer}}
    return prepare_folder(folder, Params(params), recover)


def test_what_failed_before_its_first_checkpoint_is_removed(tmp_path: Path):
    folder = write(tmp_path / "OUT", *BEFORE_WEIGHTS, "model_state_e1_b0.th.partial")
    assert not prepare(folder, recover=True)
    assert list(folder.iterdir()) == []
    assert not prepare(tmp_path / "new")
    write(tmp_path, "file")
    with pytest.raises(ConfigurationError, match=r"found the file .*file; expected a folder"):
        prepare(tmp_path / "file")


def test_weights_are_kept(tmp_path: Path):
    folder = write(tmp_path / "OUT", *BEFORE_WEIGHTS, "model_state_e1_b0.th")
    with pytest.raises(ConfigurationError, match="found a training with weights in .*--recover"):
        prepare(folder)
    assert len(list(folder.iterdir())) == len(BEFORE_WEIGHTS) + 1
    # `allennlp train` does not add `progress`.
    assert prepare(folder, recover=True, num_epochs=5, callbacks=["progress"])
    assert json.loads((folder / "config.json").read_text())["trainer"]["num_epochs"] == 5
    with pytest.raises(ConfigurationError, match="trainer.patience: found null; expected 2"):
        prepare(folder, recover=True, patience=None)


def test_other_files_are_kept(tmp_path: Path):
    folder = write(tmp_path / "OUT", *BEFORE_WEIGHTS, "config.json.old")
    with pytest.raises(ConfigurationError, match="which is no file of a training; expected a new"):
        prepare(folder)
    assert len(list(folder.iterdir())) == len(BEFORE_WEIGHTS) + 1


def summary(folder: Path, metrics: dict, validation_metric: object = "+srl_f1") -> list:
    (folder / "metrics.json").write_text(json.dumps(metrics))
    trainer = {} if validation_metric is None else {"validation_metric": validation_metric}
    (folder / "config.json").write_text(json.dumps({"trainer": trainer}))
    return describe(folder)


def test_summary(tmp_path: Path):
    metrics = {
        "best_epoch": 22,
        "epoch": 24,
        "training_duration": "0:02:31.9",
        "best_validation_srl_f1": 71.204,
        "best_validation_las": 85.0,
        "best_validation_loss": 3.0,
        "best_validation_pos_accuracy": 90.0,
    }
    end = [f"model: {tmp_path}/model.tar.gz", "time: 2:32"]
    assert summary(tmp_path, metrics) == ["best epoch: 23 of 25, srl_f1 71.20, las 85.00", *end]
    only_loss = {key: metrics[key] for key in ("best_epoch", "epoch", "best_validation_loss")}
    assert summary(tmp_path, only_loss, None) == ["best epoch: 23 of 25, loss 3.00", end[0]]
    assert summary(tmp_path, {"epoch": 2, "best_epoch": 0}, None) == [end[0]]
    recovered = {key: metrics[key] for key in ("best_epoch", "best_validation_srl_f1")}
    assert summary(tmp_path, recovered) == ["best epoch: 23, srl_f1 71.20", end[0]]
