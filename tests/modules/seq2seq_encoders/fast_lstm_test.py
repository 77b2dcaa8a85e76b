"""The layer against PyTorch's own LSTM on packed sequences."""

from typing import Optional

import pytest
import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from lisa_allennlp.modules.seq2seq_encoders.fast_lstm import FastLstm

INPUT_SIZE, HIDDEN_SIZE = 5, 4


def packed(lstm: torch.nn.LSTM, inputs: torch.Tensor, mask: Optional[torch.Tensor]):
    if mask is None:
        return lstm(inputs)[0]
    sequences = pack_padded_sequence(inputs, mask.sum(-1), batch_first=True, enforce_sorted=False)
    return pad_packed_sequence(lstm(sequences)[0], batch_first=True)[0]


@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("lengths", [None, [3, 6, 1], [6]])
def test_it_computes_what_pytorchs_layer_computes(bidirectional: bool, lengths) -> None:
    """One sentence without padding by its own recurrence, others by PyTorch's."""
    layer = FastLstm(INPUT_SIZE, HIDDEN_SIZE, bidirectional).double()
    batch_size = 1 if lengths is None else len(lengths)
    inputs = torch.randn(batch_size, 6, INPUT_SIZE, dtype=torch.double, requires_grad=True)
    mask = None if lengths is None else torch.arange(6) < torch.tensor(lengths).unsqueeze(-1)
    states = layer(inputs, mask)
    expected = packed(layer._module, inputs, mask)
    torch.testing.assert_close(states, expected)
    assert states.size(-1) == layer.get_output_dim() == HIDDEN_SIZE * (1 + bidirectional)
    assert layer.is_bidirectional() == bidirectional and layer.get_input_dim() == INPUT_SIZE
    weights = torch.randn_like(states)
    variables = [inputs, *layer.parameters()]
    gradients = torch.autograd.grad((states * weights).sum(), variables)
    theirs = torch.autograd.grad((expected * weights).sum(), variables)
    for gradient, other in zip(gradients, theirs, strict=True):
        torch.testing.assert_close(gradient, other)
    with torch.no_grad():
        torch.testing.assert_close(layer(inputs, mask), expected)


def test_mixed_precision_changes_no_update() -> None:
    layer, inputs = FastLstm(INPUT_SIZE, HIDDEN_SIZE), torch.randn(1, 6, INPUT_SIZE)
    expected = layer(inputs)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        torch.testing.assert_close(layer(inputs.bfloat16()), expected, rtol=0.02, atol=0.02)
        assert torch.equal(layer(inputs), expected)
