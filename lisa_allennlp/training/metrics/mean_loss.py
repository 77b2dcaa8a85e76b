"""The mean of losses, summed on their device."""

from typing import Optional

import torch
from allennlp.nn.util import dist_reduce_sum
from allennlp.training.metrics import Metric


@Metric.register("mean_loss")
class MeanLoss(Metric):
    """
    The mean of the losses of all batches. AllenNLP's `average` copies every loss to the host, and
    the training step waits for it. This metric sums losses on their device.

    >>> mean = MeanLoss()
    >>> mean(torch.tensor(1.0))
    >>> mean(torch.tensor(2.0))
    >>> mean.get_metric()
    1.5
    """

    supports_distributed = True

    def __init__(self) -> None:
        self._total: Optional[torch.Tensor] = None
        self._count = 0

    def __call__(self, loss: torch.Tensor) -> None:  # type: ignore[override]
        """
        # Parameters

        loss : `torch.Tensor`
            A scalar.
        """
        loss = loss.detach()
        self._total = loss if self._total is None else self._total + loss
        self._count += 1

    def get_metric(self, reset: bool = False) -> float:
        """
        # Returns

        `float`
            The mean over the losses of all workers; 0 if there are none.
        """
        total = 0.0 if self._total is None else float(self._total)
        total, count = dist_reduce_sum(total), dist_reduce_sum(self._count)
        if reset:
            self.reset()
        return total / count if count else 0.0

    def reset(self) -> None:
        """Discards all losses."""
        self._total = None
        self._count = 0
