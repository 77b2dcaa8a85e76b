"""The means of the losses of several tasks, summed on their device."""

from typing import Any, Dict, List, Mapping, Tuple

import torch
from allennlp.common.util import is_distributed
from allennlp.training.metrics import Metric

Sums = Dict[str, Tuple[float, int]]
"""The total and the number of the losses of each task."""


@Metric.register("mean_losses")
class MeanLosses(Metric):
    """
    The mean of the losses of all batches, for each task. AllenNLP's `average` copies every loss to
    the host, and the training step waits for it. This metric sums losses on their device.

    >>> means = MeanLosses()
    >>> means({"arc_loss": torch.tensor(1.0)})
    >>> means({"arc_loss": torch.tensor(2.0)})
    >>> means.get_metric()
    {'arc_loss': 1.5}
    """

    supports_distributed = True

    def __init__(self) -> None:
        self._totals: Dict[str, torch.Tensor] = {}
        self._counts: Dict[str, int] = {}

    def __call__(self, losses: Mapping[str, torch.Tensor]) -> None:  # type: ignore[override]
        """
        # Parameters

        losses : `Mapping[str, torch.Tensor]`
            Scalars by name. A batch need not have the losses of all tasks.
        """
        for name, loss in losses.items():
            is_first = self._counts.get(name, 0) == 0
            self._totals[name] = loss.detach() if is_first else self._totals[name] + loss.detach()
            self._counts[name] = self._counts.get(name, 0) + 1

    def get_metric(self, reset: bool = False) -> Dict[str, float]:
        """
        # Returns

        `Dict[str, float]`
            The means over the losses of all workers, by name; 0 if there are none since a reset.
        """
        sums = {name: (float(self._totals[name]), n) for name, n in self._counts.items() if n}
        of_workers = _gathered({**dict.fromkeys(self._counts, (0.0, 0)), **sums})
        means = {}
        for name in dict.fromkeys(name for sums in of_workers for name in sums):
            totals, counts = zip(*(sums[name] for sums in of_workers if name in sums), strict=True)
            means[name] = sum(totals) / sum(counts) if any(counts) else 0.0
        if reset:
            self.reset()
        return means

    def reset(self) -> None:
        """Discards all losses, but not the names of the tasks."""
        self._totals = {}
        self._counts = dict.fromkeys(self._counts, 0)


def _gathered(sums: Sums) -> List[Sums]:
    """Those of all workers. A worker may have seen no batch with the losses of a task."""
    if not is_distributed():
        return [sums]
    of_workers: List[Any] = [None] * torch.distributed.get_world_size()
    torch.distributed.all_gather_object(of_workers, sums)
    return of_workers
