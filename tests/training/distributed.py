"""Distributed trainings of two processes, and the same trainings in one process."""

import itertools
import json
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.params import with_overrides
from allennlp.data import DataLoader, Instance, TensorDict
from allennlp.data.data_loaders import MultiProcessDataLoader
from allennlp.training.callbacks import TrainerCallback

from lisa_allennlp.training import watching, workers

BATCH_SIZE = 2


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

    def __len__(self) -> int:
        return sum(1 for _ in self)


def batches(instances: List[Instance], size: int) -> List[List[Instance]]:
    return [instances[start : start + size] for start in range(0, len(instances), size)]


@TrainerCallback.register("fault_in_second_worker", exist_ok=True)
class FaultInSecondWorker(TrainerCallback):
    """Calls `fault` in the second worker after a batch of the training, unless it is recovered."""

    moment: Tuple[int, int] = (-1, -1)
    fault: Optional[Callable[[], None]] = None

    def on_batch(self, *args: Any, is_training: bool, **kwargs: Any) -> None:
        if is_training and args[4:6] == self.moment and torch.distributed.get_rank() == 1:
            assert FaultInSecondWorker.fault is not None
            FaultInSecondWorker.fault()


def train_on_two(folder: Path, config: Dict[str, Any], recover: bool = False) -> None:
    """Trains in two processes, which are forked because this is faster."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "START_METHOD", "fork")
        # Without allennlp-models, as in `lisa train`.
        patch.setenv(watching.VARIABLE, "1")
        _train(folder, {**config, "distributed": {"cuda_devices": [-1, -1]}}, recover)


def train_on_one(folder: Path, config: Dict[str, Any]) -> None:
    """Trains on the same batches in one process, two for each step."""
    loader = {"type": "batches_of_two_workers", "batch_size": BATCH_SIZE}
    config = with_overrides(config, {"trainer.num_gradient_accumulation_steps": 2})
    _train(folder, {**config, "data_loader": loader, "validation_data_loader": loader}, False)


def _train(folder: Path, config: Dict[str, Any], recover: bool) -> None:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        train_model(Params(json.loads(json.dumps(config))), folder, recover=recover)
    finally:
        torch.set_num_threads(threads)
