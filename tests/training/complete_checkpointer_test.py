"""Checkpoints with files that are damaged or missing."""

from pathlib import Path

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.training.trainer import TrainerCheckpoint

from lisa_allennlp.training.complete_checkpointer import CompleteCheckpointer


class Training:
    """Stands in for a trainer after some epochs."""

    def __init__(self, epochs: int) -> None:
        self.epochs = epochs

    def get_checkpoint_state(self) -> TrainerCheckpoint:
        state = {"epochs_completed": self.epochs, "batches_in_epoch_completed": 0}
        return TrainerCheckpoint({"weight": torch.full((3,), float(self.epochs))}, state)


@pytest.fixture
def checkpointer(tmp_path: Path) -> CompleteCheckpointer:
    """Two checkpoints."""
    made = CompleteCheckpointer(tmp_path)
    for epochs in (1, 2):
        made.save_checkpoint(Training(epochs))
    return made


def load(checkpointer: CompleteCheckpointer) -> int:
    """The number of epochs of the checkpoint that is loaded, of which both files have it."""
    checkpoint = checkpointer.load_checkpoint()
    assert checkpoint is not None
    epochs = int(checkpoint.trainer_state["epochs_completed"])
    assert checkpoint.model_state["weight"].tolist() == [epochs] * 3
    return epochs


def names(folder: Path) -> list:
    return sorted(path.name for path in folder.iterdir())


def test_the_newest_is_loaded(checkpointer: CompleteCheckpointer, tmp_path: Path) -> None:
    assert load(checkpointer) == 2
    assert len(names(tmp_path)) == 4
    assert CompleteCheckpointer(tmp_path / "empty").load_checkpoint() is None


@pytest.mark.parametrize("name", ["model_state_e2_b0.th", "training_state_e2_b0.th"])
@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99])
def test_a_damaged_one_is_passed_over(
    checkpointer: CompleteCheckpointer, tmp_path: Path, name: str, share: float
) -> None:
    file = tmp_path / name
    file.write_bytes(file.read_bytes()[: int(share * file.stat().st_size)])
    assert load(checkpointer) == 1
    assert f"{name}.damaged" in names(tmp_path)
    # It no longer counts as the newest, and is written again.
    assert load(checkpointer) == 1
    checkpointer.save_checkpoint(Training(2))
    assert load(checkpointer) == 2


@pytest.mark.parametrize("name", ["model_state_e2_b0.th", "training_state_e2_b0.th"])
def test_one_of_which_a_file_is_missing_is_passed_over(
    checkpointer: CompleteCheckpointer, tmp_path: Path, name: str
) -> None:
    (tmp_path / name).unlink()
    assert load(checkpointer) == 1
    checkpointer.save_checkpoint(Training(2))
    assert load(checkpointer) == 2


def test_if_all_are_damaged_none_is_lost(
    checkpointer: CompleteCheckpointer, tmp_path: Path
) -> None:
    before = names(tmp_path)
    for file in tmp_path.glob("training_state*"):
        file.write_bytes(b"")
    for _ in range(2):
        with pytest.raises(ConfigurationError, match="e2_b0.th or its training_state: found dam"):
            checkpointer.load_checkpoint()
        assert names(tmp_path) == before


def test_old_checkpoints_are_removed(tmp_path: Path) -> None:
    checkpointer = CompleteCheckpointer(tmp_path, keep_most_recent_by_count=1)
    for epochs in (1, 2, 3):
        checkpointer.save_checkpoint(Training(epochs))
        expected = [f"{kind}_state_e{epochs}_b0.th" for kind in ("model", "training")]
        assert names(tmp_path) == expected


def test_what_a_kill_left_half_written_is_removed(
    checkpointer: CompleteCheckpointer, tmp_path: Path
) -> None:
    partial = tmp_path / "model_state_e3_b0.th.partial"
    partial.write_bytes(b"half")
    assert load(checkpointer) == 2
    assert not partial.exists()
