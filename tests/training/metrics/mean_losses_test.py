import statistics

import pytest
import torch
from allennlp.training.metrics import Metric

from lisa_allennlp.training.metrics import MeanLosses
from tests.training.two_workers import run_on_two_workers


def test_they_are_the_means_and_can_be_reset():
    metric = MeanLosses()
    assert metric.get_metric() == {}
    losses = [1.5, 4.0, 0.25]
    for loss in losses:
        metric({"arc_loss": torch.tensor(loss, requires_grad=True)})
    metric({"srl_loss": torch.tensor(7.0)})
    expected = {"arc_loss": statistics.fmean(losses), "srl_loss": 7.0}
    assert metric.get_metric(reset=True) == pytest.approx(expected)
    assert metric.get_metric() == {"arc_loss": 0.0, "srl_loss": 0.0}


def test_losses_are_not_read_before_they_are_asked_for():
    metric = MeanLosses()
    # The meta device has no values that could be read.
    metric({"loss": torch.zeros((), device="meta")})
    metric({"loss": torch.zeros((), device="meta")})


def assert_mean(rank, world_size, device, losses, expected):
    metric = MeanLosses()
    for loss in losses[rank]:
        metric({"loss": torch.tensor(loss)})
    for _ in range(2):
        assert metric.get_metric() == pytest.approx({"loss": expected})


def test_workers_share_their_losses():
    run_on_two_workers(assert_mean, [[1.0], [2.0, 6.0]], 3.0)


def assert_means_of_tasks(rank, world_size, device):
    metric = MeanLosses()
    metric([{"arc_loss": torch.tensor(1.0)}, {"srl_loss": torch.tensor(4.0)}][rank])
    for _ in range(2):
        assert metric.get_metric(reset=True) == {"arc_loss": 1.0, "srl_loss": 4.0}
        metric({"srl_loss": torch.tensor(2.0)} if rank else {"arc_loss": torch.tensor(0.0)})
        assert metric.get_metric(reset=True) == {"arc_loss": 0.0, "srl_loss": 2.0}
        metric({"arc_loss": torch.tensor(1.0)} if rank else {"srl_loss": torch.tensor(4.0)})


def test_workers_may_see_different_tasks():
    run_on_two_workers(assert_means_of_tasks)


def test_it_is_registered():
    assert isinstance(Metric.by_name("mean_losses")(), MeanLosses)
