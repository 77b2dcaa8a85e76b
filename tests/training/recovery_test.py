"""The config of a training that is to be recovered."""

import json
from pathlib import Path

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.training.recovery import prepare_recovery

CONFIG = {"model": {"type": "lisa", "sizes": [1, 2]}, "trainer": {"num_epochs": 3, "patience": 2}}


def write(folder: Path, text: str) -> None:
    folder.mkdir()
    (folder / "config.json").write_text(text)


def read(folder: Path) -> object:
    return json.loads((folder / "config.json").read_text())


@pytest.mark.parametrize("text", [json.dumps(CONFIG), "", json.dumps(CONFIG)[:30]])
def test_an_unfinished_config_is_written_again(text: str, tmp_path: Path) -> None:
    write(tmp_path / "run", text)
    prepare_recovery(Params(CONFIG), tmp_path / "run")
    assert read(tmp_path / "run") == CONFIG


def test_a_training_that_was_killed_before_its_config(tmp_path: Path) -> None:
    prepare_recovery(Params(CONFIG), tmp_path)
    assert read(tmp_path) == CONFIG


@pytest.mark.parametrize("trainer", [{"num_epochs": 7, "patience": 2}, {"patience": 2}])
def test_the_number_of_epochs_may_change(trainer: dict, tmp_path: Path) -> None:
    write(tmp_path / "run", json.dumps(CONFIG))
    changed = {**CONFIG, "trainer": trainer}
    prepare_recovery(Params(changed), tmp_path / "run")
    assert read(tmp_path / "run") == changed


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"model": {"type": "lisa", "sizes": [1, 3]}}, r"model.sizes: found \[1, 3\]; expected"),
        ({"seed": 3}, "seed: found 3; expected no value"),
        ({"model": {"type": "lisa"}}, "model.sizes: found no value; expected"),
        ({"trainer": {"num_epochs": 5, "patience": None}}, "patience: found null; expected 2, as"),
    ],
)
def test_nothing_else_may_change(changes: dict, message: str, tmp_path: Path) -> None:
    write(tmp_path / "run", json.dumps(CONFIG))
    with pytest.raises(ConfigurationError, match=message):
        prepare_recovery(Params({**CONFIG, **changes}), tmp_path / "run")
    assert read(tmp_path / "run") == CONFIG


def test_folders_of_others_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear")
    prepare_recovery(Params(CONFIG), tmp_path)
    prepare_recovery(Params(CONFIG), tmp_path / "missing")
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]
