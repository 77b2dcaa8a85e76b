"""Tokens without padding against the padded batch that they come from."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.nn.cpu.packed_tokens import COMPILED_ROWS, PackedTokens


def make_mask(lengths) -> torch.Tensor:
    return torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(1)


@given(st.lists(st.integers(1, 6), min_size=1, max_size=5))
def test_tokens_are_the_unpadded_rows_in_order(lengths):
    mask = make_mask(lengths)
    states = torch.randn(*mask.shape, 2)
    layout = PackedTokens(mask)
    packed = layout.pack(states)
    expected = [row for sentence, n in zip(states, lengths, strict=True) for row in sentence[:n]]
    torch.testing.assert_close(packed, torch.stack(expected))
    torch.testing.assert_close(layout.unpack(packed), states * mask.unsqueeze(-1))


@given(st.lists(st.integers(1, 6), min_size=1, max_size=5), st.integers(1, 3))
def test_heads_are_split_and_merged(lengths, num_heads):
    mask = make_mask(lengths)
    states = torch.randn(*mask.shape, num_heads, 2)
    layout = PackedTokens(mask)
    packed = layout.pack(states.flatten(2))
    split = layout.split_heads(packed, head_dim=2)
    assert split.shape == (num_heads, *mask.shape, 2)
    torch.testing.assert_close(split[:, mask], states.permute(2, 0, 1, 3)[:, mask])
    torch.testing.assert_close(layout.merge_heads(split), packed)


def test_each_token_has_the_row_of_its_position():
    layout = PackedTokens(make_mask([3, 1]))
    features = torch.tensor([[0.0], [1.0], [2.0]])
    assert layout.of_each_position(features).flatten().tolist() == [0, 1, 2, 0]


def test_padding_passes_no_gradient_on():
    mask = make_mask([3, 1])
    states = torch.randn(2, 3, 4, requires_grad=True)
    layout = PackedTokens(mask)
    split = layout.split_heads(layout.pack(states), head_dim=2)
    (layout.merge_heads(split).sum() + layout.unpack(layout.pack(states)).sum()).backward()
    torch.testing.assert_close(states.grad, 2.0 * mask.unsqueeze(-1).expand(2, 3, 4))


def test_spare_rows_change_nothing():
    mask = make_mask([3, 1])
    plain = PackedTokens(mask)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        spared = PackedTokens(mask)
    results = []
    for layout in (plain, spared):
        torch.manual_seed(0)
        states = torch.randn(2, 3, 4, requires_grad=True)
        packed = layout.pack(states) + layout.of_each_position(torch.ones(3, 4))
        merged = layout.merge_heads(layout.split_heads(packed, head_dim=2) ** 2)
        output = layout.unpack(merged * packed)
        output.sum().backward()
        results.append((packed.size(0), output, states.grad))
    assert [rows for rows, _, _ in results] == [4, COMPILED_ROWS]
    torch.testing.assert_close(results[0][1:], results[1][1:])
