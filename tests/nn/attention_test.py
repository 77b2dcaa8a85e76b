"""Attention against PyTorch's own, and its dropout against what dropout is."""

import math

import pytest
import torch

from lisa_allennlp.nn.attention import scaled_dot_product_attention


def make_inputs(*sizes: int) -> list:
    torch.manual_seed(5)
    return [torch.randn(sizes, requires_grad=True) for _ in range(3)]


@pytest.mark.parametrize("lengths", [[7, 3, 1, 5], [20, 2]])
def test_on_a_cpu_it_equals_pytorchs_own(lengths):
    inputs = make_inputs(2, len(lengths), max(lengths), 3)
    mask = (torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(1))[None, :, None, :]
    theirs = torch.nn.functional.scaled_dot_product_attention(*inputs, attn_mask=mask)
    ours = scaled_dot_product_attention(*inputs, mask)
    torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-6)
    gradients = [torch.autograd.grad(x.sin().sum(), inputs) for x in (ours, theirs)]
    torch.testing.assert_close(*gradients, rtol=1e-5, atol=1e-6)


def test_other_devices_take_pytorchs_own():
    # The meta device has shapes without values.
    inputs = [torch.empty(2, 4, 7, 3, device="meta") for _ in range(3)]
    mask = torch.empty(1, 4, 1, 7, dtype=torch.bool, device="meta")
    assert scaled_dot_product_attention(*inputs, mask, dropout_p=0.5).shape == (2, 4, 7, 3)


def test_products_are_in_single_precision_on_a_cpu():
    inputs = make_inputs(2, 1, 5, 3)
    mask = torch.ones(1, 1, 1, 5, dtype=torch.bool)
    expected = scaled_dot_product_attention(*inputs, mask)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(scaled_dot_product_attention(*inputs, mask), expected)


def test_dropout_drops_weights_and_keeps_their_mean():
    one = make_inputs(2, 1, 6, 4)
    mask = torch.ones(1, 1, 1, 6, dtype=torch.bool)
    with torch.no_grad():
        expected = scaled_dot_product_attention(*one, mask)
        many = [tensor.expand(2, 20_000, 6, 4) for tensor in one]
        dropped = scaled_dot_product_attention(*many, mask, dropout_p=0.3)
    deviation = dropped.std(1, keepdim=True) / math.sqrt(20_000)
    assert ((dropped.mean(1, keepdim=True) - expected).abs() < 5 * deviation + 1e-6).all()
    assert deviation.min() > 0
