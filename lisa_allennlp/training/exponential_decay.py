"""Exponential decay of the learning rate, step by step."""

from typing import List, Optional

import torch
from allennlp.training.learning_rate_schedulers import LearningRateScheduler


@LearningRateScheduler.register("exponential_decay")
class ExponentialDecay(LearningRateScheduler):
    """
    Sets the rate to `lr * decay_rate ** (step / decay_steps)` after `step` updates, the annealing
    of Dozat & Manning (2017). AllenNLP's `exponential` decays once per epoch instead.
    """

    def __init__(
        self,
        optimizer: torch.optim.Optimizer,
        decay_rate: float = 0.75,
        decay_steps: int = 5000,
        last_epoch: int = -1,
    ) -> None:
        self._decay_rate = decay_rate
        self._decay_steps = decay_steps
        self._num_updates = 0
        super().__init__(optimizer, last_epoch)

    def get_values(self) -> List[float]:
        scale = self._decay_rate ** (self._num_updates / self._decay_steps)
        return [rate * scale for rate in self.base_values]

    def step(self, metric: Optional[float] = None) -> None:
        # The trainer calls this after every epoch, but the rate depends on updates only.
        pass

    def step_batch(self, batch_num_total: Optional[int] = None) -> None:
        """Sets the rate after so many updates; by default one more than at the last call."""
        if batch_num_total is None:
            batch_num_total = self._num_updates + 1
        self._num_updates = batch_num_total
        for group, rate in zip(self.optimizer.param_groups, self.get_values(), strict=True):
            group["lr"] = rate
