"""The means of the weights of trainings that continue one another."""

import torch

from experiments.english.mean_weights import mean


def test_rows_that_only_later_models_have_are_the_means_of_theirs():
    first = {"words": torch.tensor([[1.0, 2.0]]), "n": torch.tensor(1)}
    last = {
        "words": torch.tensor([[3.0, 6.0], [5.0, 7.0]]),
        "n": torch.tensor(2),
    }
    found = mean([first, last])
    assert found["words"].tolist() == [[2.0, 4.0], [5.0, 7.0]]
    assert found["n"] == 2
    assert mean([last, last])["words"].equal(last["words"])
