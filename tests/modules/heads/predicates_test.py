import pytest
import torch
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.modules.heads.predicates import append_indicator, find_predicates


def test_indicator_is_appended_to_each_token():
    embedded = torch.randn(2, 3, 4)
    embedding = torch.nn.Embedding(2, 5)
    result = append_indicator(embedded, torch.tensor([[0, 1, 0], [1, 0, -1]]), embedding)
    assert torch.equal(result[..., :4], embedded)
    zero, one = embedding.weight
    for row, position, expected in [(0, 0, zero), (0, 1, one), (1, 0, one), (1, 1, zero)]:
        assert torch.equal(result[row, position, 4:], expected)


def test_no_indicator_and_no_embedding():
    embedded = torch.randn(2, 3, 4)
    assert append_indicator(embedded, None, None) is embedded


def test_one_without_the_other():
    embedded = torch.randn(1, 2, 4)
    with pytest.raises(ConfigurationError, match="a reader without one_predicate_per_instance"):
        append_indicator(embedded, torch.tensor([[0, 1]]), None)
    with pytest.raises(ConfigurationError, match="a reader with one_predicate_per_instance"):
        append_indicator(embedded, None, torch.nn.Embedding(2, 5))


def pairs(*found: torch.Tensor) -> list:
    return list(zip(*(indices.tolist() for indices in found), strict=True))


def test_predicates_are_above_the_threshold_and_no_padding():
    probabilities = torch.tensor([[0.5, 0.6, 0.1], [0.9, 0.2, 0.9]])
    mask = torch.tensor([[True, True, True], [True, True, False]])
    assert pairs(*find_predicates(probabilities, 0.5, mask)) == [(0, 1), (1, 0)]


def test_what_is_given_outweighs_probabilities():
    probabilities = torch.tensor([[0.9, 0.6, 0.1, 0.2]])
    given = torch.tensor([[0, -1, 1, -1]])
    mask = torch.ones(1, 4, dtype=torch.bool)
    assert pairs(*find_predicates(probabilities, 0.5, mask, given)) == [(0, 1), (0, 2)]
