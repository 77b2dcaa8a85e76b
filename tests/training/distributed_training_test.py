import functools
import os
import signal
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

import allennlp.commands.train
import pytest
import torch
from allennlp.data import DataLoader, Instance, TensorDict
from allennlp.data.data_loaders import MultiProcessDataLoader
from allennlp.training.callbacks import TrainerCallback

from lisa_allennlp.training.run import LEVEL
from tests.training.trainings import results, train

pytestmark = pytest.mark.medium

NO_DROPOUT = {
    **{
        f"model__encoder__{name}_dropout": 0.0
        for name in ("input", "attention", "feedforward", "residual", "parse")
    },
    "model__role_dropout": 0.0,
    "model__joint_tag_dropout": 0.0,
}

TWO = {"distributed": {"cuda_devices": [-1, -1]}}


@DataLoader.register("batches_of_two_workers", exist_ok=True)
class BatchesOfTwoWorkers(MultiProcessDataLoader):
    """Reads in one process the batches of two workers, of which each has every other sentence."""

    def __iter__(self) -> Iterator[TensorDict]:
        instances = list(self.iter_instances())
        shares = [batches(instances[worker::2], self.batch_size) for worker in range(2)]
        for step in zip(*shares, strict=True):
            yield from map(self.collate_fn, step)


def batches(instances: List[Instance], size: int) -> List[List[Instance]]:
    return [instances[start : start + size] for start in range(0, len(instances), size)]


@TrainerCallback.register("kill_second_worker", exist_ok=True)
class KillSecondWorker(TrainerCallback):
    moment: Tuple[int, int] = (-1, -1)

    def on_batch(self, *args: Any, is_training: bool, **kwargs: Any) -> None:
        if is_training and args[4:6] == self.moment and torch.distributed.get_rank() == 1:
            os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture(autouse=True)
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forks the workers, which is quicker than new interpreters that import all again."""
    fork = functools.partial(torch.multiprocessing.start_processes, start_method="fork")
    monkeypatch.setattr(torch.multiprocessing, "spawn", fork)
    monkeypatch.setattr(allennlp.commands.train, "import_plugins", lambda: None)
    # `lisa train` sets the level for the workers; it must not outlive a test.
    monkeypatch.setenv(LEVEL, "WARNING")


def test_two_processes_equal_one_on_the_same_batches(tmp_path: Path) -> None:
    # Each worker has eight of 16 sentences for training, and for validation.
    changes: Dict[str, Any] = {
        **NO_DROPOUT,
        "dataset_reader__max_instances": 16,
        "model__role_decoder": "crf",
        "data_loader": {"batch_size": 2},
    }
    train(tmp_path / "two", **changes, **TWO)
    changes["data_loader"] = {"type": "batches_of_two_workers", "batch_size": 2}
    train(tmp_path / "one", trainer__num_gradient_accumulation_steps=2, **changes)
    (metrics, weights), (expected, expected_weights) = (
        results(tmp_path / number) for number in ("two", "one")
    )
    assert metrics.keys() == expected.keys()
    assert {k for k in expected if metrics[k] != pytest.approx(expected[k], rel=1e-5)} == set()
    for name, values in expected_weights.items():
        found = torch.tensor(weights[name], dtype=torch.float64)
        torch.testing.assert_close(found, torch.tensor(values).double(), rtol=1e-4, atol=1e-6)


@pytest.mark.slow
def test_a_killed_training_is_recovered_with_equal_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = {**TWO, "trainer__callbacks": ["role_statistics", "kill_second_worker"]}
    train(tmp_path / "whole", **changes)
    monkeypatch.setattr(KillSecondWorker, "moment", (1, 1))
    with pytest.raises(torch.multiprocessing.ProcessExitedException):
        train(tmp_path / "run", **changes)
    monkeypatch.setattr(KillSecondWorker, "moment", (-1, -1))
    train(tmp_path / "run", recover=True, **changes)
    assert results(tmp_path / "run") == results(tmp_path / "whole")
