"""
Equal numbers of batches for the workers of a distributed training.

AllenNLP ends an epoch when one worker has no batch left, so that the last sentences of the others
are not read. Here a worker without a batch takes part in the step with a weight of 0.

    >>> from allennlp.data.data_loaders import SimpleDataLoader
    >>> loader = SimpleDataLoader([Instance({})] * 5, batch_size=2)
    >>> len(EqualBatches(loader, "the training data"))
    3
"""

from typing import Any, Dict, Iterator, Optional

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import is_distributed
from allennlp.data import DataLoader, Instance, TensorDict, Vocabulary
from allennlp.nn.util import dist_reduce, dist_reduce_sum


class WeightedBatch(Dict[str, Any]):
    """
    A batch with the weight of its loss, which makes the mean over all workers, as PyTorch computes
    it, the mean over the workers that have a batch.

    >>> WeightedBatch({"tokens": {}}, 1.0).weight
    1.0

    # Parameters

    batch : `TensorDict`
    weight : `float`
        0 if the worker has no batch left, and takes part in the step only because the others wait.
    """

    def __init__(self, batch: TensorDict, weight: float) -> None:
        super().__init__(batch)
        self.weight = weight


class EqualBatches(DataLoader):
    """
    Reads the batches of another loader and then, until the other workers have read theirs, batches
    of weight 0. All workers have to iterate at the same time. Configs do not name it:
    `RecoverableTrainer` uses it in distributed training.

    # Parameters

    loader : `DataLoader`
        This worker's share of the data.
    source : `str`
        The name of the data in errors.
    is_training : `bool`, optional (default = `False`)
        Whether the network reads batches of weight 0 too, because the gradients of all workers are
        added up. They repeat the worker's last batch; otherwise they are empty.

    # Raises

    `ConfigurationError`
        If `is_training` and a worker has no batch at all, here or at the end of the first pass.
    """

    def __init__(self, loader: DataLoader, source: str, is_training: bool = False) -> None:
        self.loader = loader
        self._source = source
        self._is_training = is_training
        self._is_empty = _is_empty(loader)
        if is_training and dist_maximum(int(self._is_empty)):
            raise self._too_few()
        # Schedules of the learning rate depend on it, and must be the same in all workers.
        self._most = dist_maximum(0 if self._is_empty else _length(loader))

    def __len__(self) -> int:
        """
        The number of batches of the worker with most of them.

        # Raises

        `TypeError`
            If it is unknown because the data are read lazily.
        """
        if self._most < 0:
            raise TypeError
        return self._most

    def __iter__(self) -> Iterator[TensorDict]:
        last: Optional[TensorDict] = None
        for batch in () if self._is_empty else self.loader:
            last = batch if self._is_training else {}
            yield WeightedBatch(batch, num_workers() / dist_reduce_sum(1))
        while dist_reduce_sum(0):
            if last is None and self._is_training:
                raise self._too_few()
            yield WeightedBatch(last or {}, 0.0)

    def _too_few(self) -> ConfigurationError:
        return ConfigurationError(
            f"{self._source}: found fewer sentences than processes; expected at least one sentence "
            f"for each of the {num_workers()} processes in distributed.cuda_devices"
        )

    def iter_instances(self) -> Iterator[Instance]:
        """This worker's share."""
        return self.loader.iter_instances()

    def index_with(self, vocab: Vocabulary) -> None:
        self.loader.index_with(vocab)

    def set_target_device(self, device: torch.device) -> None:
        self.loader.set_target_device(device)


def num_workers() -> int:
    """
    The number of processes of the training.

    >>> num_workers()
    1
    """
    return torch.distributed.get_world_size() if is_distributed() else 1


def dist_maximum(value: int) -> int:
    """
    The largest value of all workers.

    >>> dist_maximum(3)
    3
    """
    return dist_reduce(value, torch.distributed.ReduceOp.MAX) if is_distributed() else value


def _is_empty(loader: DataLoader) -> bool:
    """Whether there are no instances; `False` if they are not in memory."""
    if getattr(loader, "max_instances_in_memory", None) is not None:
        return False
    return next(iter(loader.iter_instances()), None) is None


def _length(loader: DataLoader) -> int:
    """The number of batches; -1 if it is unknown."""
    try:
        return len(loader)
    except TypeError:
        return -1
