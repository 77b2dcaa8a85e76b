"""The patches of the ablation reach the code, and leave it as it was."""

import pytest
import torch

from benchmarks import ablation
from lisa_allennlp.modules.dropout import Dropout
from lisa_allennlp.nn.token_layout import PaddedTokens, lay_out


def test_packed_tokens_are_replaced():
    mask = torch.ones(1, 2, dtype=torch.bool)
    with ablation.LABELLING["packed tokens"]():
        assert isinstance(lay_out(mask), PaddedTokens)
    assert not isinstance(lay_out(mask), PaddedTokens)


@pytest.mark.medium
def test_dropout_is_replaced():
    def masks_of(layer: torch.nn.Module) -> torch.Tensor:
        torch.manual_seed(0)
        return layer(torch.ones(1000))

    expected = masks_of(torch.nn.Dropout())
    with ablation.TRAINING["compiled dropout"]():
        assert torch.equal(masks_of(Dropout()), expected)
    assert not torch.equal(masks_of(Dropout()), expected)


@pytest.mark.medium
@pytest.mark.parametrize("patches", [ablation.LABELLING, ablation.TRAINING])
def test_every_path_is_timed_in_a_process_that_changes_nothing_here(patches):
    seen = []
    rows = ablation.compare(lambda: seen.append(1), patches, runs=1)
    assert [name for name, *_ in rows] == ["(all of them)", *patches] and not seen
