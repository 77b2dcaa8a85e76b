"""Files and devices are checked before a corpus is read."""

from argparse import Namespace
from pathlib import Path
from typing import Any, Dict

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.common.configs import check_arguments
from lisa_allennlp.common.experiment_checks import check_experiment
from tests import ROOT


@pytest.fixture(autouse=True)
def in_checkout(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(ROOT)


def check(name: str, changes: Dict[str, Any]) -> None:
    config = Params.from_file(f"training_configs/{name}.jsonnet", changes)
    check_experiment(config.as_dict(quiet=True), "x")


def message(name: str, changes: Dict[str, Any]) -> str:
    with pytest.raises(ConfigurationError) as error:
        check(name, changes)
    return error.value.message


EMBEDDERS = "model.text_field_embedder.token_embedders"


@pytest.mark.parametrize(
    "name, key, expected",
    [
        ("lisa_small", "train_data_path", "a corpus file or a folder"),
        ("dm_small", "validation_data_path", "a corpus file or a folder"),
        ("ccg/mlp", "test_data_path", "a corpus file or a folder"),
        ("lisa_small", "vocabulary.pretrained_files.tokens", "a file of word vectors"),
        ("lisa_small", f"{EMBEDDERS}.tokens.pretrained_file", "a file of word vectors"),
        ("lisa_small_elmo", f"{EMBEDDERS}.elmo.options_file", "ELMo's options"),
        ("lisa_small_elmo", f"{EMBEDDERS}.elmo.weight_file", "ELMo's weights"),
    ],
)
def test_missing_files(name: str, key: str, expected: str):
    found = message(name, {key: "no/such"})
    assert found.startswith(f"x: {key}: found no file or folder no/such; expected {expected}")


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"train_data_path": "https://host/train.gold_conll"},
        {"train_data_path": "fixtures/sample"},
        # Readers of other packages may read something else than files.
        {"dataset_reader": {"type": "sequence_tagging"}, "train_data_path": "a name"},
        {"dataset_reader": "conll12_srl"},
        {"train_data_path": {"a": "no/such"}},
    ],
)
def test_paths_that_may_be_right(changes: Dict[str, Any]):
    check("lisa_small", changes)


def test_sections_of_a_folder():
    check("ccg/mlp", {"train_data_path": "fixtures/ccg/AUTO#02-03"})
    found = message("ccg/mlp", {"train_data_path": "fixtures/AUTO#02-03"})
    assert found.startswith("x: train_data_path: found no file or folder fixtures/AUTO; ")


@pytest.mark.parametrize("number, gpus", [(0, "no GPU"), (2, "GPUs 0 to 1")])
def test_devices(number: int, gpus: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: number)
    for key, value, place in [
        ("trainer.cuda_device", 2, "trainer.cuda_device"),
        ("distributed", {"cuda_devices": [-1, 2]}, "distributed.cuda_devices.1"),
    ]:
        found = message("lisa_small", {key: value})
        assert found.startswith(f"x: {place}: found 2, but this machine has {gpus}; expected ")
    for device in (-1, None, *range(number)):
        check("lisa_small", {"trainer.cuda_device": device})


def test_mixed_precision_needs_a_gpu(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    check("lisa_small", {"trainer.use_amp": True})
    changes = {"trainer.use_amp": True, "trainer.cuda_device": -1}
    assert message("lisa_small", changes).startswith("x: trainer.use_amp: found true with the CPU;")
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 0)
    found = message("lisa_small", {"trainer.use_amp": True})
    assert found.startswith("x: trainer.use_amp: found true with the CPU; expected a GPU")


def test_only_commands_that_train_need_files_and_devices(tmp_path: Path):
    given = {
        "param_path": "training_configs/lisa_small.jsonnet",
        "overrides": '{"train_data_path": "no/such"}',
    }
    check_arguments(Namespace(**given))
    with pytest.raises(ConfigurationError, match="with --overrides: train_data_path: found no"):
        check_arguments(Namespace(serialization_dir=str(tmp_path), **given))
