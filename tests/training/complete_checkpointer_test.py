"""Checkpoints that are complete or absent."""

from pathlib import Path
from typing import List

import pytest
import torch
from allennlp.training.trainer import TrainerCheckpoint

from lisa_allennlp.training.recoverable_trainer import CompleteCheckpointer


class Training:
    """Stands in for a trainer after some epochs."""

    def __init__(self, epochs: int) -> None:
        self.epochs = epochs

    def get_checkpoint_state(self) -> TrainerCheckpoint:
        state = {"epochs_completed": self.epochs, "batches_in_epoch_completed": 0}
        return TrainerCheckpoint({"weight": torch.full((3,), float(self.epochs))}, state)


def names(folder: Path) -> List[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("number", [1, 2])
def test_a_checkpoint_that_is_cut_off_is_not_loaded(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpointer = CompleteCheckpointer(tmp_path, keep_most_recent_by_count=1)
    checkpointer.save_checkpoint(Training(1))
    saved: List[Path] = []

    def cut_off(content: object, path: Path) -> None:
        saved.append(path)
        path.write_bytes(b"half")
        if len(saved) == number:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(torch, "save", cut_off)
        with pytest.raises(KeyboardInterrupt):
            checkpointer.save_checkpoint(Training(2))
    checkpoint = checkpointer.load_checkpoint()
    assert checkpoint is not None and checkpoint.trainer_state["epochs_completed"] == 1
    # It is written again, and the old one is removed.
    checkpointer.save_checkpoint(Training(2))
    assert names(tmp_path) == ["model_state_e2_b0.th", "training_state_e2_b0.th"]
    checkpoint = checkpointer.load_checkpoint()
    assert checkpoint is not None and checkpoint.model_state["weight"].tolist() == [2, 2, 2]
