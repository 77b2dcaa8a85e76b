"""What all sense taggers share."""

import torch

from lisa_allennlp.modules.heads.sense_tagger import SenseScores, SenseTagger


class ByNumber(SenseTagger):
    """Prefers rolesets with large numbers."""

    def score(self, states: torch.Tensor, candidates: torch.Tensor) -> torch.Tensor:
        assert candidates.min() >= 0
        return candidates.half()


def test_padding_is_never_chosen():
    scores = ByNumber(4, 9)(torch.zeros(3, 4), torch.tensor([[0, -1], [3, 8], [-1, -1]]))
    assert scores.logits.dtype == torch.float
    assert scores.best().tolist() == [0, 8, -1]


def test_batches_without_predicates():
    assert SenseScores(torch.zeros(0, 3), torch.zeros(0, 3).long()).best().shape == (0,)
