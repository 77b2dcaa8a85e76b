"""The losses and metrics of an epoch, against an epoch that is not interrupted."""

from collections import defaultdict

import torch
from allennlp.training.metrics import Average, CategoricalAccuracy, Metric

from lisa_allennlp.training.callbacks.epoch_progress import (
    EpochProgress,
    find_metrics,
    metric_state,
    restore_metric,
)


class Losses(Metric):
    """A metric with every kind of attribute."""

    def __init__(self) -> None:
        self.counts = defaultdict(int)
        self.total = torch.zeros(2)
        self.names = ["a", "b"]
        self.function = max
        self.inner = Average()

    def __call__(self, name: str) -> None:
        self.counts[name] += 1
        self.total = self.total + 1
        self.inner(3.0)

    def get_metric(self, reset: bool = False) -> list:
        return [dict(self.counts), self.total.tolist(), self.inner.get_metric()]


class Network(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(1, 1)
        self.layer.seen = [Average(), Average()]
        self.scores = {"accuracy": CategoricalAccuracy(), "losses": Losses()}

    def step(self) -> None:
        self.layer.seen[0](2.0)
        self.scores["accuracy"](torch.eye(2), torch.tensor([0, 0]))
        self.scores["losses"]("x")

    def metrics(self) -> list:
        found = [self.layer.seen[0].get_metric(), self.scores["accuracy"].get_metric()]
        return [*found, self.scores["losses"].get_metric()]


def test_metrics_are_found_in_all_places() -> None:
    places = [place for place, _ in find_metrics(Network())]
    assert sorted(places) == [
        "layer.seen.0",
        "layer.seen.1",
        "scores.accuracy",
        "scores.losses",
        "scores.losses.inner",
    ]


def test_a_restored_metric_goes_on_counting() -> None:
    whole, first, second = Network(), Network(), Network()
    for network in (whole, first):
        network.step()
    states = {place: metric_state(metric) for place, metric in find_metrics(first)}
    for place, metric in find_metrics(second):
        restore_metric(metric, states[place])
    for network in (whole, second):
        network.step()
    assert second.metrics() == whole.metrics()
    assert isinstance(second.scores["losses"].counts, defaultdict)


def test_a_state_has_only_what_is_loaded_as_weights() -> None:
    state = metric_state(Losses())
    assert set(state) == {"counts", "total", "names"}
    assert type(state["counts"]) is dict


def test_losses_are_added_up_in_training_only() -> None:
    progress = EpochProgress("OUT")
    progress.begin_epoch()
    assert progress.state_dict() == {}
    for loss, is_training in [(0.1, True), (0.2, True), (9.0, False), (0.3, True)]:
        progress.on_batch(None, [], [], {"batch_loss": loss}, 0, 1, is_training)
    assert progress.total("loss") == 0.1 + 0.2 + 0.3 and progress.total("reg_loss") == 0.0
    progress.begin_epoch()
    assert progress.total("loss") == 0.0
