"""The mean of losses, which stay on their device until it is asked for."""

from typing import Optional

import torch
from allennlp.nn.util import dist_reduce_sum
from allennlp.training.metrics import Metric


@Metric.register("mean_loss")
class MeanLoss(Metric):
    """
    AllenNLP's `average` reads every value back from the device, and a training step waits for it.
    This one adds them up where they are.
    """

    supports_distributed = True

    def __init__(self) -> None:
        self._total: Optional[torch.Tensor] = None
        self._count = 0

    def __call__(self, loss: torch.Tensor) -> None:  # type: ignore[override]
        """
        # Parameters

        loss : `torch.Tensor`
            A number.
        """
        loss = loss.detach()
        self._total = loss if self._total is None else self._total + loss
        self._count += 1

    def get_metric(self, reset: bool = False) -> float:
        """
        # Returns

        `float`
            The mean over all workers' losses; 0 if there were none.
        """
        total = 0.0 if self._total is None else float(self._total)
        total, count = dist_reduce_sum(total), dist_reduce_sum(self._count)
        if reset:
            self.reset()
        return total / count if count else 0.0

    def reset(self) -> None:
        """Forgets all losses."""
        self._total = None
        self._count = 0
