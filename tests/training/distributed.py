"""Distributed trainings of two processes, and the same trainings in one process."""

import itertools
from pathlib import Path
from typing import Any, Dict, Iterator, List

import pytest
from allennlp.data import DataLoader, Instance, TensorDict
from allennlp.data.data_loaders import MultiProcessDataLoader

from lisa_allennlp.training import workers
from tests.training.trainings import train

DISTRIBUTED: Dict[str, Any] = {"distributed": {"cuda_devices": [-1, -1]}}

BATCH_SIZE = 2

NO_DROPOUT: Dict[str, Any] = {
    f"model__encoder__{name}_dropout": 0.0
    for name in ("input", "attention", "feedforward", "residual", "parse")
}
NO_DROPOUT["model__role_dropout"] = 0.0


@DataLoader.register("batches_of_two_workers", exist_ok=True)
class BatchesOfTwoWorkers(MultiProcessDataLoader):
    """
    Reads in one process the batches that two workers read: each has every other sentence. A batch
    of the first worker is followed by the second one's, if it has one.
    """

    def __iter__(self) -> Iterator[TensorDict]:
        instances = list(self.iter_instances())
        shares = [batches(instances[worker::2], self.batch_size) for worker in range(2)]
        for step in itertools.zip_longest(*shares):
            for batch in step:
                if batch is not None:
                    yield self.collate_fn(batch)


def batches(instances: List[Instance], size: int) -> List[List[Instance]]:
    return [instances[start : start + size] for start in range(0, len(instances), size)]


def train_on_two(folder: Path, **changes: Any) -> None:
    """Trains in two processes, which are forked because this is faster."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "START_METHOD", "fork")
        train(folder, **{**DISTRIBUTED, "data_loader": {"batch_size": BATCH_SIZE}, **changes})


def train_on_one(folder: Path, **changes: Any) -> None:
    """Trains on the same batches in one process, two for each step."""
    loader = {"type": "batches_of_two_workers", "batch_size": BATCH_SIZE}
    steps = {"trainer__num_gradient_accumulation_steps": 2}
    train(folder, **{"data_loader": loader, **steps, **changes})
