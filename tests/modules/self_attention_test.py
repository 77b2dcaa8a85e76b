"""The attention of one layer; the encoder's tests hold it to the equations."""

import pytest
import torch

from lisa_allennlp.modules.self_attention import MultiHeadAttention
from lisa_allennlp.nn.padded_tokens import PaddedTokens, lay_out


def make_attention() -> MultiHeadAttention:
    torch.manual_seed(5)
    return MultiHeadAttention(
        input_dim=6, num_heads=2, head_dim=3, dropout=0.5, has_syntactic_head=False
    ).eval()


@pytest.mark.parametrize("make_layout", [PaddedTokens, lay_out])
def test_it_equals_pytorchs_own(make_layout):
    attention = make_attention()
    mask = torch.arange(7) < torch.tensor([[7], [3], [1], [5]])
    layout = make_layout(mask)
    inputs = torch.randn(4, 7, 6)
    projected = attention._projection(inputs).view(4, 7, 3, 2, 3).permute(2, 0, 3, 1, 4)
    expected = torch.nn.functional.scaled_dot_product_attention(
        *projected, attn_mask=mask.view(4, 1, 1, 7)
    )
    actual = layout.unpack(attention(layout.pack(inputs), layout))
    expected = expected.transpose(1, 2).reshape(4, 7, 6)
    torch.testing.assert_close(actual[mask], expected[mask], rtol=1e-5, atol=1e-6)


def test_other_devices_take_pytorchs_own():
    # The meta device has shapes without values.
    attention = make_attention().to("meta")
    layout = lay_out(torch.empty(4, 7, dtype=torch.bool, device="meta"))
    assert attention(torch.empty(28, 6, device="meta"), layout).shape == (28, 6)
