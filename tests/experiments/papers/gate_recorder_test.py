import json

import pytest
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.training.callbacks import TrainerCallback

import experiments.papers.gate_recorder  # noqa: F401
import lisa_allennlp.plugin  # noqa: F401
from tests import ROOT


def train(folder, monkeypatch, words, callbacks=(), recover=False):
    monkeypatch.chdir(ROOT)
    overrides = {
        "trainer.num_epochs": 2,
        "dataset_reader.max_instances": 10,
        "trainer.callbacks": [{"type": "gate_recorder", "words": words}, *callbacks],
    }
    params = Params.from_file(ROOT / "training_configs/ccg/mlp.jsonnet", json.dumps(overrides))
    train_model(params, folder, recover=recover)


@TrainerCallback.register("fail_in_second_epoch", exist_ok=True)
class FailInSecondEpoch(TrainerCallback):
    """Ends a training after the gates of the second epoch are recorded, before its checkpoint."""

    fails = False

    def on_epoch(self, trainer, metrics, epoch, **kwargs):
        if epoch == 1 and self.fails:
            raise KeyboardInterrupt


def test_a_recovered_training_records_each_epoch_once(tmp_path, monkeypatch):
    callbacks = ["fail_in_second_epoch"]
    train(tmp_path / "whole", monkeypatch, ["the", "."], callbacks=callbacks)
    records = [json.loads(line) for line in (tmp_path / "whole/gates.jsonl").open()]
    assert [record["epoch"] for record in records] == [0, 1, 2]
    assert records[0] != records[1] != records[2]
    for record in records:
        assert list(record["gates"]) == ["the", "."]
        assert all(0 < gate < 1 for gates in record["gates"].values() for gate in gates)
    monkeypatch.setattr(FailInSecondEpoch, "fails", True)
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "run", monkeypatch, ["the", "."], callbacks=callbacks)
    monkeypatch.setattr(FailInSecondEpoch, "fails", False)
    gates = tmp_path / "run" / "gates.jsonl"
    assert len(gates.read_text().splitlines()) == 3
    with gates.open("a") as file:
        file.write('{"epoch": 3, "ga')
    train(tmp_path / "run", monkeypatch, ["the", "."], callbacks=callbacks, recover=True)
    assert gates.read_text() == (tmp_path / "whole" / "gates.jsonl").read_text()
