import statistics

import pytest
import torch
from allennlp.training.metrics import Metric

from lisa_allennlp.training.metrics import MeanLoss
from tests.training.metrics.two_workers import run_on_two_workers


def test_it_is_the_mean_and_can_be_reset():
    metric = MeanLoss()
    assert metric.get_metric() == 0.0
    losses = [1.5, 4.0, 0.25]
    for loss in losses:
        metric(torch.tensor(loss, requires_grad=True))
    assert metric.get_metric(reset=True) == pytest.approx(statistics.fmean(losses))
    assert metric.get_metric() == 0.0


def test_losses_are_not_read_before_they_are_asked_for():
    metric = MeanLoss()
    # The meta device has no values that could be read.
    metric(torch.zeros((), device="meta"))
    metric(torch.zeros((), device="meta"))


def assert_mean(rank, world_size, device, losses, expected):
    metric = MeanLoss()
    for loss in losses[rank]:
        metric(torch.tensor(loss))
    for _ in range(2):
        assert metric.get_metric() == pytest.approx(expected)


def test_workers_share_their_losses():
    run_on_two_workers(assert_mean, [[1.0], [2.0, 6.0]], 3.0)


def test_it_is_registered():
    assert isinstance(Metric.by_name("mean_loss")(), MeanLoss)
