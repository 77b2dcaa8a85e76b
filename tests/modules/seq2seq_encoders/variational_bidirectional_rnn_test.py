"""The recurrent encoder against its equations written out."""

from typing import Callable, Tuple

import pytest
import torch
from torch.nn.functional import dropout

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.modules.seq2seq_encoders.variational_bidirectional_rnn import (
    VariationalBidirectionalRnn,
)

LENGTHS = [5, 3, 1]
State = Tuple[torch.Tensor, torch.Tensor]


def make_encoder(cell: str, **options: float) -> VariationalBidirectionalRnn:
    torch.manual_seed(7)
    encoder = VariationalBidirectionalRnn(4, hidden_dim=3, num_layers=2, cell=cell, **options)
    for parameter in encoder.parameters():
        torch.nn.init.normal_(parameter, std=0.7)
    return encoder


def make_batch() -> Tuple[torch.Tensor, torch.Tensor]:
    torch.manual_seed(8)
    mask = torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS).unsqueeze(1)
    return torch.randn(*mask.shape, 4), mask


def sigmoid(x: torch.Tensor) -> torch.Tensor:
    return 1 / (1 + torch.exp(-x))


def lstm(x: torch.Tensor, h: torch.Tensor, state: State) -> State:
    i, f, g, o = [x[k : k + 3] + h[k : k + 3] for k in (0, 3, 6, 9)]
    memory = sigmoid(f) * state[1] + sigmoid(i) * torch.tanh(g)
    return sigmoid(o) * torch.tanh(memory), memory


def cif_lstm(x: torch.Tensor, h: torch.Tensor, state: State) -> State:
    f, g, o = [x[k : k + 3] + h[k : k + 3] for k in (0, 3, 6)]
    memory = sigmoid(f) * state[1] + (1 - sigmoid(f)) * torch.tanh(g)
    return sigmoid(o) * torch.tanh(memory), memory


def gru(x: torch.Tensor, h: torch.Tensor, state: State) -> State:
    r = sigmoid(x[0:3] + h[0:3])
    z = sigmoid(x[3:6] + h[3:6])
    n = torch.tanh(x[6:9] + r * h[6:9])
    # What is carried over is not dropped: only the projected state is.
    hidden = (1 - z) * n + z * state[0]
    return hidden, hidden


@pytest.mark.parametrize("cell, step", [("lstm", lstm), ("cif_lstm", cif_lstm), ("gru", gru)])
def test_training_drops_the_same_units_at_every_time_step(cell: str, step: Callable):
    """One sentence, one token at a time, with the masks that the same random numbers give."""
    encoder = make_encoder(cell, input_dropout=0.4, recurrent_dropout=0.3)
    inputs, mask = make_batch()
    torch.manual_seed(9)
    outputs = encoder(inputs, mask)

    torch.manual_seed(9)
    masks = []
    for dim in (4, 6):
        masks.append((dropout(torch.ones(3, dim), 0.4), dropout(torch.ones(2, 3, 3), 0.3)))
    assert any((kept == 0).any() for pair in masks for kept in pair)
    for row, length in enumerate(LENGTHS):
        sequence = list(inputs[row, :length])
        for layer, (input_mask, recurrent_mask) in zip(encoder._layers, masks, strict=True):
            sequence = [x * input_mask[row] for x in sequence]
            read = []
            for direction in range(2):
                state = torch.zeros(3), torch.zeros(3)
                hidden = []
                for x in sequence if direction == 0 else sequence[::-1]:
                    kept = state[0] * recurrent_mask[direction, row]
                    state = step(
                        x @ layer._input_weight[direction] + layer._input_bias[direction, 0],
                        kept @ layer._recurrent_weight[direction]
                        + layer._recurrent_bias[direction, 0],
                        state,
                    )
                    hidden.append(state[0])
                read.append(hidden if direction == 0 else hidden[::-1])
            sequence = [torch.cat(pair) for pair in zip(*read, strict=True)]
        torch.testing.assert_close(outputs[row, :length], torch.stack(sequence))
        assert (outputs[row, length:] == 0).all()


@pytest.mark.parametrize("cell", ["lstm", "gru"])
def test_highways_mix_states_and_projected_inputs(cell: str):
    """Layer by layer, of the layers without highways that have the same weights."""
    encoder = make_encoder(cell, highway=True).eval()
    inputs, mask = make_batch()
    outputs = encoder(inputs, mask)
    x = inputs
    for layer, highway in zip(encoder._layers, encoder._highways, strict=True):
        plain = VariationalBidirectionalRnn(x.size(-1), hidden_dim=3, num_layers=1, cell=cell)
        plain._layers[0].load_state_dict(layer.state_dict())
        gate_weight, carry_weight = highway._both.weight.chunk(2)
        gate_bias, carry_bias = highway._both.bias.chunk(2)
        gate = sigmoid(x @ gate_weight.T + gate_bias)
        x = gate * plain.eval()(x, mask) + (1 - gate) * (x @ carry_weight.T + carry_bias)
    torch.testing.assert_close(outputs[mask], x[mask])
    assert (outputs[~mask] == 0).all()


@pytest.mark.parametrize("cell", ["lstm", "cif_lstm", "gru"])
def test_reduced_precision_is_close(cell: str) -> None:
    """States and gradients: 8 bits of each factor, no more lost along the sentence."""
    encoder = make_encoder(cell, recurrent_dropout=0.0, input_dropout=0.0)
    for parameter in encoder.parameters():
        parameter.data /= 2
    inputs, mask = make_batch()
    results = []
    for reduced in (False, True):
        encoder.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=reduced):
            states = encoder(inputs, mask)
        assert states.dtype == torch.float32
        (states**2).sum().backward()
        results.append([states.detach(), *(p.grad.clone() for p in encoder.parameters())])
    for exact, rounded in zip(*results, strict=True):
        assert 0 < (exact - rounded).norm() / exact.norm() < 0.02


def test_unknown_cell():
    with pytest.raises(ConfigurationError, match="cell is 'rnn'; expected one of lstm, cif_lstm"):
        VariationalBidirectionalRnn(4, cell="rnn")
