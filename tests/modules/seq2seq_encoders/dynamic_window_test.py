"""The gated window against the paper's formulas, written out position by position."""

import pytest
import torch
from allennlp.common import Params
from allennlp.modules import Seq2SeqEncoder
from allennlp.nn.initializers import Initializer

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.modules.seq2seq_encoders.dynamic_window import DynamicWindow

DIM, LENGTHS = 4, [6, 3, 1]


def make(**options) -> DynamicWindow:
    torch.manual_seed(0)
    params = Params({"type": "dynamic_window", "input_dim": DIM, **options})
    window = Seq2SeqEncoder.from_params(params)
    for parameter in window.parameters():
        torch.nn.init.normal_(parameter)
    return window


def batch():
    mask = torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS).unsqueeze(-1)
    return torch.randn(len(LENGTHS), max(LENGTHS), DIM), mask


def items_around(window, sentence, t):
    """`x_{t-w} ... x_{t+w}`, with the edge's embedding beyond the sentence."""
    positions = range(t - window._window_size, t + window._window_size + 1)
    inside = range(len(sentence))
    return torch.stack([sentence[p] if p in inside else window.edge_embedding for p in positions])


def sigmoid(x):
    return 1 / (1 + torch.exp(-x))


def one_layer_logits(gate, items):
    return gate._projection.weight @ items.flatten() + gate._projection.bias


def mlp(gate, items):
    hidden = torch.tanh(gate._hidden.weight @ items.flatten() + gate._hidden.bias)
    return sigmoid(gate._projection.weight @ hidden + gate._projection.bias).unsqueeze(-1)


def averaging(gate, items):
    exponentials = one_layer_logits(gate, items).exp()
    return (exponentials / exponentials.sum()).unsqueeze(-1)


def convolution(gate, items):
    of_dims = [gate.filter_weight[d] @ items[:, d] for d in range(DIM)]
    return sigmoid(torch.stack(of_dims, dim=1) + gate.filter_bias)


EQUATIONS = {
    "one_layer": lambda gate, items: sigmoid(one_layer_logits(gate, items)).unsqueeze(-1),
    "mlp": mlp,
    "convolution": convolution,
    "averaging": averaging,
    "open": lambda gate, items: torch.ones(len(items), 1),
}


@pytest.mark.parametrize("size", [0, 2])
@pytest.mark.parametrize("gate", EQUATIONS)
@torch.no_grad()
def test_equations_7_and_9_and_the_other_gates(gate, size):
    window = make(window_size=size, gate={"type": gate}, gate_dropout=0.0)
    inputs, mask = batch()
    output, reading = window(inputs, mask), window.read(inputs, mask)
    assert output.shape[-1] == window.get_output_dim()
    for b, length in enumerate(LENGTHS):
        for t in range(length):
            items = items_around(window, inputs[b, :length], t)
            torch.testing.assert_close(reading.contexts[b, t], items.flatten())
            gates = EQUATIONS[gate](window._gate, items)
            torch.testing.assert_close(reading.gates[b, t], gates)
            gated = gates * items
            expected = gated.sum(0) if gate == "averaging" else gated.flatten()
            torch.testing.assert_close(output[b, t], expected)


@torch.no_grad()
def test_equations_10_to_12_dropout_is_of_whole_words():
    window = make(gate={"type": "convolution"}, gate_dropout=0.25).train()
    inputs = torch.randn(50, 30, DIM)
    reading = window.read(inputs)
    contexts = reading.contexts.view(50, 30, 3, DIM)
    filtered = reading.filtered.view(50, 30, 3, DIM)
    is_dropped = (filtered == 0).all(-1)
    assert abs(is_dropped.float().mean() - 0.25) < 0.03
    full = reading.gates * contexts
    torch.testing.assert_close(filtered[~is_dropped], full[~is_dropped])
    # At test time gates are scaled instead.
    torch.testing.assert_close(
        window.eval()(inputs).view(50, 30, 3, DIM), 0.75 * full, atol=1e-6, rtol=1e-5
    )


@torch.no_grad()
def test_dropout_on_embeddings_is_of_single_dimensions():
    window = make(gate={"type": "open"}, gate_dropout=0.0, embedding_dropout=0.5)
    inputs = torch.randn(40, 30, DIM)
    centre = window.train()(inputs).view(40, 30, 3, DIM)[:, :, 1]
    assert abs((centre == 0).float().mean() - 0.5) < 0.03
    assert ((centre == 0) | (centre == inputs)).all()
    torch.testing.assert_close(window.eval()(inputs).view(40, 30, 3, DIM)[:, :, 1], 0.5 * inputs)


def test_any_encoder_can_follow():
    encoders = [
        {"type": "dynamic_window", "input_dim": DIM, "window_size": 2},
        {"type": "gru", "input_size": 5 * DIM, "hidden_size": 7},
        {"type": "scaled_dropout", "input_dim": 14},
    ]
    encoders = [{**encoder, "bidirectional": True} for encoder in encoders]
    encoder = Seq2SeqEncoder.from_params(Params({"type": "compose", "encoders": encoders}))
    inputs, mask = batch()
    assert encoder.is_bidirectional() and encoder(inputs, mask).shape == (3, 6, 14)


def test_the_scale_of_initial_weights():
    torch.manual_seed(0)
    initializer = Initializer.from_params(Params({"type": "fan_in_gaussian", "scale": 0.2}))
    weight = torch.empty(500, 400)
    initializer(weight)
    assert abs(weight.std() - 0.2 / 20) < 1e-4 and abs(weight.mean()) < 1e-4
