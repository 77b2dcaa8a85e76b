"""Distributed trainings of two processes, against trainings of one on the same batches."""

import json
import os
import signal
from pathlib import Path
from typing import Any, Dict

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.params import with_overrides

from lisa_allennlp import load
from tests import ROOT
from tests.training.distributed import BATCH_SIZE, FaultInSecondWorker, train_on_one, train_on_two
from tests.training.trainings import LISA, results

pytestmark = pytest.mark.medium

SENTENCES = 17
"""The first worker has nine and five batches, the second eight and four."""

NO_DROPOUT = {
    **{
        f"model.encoder.{name}_dropout": 0.0
        for name in ("input", "attention", "feedforward", "residual", "parse")
    },
    "model.role_dropout": 0.0,
}

SGD = {"type": "sgd", "lr": 0.05, "momentum": 0.9}


def lisa(**changes: Any) -> Dict[str, Any]:
    overrides = {key.replace("__", "."): value for key, value in changes.items()}
    overrides["dataset_reader.max_instances"] = SENTENCES
    return with_overrides(json.loads(json.dumps(LISA)), {**NO_DROPOUT, **overrides})


def shipped(name: str, **changes: Any) -> Dict[str, Any]:
    overrides = {key.replace("__", "."): value for key, value in changes.items()}
    overrides.update({"dataset_reader.max_instances": SENTENCES, "trainer.num_epochs": 2})
    path = ROOT / "training_configs" / f"{name}.jsonnet"
    return Params.from_file(path, json.dumps(overrides)).as_dict(quiet=True)


CONFIGS = {
    "LISA": lambda: lisa(),
    "with a CRF, senses, a regularizer and a momentum schedule": lambda: lisa(
        dataset_reader__senses=True,
        model__sense_tagger={"type": "linear", "dropout": 0.0},
        model__role_decoder={"type": "crf"},
        model__regularizer={"regexes": [["weight", {"type": "l2", "alpha": 0.01}]]},
        trainer__optimizer=SGD,
        trainer__learning_rate_scheduler={"type": "slanted_triangular"},
        trainer__momentum_scheduler={"type": "inverted_triangular", "cool_down": 1, "warm_up": 1},
        trainer__moving_average=None,
        trainer__num_epochs=2,
    ),
    "SA": lambda: lisa(
        dataset_reader__parses_suffix=None,
        model__encoder__parse_layer=None,
        trainer__validation_metric="+pos_accuracy",
        trainer__num_epochs=2,
    ),
    "parser": lambda: shipped(
        "dm_small",
        model__precision="float32",
        model__encoder__hidden_dim=16,
        model__attention__arc_dim=16,
        model__attention__label_dim=8,
        model__encoder__input_dropout=0.0,
        model__encoder__recurrent_dropout=0.0,
        model__dropout=0.0,
        model__word_dropout=0.0,
        model__tag_dropout=0.0,
    ),
    # Its word vectors have sparse gradients in one process.
    "supertagger": lambda: shipped(
        "ccg/mlp",
        model__encoder__encoders__0__gate_dropout=0.0,
        model__encoder__encoders__2__dropout=0.0,
    ),
}


@pytest.mark.parametrize("name", CONFIGS)
def test_two_processes_equal_one_on_the_same_batches(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LISA_DATA", "sample")
    config = CONFIGS[name]()
    config["data_loader"] = config["validation_data_loader"] = {"batch_size": BATCH_SIZE}
    train_on_two(tmp_path / "two", config)
    train_on_one(tmp_path / "one", config)
    (metrics, weights), (expected, expected_weights) = (
        results(tmp_path / number) for number in ("two", "one")
    )
    assert metrics.keys() == expected.keys()
    assert {k for k in expected if metrics[k] != pytest.approx(expected[k], rel=1e-5)} == set()
    assert weights.keys() == expected_weights.keys()
    for weight, values in expected_weights.items():
        found = torch.tensor(weights[weight], dtype=torch.float64)
        torch.testing.assert_close(found, torch.tensor(values).double(), rtol=1e-4, atol=1e-6)
    archives = [load(tmp_path / number / "model.tar.gz") for number in ("two", "one")]
    # The parser reads tags, which the others predict.
    tags = {"pos": "PRP VBD PRP DT NN .".split()} if name == "parser" else {}
    request = {"tokens": "She sold him the car .".split(), **tags}
    labelled, expected_labels = (model(request).to_dict() for model in archives)
    assert labelled == expected_labels


FAULTS = {
    "within an epoch": ((1, 2), {"trainer.checkpointer": {"save_every_num_batches": 1}}),
    "lazily read data": (
        (2, 2),
        {
            "data_loader": {
                "batch_sampler": {"type": "max_tokens_sampler", "max_tokens": 60},
                "max_instances_in_memory": 5,
                "batches_per_epoch": 3,
            }
        },
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_killed_training_is_recovered_with_equal_results(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment, changes = FAULTS[name]
    overrides = {**changes, "trainer.callbacks": ["fault_in_second_worker"]}
    # With its dropout.
    config = with_overrides(json.loads(json.dumps(LISA)), overrides)
    monkeypatch.setattr(FaultInSecondWorker, "fault", lambda: os.kill(os.getpid(), signal.SIGKILL))
    train_on_two(tmp_path / "whole", config)
    monkeypatch.setattr(FaultInSecondWorker, "moment", moment)
    with pytest.raises(ConfigurationError, match="found process 2 of 2 ended by SIGKILL"):
        train_on_two(tmp_path / "run", config)
    monkeypatch.setattr(FaultInSecondWorker, "moment", (-1, -1))
    train_on_two(tmp_path / "run", config, recover=True)
    assert results(tmp_path / "run") == results(tmp_path / "whole")


def test_fewer_sentences_than_processes(tmp_path: Path) -> None:
    config = with_overrides(lisa(), {"dataset_reader.max_instances": 1})
    with pytest.raises(ConfigurationError, match="found fewer sentences than processes; expected"):
        train_on_two(tmp_path / "run", config)
