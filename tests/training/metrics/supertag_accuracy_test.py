import pytest
import torch

from lisa_allennlp.training.metrics import SupertagAccuracy

RANKED = torch.tensor([[0, 1], [1, 0], [2, 1], [0, 2], [1, 2]])
GOLD = torch.tensor([0, 0, 0, -1, 1])


def test_shares():
    metric = SupertagAccuracy(top_k=2)
    is_unseen = torch.tensor([True, True, False, False, False])
    is_rare = torch.tensor([False, False, True, True, True])
    metric(RANKED, GOLD, is_unseen, is_rare)
    assert metric.get_metric(reset=True) == {
        "accuracy": pytest.approx(40.0),
        "top2_accuracy": pytest.approx(60.0),
        "unseen_word_accuracy": pytest.approx(50.0),
        "rare_supertag_accuracy": pytest.approx(100 / 3),
    }
    assert metric.get_metric() == {}


def test_what_is_not_counted_is_not_reported():
    metric = SupertagAccuracy()
    metric(RANKED, GOLD, None, torch.zeros(5, dtype=torch.bool))
    assert set(metric.get_metric()) == {"accuracy", "top5_accuracy"}


def test_unknown_supertags_are_wrong_even_if_ranked():
    metric = SupertagAccuracy(top_k=2)
    metric(torch.tensor([[-1, -100]]), torch.tensor([-1]))
    assert metric.get_metric() == {"accuracy": 0.0, "top2_accuracy": 0.0}


def test_counts_do_not_depend_on_batches():
    together, apart = SupertagAccuracy(2), SupertagAccuracy(2)
    together(RANKED, GOLD)
    for ranked, gold in zip(RANKED.split(2), GOLD.split(2), strict=True):
        apart(ranked, gold)
    assert together.get_metric() == apart.get_metric()
