"""A learning rate that decays a little at every step."""

from typing import List, Optional

import torch
from allennlp.training.learning_rate_schedulers import LearningRateScheduler


@LearningRateScheduler.register("exponential_decay")
class ExponentialDecay(LearningRateScheduler):
    """
    After `step` updates the rate is `lr * decay_rate ** (step / decay_steps)`: the annealing of
    Dozat & Manning 2017. AllenNLP's `exponential` decays once an epoch instead.

    Registered as a `LearningRateScheduler` with name "exponential_decay".

    # Parameters

    optimizer : `torch.optim.Optimizer`
        Given by the trainer.
    decay_rate : `float`, optional (default = `0.75`)
    decay_steps : `int`, optional (default = `5000`)
        After how many updates the rate has been multiplied by `decay_rate`.
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
        # An epoch's end changes nothing.
        pass

    def step_batch(self, batch_num_total: Optional[int] = None) -> None:
        """
        # Parameters

        batch_num_total : `int`, optional
            How many updates have been made; by default one more than before.
        """
        if batch_num_total is None:
            batch_num_total = self._num_updates + 1
        self._num_updates = batch_num_total
        for group, rate in zip(self.optimizer.param_groups, self.get_values(), strict=True):
            group["lr"] = rate
