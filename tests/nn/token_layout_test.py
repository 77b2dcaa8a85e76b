"""The layouts against indexing of the padded batch, and against each other."""

from typing import List

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.nn.token_layout import PackedTokens, PaddedTokens, TokenLayout, lay_out

LAYOUTS = [PaddedTokens, PackedTokens]
lengths_of_sentences = st.lists(st.integers(1, 6), min_size=1, max_size=5)


def make_mask(lengths: List[int]) -> torch.Tensor:
    return torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(1)


@pytest.mark.parametrize("make_layout", LAYOUTS)
def test_tokens_are_found_by_sentence_and_position(make_layout) -> None:
    states = torch.randn(3, 3, 4)
    layout = make_layout(make_mask([3, 1, 2]))
    sentences, positions = torch.tensor([2, 0, 1, 2]), torch.tensor([1, 2, 0, 0])
    found = layout.pack(states)[layout.rows(sentences, positions)]
    assert torch.equal(found, states[sentences, positions])


@given(lengths_of_sentences)
def test_packed_tokens_are_the_unpadded_rows_in_order(lengths: List[int]) -> None:
    mask = make_mask(lengths)
    states = torch.randn(*mask.shape, 2)
    layout = PackedTokens(mask)
    packed = layout.pack(states)
    expected = [row for sentence, n in zip(states, lengths, strict=True) for row in sentence[:n]]
    assert torch.equal(packed, torch.stack(expected))
    assert torch.equal(layout.unpack(packed), states * mask.unsqueeze(-1))
    positions = layout.of_each_position(torch.arange(mask.size(1)).unsqueeze(1)).flatten()
    assert positions.tolist() == [t for n in lengths for t in range(n)]


def all_moves(layout: TokenLayout, states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Every move once, with what padding holds cut away, as attention does."""
    positions = torch.arange(states.size(1) * states.size(2)).view(states.shape[1:]).to(states)
    packed = layout.pack(states) + layout.of_each_position(positions.sin())
    split = layout.split_heads(packed, num_heads=packed.size(1) // 2, head_dim=2)
    return layout.unpack(layout.merge_heads(split.exp() * mask)) * mask


@given(lengths_of_sentences)
def test_both_layouts_give_the_same(lengths: List[int]) -> None:
    mask = make_mask(lengths)
    results = []
    for make_layout in LAYOUTS:
        torch.manual_seed(0)
        states = torch.randn(*mask.shape, 6, requires_grad=True)
        moved = all_moves(make_layout(mask), states, mask.unsqueeze(-1))
        moved.square().sum().backward()
        results.append([moved, states.grad])
    torch.testing.assert_close(*results)


def test_padding_is_kept_where_counting_would_make_the_host_wait() -> None:
    assert lay_out(make_mask([3, 1])).pack(torch.randn(2, 3, 4)).shape == (4, 4)
    # The meta device has shapes without values, so that nothing can be counted there.
    mask = torch.empty(2, 3, dtype=torch.bool, device="meta")
    assert lay_out(mask).pack(torch.empty(2, 3, 4, device="meta")).shape == (6, 4)
