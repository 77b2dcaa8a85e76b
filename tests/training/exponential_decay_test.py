"""The annealing of the learning rate, against its closed form."""

import pytest
import torch
from allennlp.common import Params
from allennlp.training.learning_rate_schedulers import LearningRateScheduler

import lisa_allennlp.plugin  # noqa: F401


def make() -> LearningRateScheduler:
    first, second = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
    groups = [{"params": first.parameters()}, {"params": second.parameters(), "lr": 2e-4}]
    params = {"type": "exponential_decay", "decay_rate": 0.75, "decay_steps": 5000}
    optimizer = torch.optim.Adam(groups, lr=2e-3)
    return LearningRateScheduler.from_params(Params(params), optimizer=optimizer)


def rates(scheduler: LearningRateScheduler) -> list:
    return [group["lr"] for group in scheduler.optimizer.param_groups]


def test_closed_form() -> None:
    scheduler = make()
    for step in (1, 1000, 5000, 12000):
        scheduler.step_batch(step)
        expected = 2e-3 * 0.75 ** (step / 5000)
        assert rates(scheduler) == pytest.approx([expected, expected / 10], rel=1e-12)


def test_steps_count_themselves_and_go_on_where_they_were_saved() -> None:
    first, second = make(), make()
    first.step_batch(700)
    second.load_state_dict(first.state_dict())
    second.step_batch()
    # Epochs change nothing.
    second.step(metric=0.5)
    assert rates(second)[0] == pytest.approx(2e-3 * 0.75 ** (701 / 5000))
