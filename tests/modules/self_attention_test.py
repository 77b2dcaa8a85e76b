"""The attention of one layer; the encoder's tests hold it to the equations."""

import torch

from lisa_allennlp.modules.self_attention import MultiHeadAttention


def make_attention() -> MultiHeadAttention:
    torch.manual_seed(5)
    return MultiHeadAttention(
        input_dim=6, num_heads=2, head_dim=3, dropout=0.5, has_syntactic_head=False
    ).eval()


def test_on_a_cpu_it_equals_pytorchs_own():
    attention = make_attention()
    inputs = torch.randn(4, 7, 6)
    mask = (torch.arange(7) < torch.tensor([[7], [3], [1], [5]])).view(4, 1, 1, 7)
    projected = attention._projection(inputs).view(4, 7, 3, 2, 3).permute(2, 0, 3, 1, 4)
    expected = torch.nn.functional.scaled_dot_product_attention(*projected, attn_mask=mask)
    torch.testing.assert_close(
        attention(inputs, mask), expected.transpose(1, 2).reshape(4, 7, 6), rtol=1e-5, atol=1e-6
    )


def test_other_devices_take_pytorchs_own():
    # The meta device has shapes without values.
    attention = make_attention().to("meta")
    inputs = torch.empty(4, 7, 6, device="meta")
    mask = torch.empty(4, 1, 1, 7, dtype=torch.bool, device="meta")
    assert attention(inputs, mask).shape == (4, 7, 6)
