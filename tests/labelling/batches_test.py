import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.labelling.batches import groups_of_similar_length, predict_groups


@given(st.lists(st.integers(1, 12)), st.integers(1, 30))
def test_groups(lengths, max_tokens):
    groups = list(groups_of_similar_length(lengths, max_tokens))
    assert sorted(position for group in groups for position in group) == list(range(len(lengths)))
    for group in groups:
        longest = max(lengths[position] for position in group)
        assert len(group) == 1 or len(group) * longest <= max_tokens
    # No two neighbours would have gone together.
    for group, following in zip(groups, groups[1:], strict=False):
        assert (len(group) + 1) * lengths[following[0]] > max_tokens


def test_by_length():
    assert list(groups_of_similar_length([5, 1, 3, 1], 6)) == [[1, 3], [2], [0]]


@pytest.mark.medium
@given(st.lists(st.integers(1, 12)), st.integers(1, 30))
def test_predictions_are_by_position(lengths, max_tokens):
    groups = groups_of_similar_length(lengths, max_tokens)
    predictions = predict_groups(
        torch.nn.Linear(1, 1), groups, lambda group: [{"length": lengths[i]} for i in group]
    )
    assert predictions == {i: {"length": length} for i, length in enumerate(lengths)}
