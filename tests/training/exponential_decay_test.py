import pytest
import torch
from allennlp.common import Params
from allennlp.training.learning_rate_schedulers import LearningRateScheduler
from allennlp.training.optimizers import Optimizer

import lisa_allennlp.plugin  # noqa: F401


def make(lr: float = 2e-3) -> LearningRateScheduler:
    first, second = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
    optimizer = torch.optim.Adam(
        [{"params": first.parameters()}, {"params": second.parameters(), "lr": lr / 10}], lr=lr
    )
    params = {"type": "exponential_decay", "decay_rate": 0.75, "decay_steps": 5000}
    return LearningRateScheduler.from_params(Params(params), optimizer=optimizer)


def rates(scheduler: LearningRateScheduler):
    return [group["lr"] for group in scheduler.optimizer.param_groups]


def test_closed_form():
    scheduler = make()
    assert rates(scheduler) == [2e-3, 2e-4]
    for step in range(1, 12001):
        scheduler.step_batch(step)
        if step % 1000 == 0:
            expected = 2e-3 * 0.75 ** (step / 5000)
            assert rates(scheduler) == pytest.approx([expected, expected / 10], rel=1e-12)
    scheduler.step_batch(5000)
    assert rates(scheduler)[0] == pytest.approx(1.5e-3)


def test_epochs_change_nothing_and_steps_count_themselves():
    scheduler = make()
    for _ in range(100):
        scheduler.step_batch()
    before = rates(scheduler)
    scheduler.step(metric=0.5)
    assert rates(scheduler) == before
    assert before[0] == pytest.approx(2e-3 * 0.75 ** (100 / 5000))


def test_it_goes_on_where_it_was_saved():
    first, second = make(), make()
    first.step_batch(700)
    second.load_state_dict(first.state_dict())
    for scheduler in (first, second):
        scheduler.step_batch()
    assert rates(second) == rates(first)


def test_with_the_configs_optimizer():
    model = torch.nn.Linear(2, 2)
    params = Params({"type": "adam", "lr": 0.002, "betas": [0.9, 0.9], "eps": 1e-12})
    optimizer = Optimizer.from_params(params, model_parameters=list(model.named_parameters()))
    params = Params({"type": "exponential_decay"})
    scheduler = LearningRateScheduler.from_params(params, optimizer=optimizer)
    scheduler.step_batch(10000)
    assert rates(scheduler) == pytest.approx([0.002 * 0.75**2])
