"""The gated window against the paper's formulas, written out position by position."""

import math

import pytest
import torch
from allennlp.common import Params
from allennlp.modules import Seq2SeqEncoder

from lisa_allennlp.modules.seq2seq_encoders.dynamic_window import DynamicWindow, WindowGate

DIM, ITEMS, LENGTHS = 4, 5, [6, 3, 1]
GATES = ["one_layer", "mlp", "convolution", "averaging", "open"]


def make(seed=0, **options):
    torch.manual_seed(seed)
    window = Seq2SeqEncoder.from_params(
        Params({"type": "dynamic_window", "input_dim": DIM, **options})
    )
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


def gates_of(window, items):
    return window._gate(items.view(1, 1, *items.shape))[0, 0]


@pytest.mark.parametrize("size", [0, 1, 4])
@pytest.mark.parametrize("gate", GATES)
@torch.no_grad()
def test_equation_7(gate, size):
    window = make(window_size=size, gate={"type": gate}, gate_dropout=0.0)
    inputs, mask = batch()
    output = window(inputs, mask)
    assert output.shape[-1] == window.get_output_dim()
    for b, length in enumerate(LENGTHS):
        for t in range(length):
            items = items_around(window, inputs[b, :length], t)
            gated = gates_of(window, items) * items
            expected = gated.sum(0) if gate == "averaging" else gated.flatten()
            torch.testing.assert_close(output[b, t], expected)


@pytest.mark.parametrize("gate", ["one_layer", "convolution", "open"])
@torch.no_grad()
def test_equations_10_to_12_dropout_is_of_whole_words(gate):
    window = make(gate={"type": gate}, gate_dropout=0.5).train()
    inputs = torch.randn(50, 8, DIM)
    torch.manual_seed(3)
    reading = window.read(inputs)
    contexts = reading.contexts.view(50, 8, 3, DIM)
    filtered = reading.filtered.view(50, 8, 3, DIM)
    is_dropped = (filtered == 0).all(-1)
    assert abs(is_dropped.float().mean() - 0.5) < 0.05
    full = reading.gates * contexts
    torch.testing.assert_close(filtered[~is_dropped], full[~is_dropped])
    # At test time gates are scaled instead.
    torch.testing.assert_close(
        window.eval()(inputs).view(50, 8, 3, DIM), 0.5 * full, atol=1e-6, rtol=1e-5
    )


@torch.no_grad()
def test_dropout_on_embeddings_is_of_single_dimensions():
    window = make(gate={"type": "open"}, gate_dropout=0.0, embedding_dropout=0.5)
    inputs = torch.randn(40, 30, DIM)
    centre = window.train()(inputs).view(40, 30, 3, DIM)[:, :, 1]
    assert abs((centre == 0).float().mean() - 0.5) < 0.03
    assert ((centre == 0) | (centre == inputs)).all()
    torch.testing.assert_close(window.eval()(inputs).view(40, 30, 3, DIM)[:, :, 1], 0.5 * inputs)


@pytest.mark.parametrize("gate", GATES)
@torch.no_grad()
def test_neighbours_in_the_batch_do_not_matter(gate):
    window = make(window_size=4, gate={"type": gate}).eval()
    inputs, mask = batch()
    together = window(inputs, mask)
    for b, length in enumerate(LENGTHS):
        alone = window(inputs[b : b + 1, :length])
        torch.testing.assert_close(together[b, :length], alone[0])


@pytest.mark.parametrize("bidirectional", [False, True])
def test_any_encoder_can_follow(bidirectional):
    encoder = Seq2SeqEncoder.from_params(
        Params(
            {
                "type": "compose",
                "encoders": [
                    {
                        "type": "dynamic_window",
                        "input_dim": DIM,
                        "window_size": 2,
                        "bidirectional": bidirectional,
                    },
                    {
                        "type": "gru",
                        "input_size": 5 * DIM,
                        "hidden_size": 7,
                        "bidirectional": bidirectional,
                    },
                    {
                        "type": "scaled_dropout",
                        "input_dim": 14 if bidirectional else 7,
                        "bidirectional": bidirectional,
                    },
                ],
            }
        )
    )
    inputs, mask = batch()
    assert encoder.is_bidirectional() == bidirectional
    assert encoder(inputs, mask).shape == (3, 6, 14 if bidirectional else 7)
    assert isinstance(encoder.encoders[0], DynamicWindow)


def make_gate(name, **options):
    torch.manual_seed(1)
    params = Params({"type": name, **options})
    gate = WindowGate.from_params(params, input_dim=DIM, num_items=ITEMS)
    for parameter in gate.parameters():
        torch.nn.init.normal_(parameter)
    return gate


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def one_layer_logits(gate, window):
    flat = [x for item in window for x in item]
    weight, bias = gate._projection.weight.tolist(), gate._projection.bias.tolist()
    return [
        sum(w * x for w, x in zip(weight[i], flat, strict=True)) + bias[i] for i in range(ITEMS)
    ]


def one_layer(gate, window):
    return [[sigmoid(logit)] for logit in one_layer_logits(gate, window)]


def averaging(gate, window):
    exponentials = [math.exp(logit) for logit in one_layer_logits(gate, window)]
    return [[e / sum(exponentials)] for e in exponentials]


def mlp(gate, window):
    flat = [x for item in window for x in item]
    w_1, b_1 = gate._hidden.weight.tolist(), gate._hidden.bias.tolist()
    w_2, b_2 = gate._projection.weight.tolist(), gate._projection.bias.tolist()
    hidden = [
        math.tanh(sum(w * x for w, x in zip(row, flat, strict=True)) + b)
        for row, b in zip(w_1, b_1, strict=True)
    ]
    return [
        [sigmoid(sum(w * h for w, h in zip(row, hidden, strict=True)) + b)]
        for row, b in zip(w_2, b_2, strict=True)
    ]


def convolution(gate, window):
    weight, bias = gate.filter_weight.tolist(), gate.filter_bias.tolist()
    return [
        [
            sigmoid(sum(weight[d][i][j] * window[j][d] for j in range(ITEMS)) + bias[i][d])
            for d in range(DIM)
        ]
        for i in range(ITEMS)
    ]


@pytest.mark.parametrize(
    "name, reference",
    [
        ("one_layer", one_layer),
        ("mlp", mlp),
        ("convolution", convolution),
        ("averaging", averaging),
        ("open", lambda gate, window: [[1.0] for _ in window]),
    ],
)
@torch.no_grad()
def test_gates_are_the_formula(name, reference):
    gate = make_gate(name, **({"hidden_dim": 4} if name == "mlp" else {}))
    contexts = torch.randn(2, 4, ITEMS, DIM)
    gates = gate(contexts)
    assert gates.shape == (2, 4, ITEMS, DIM if name == "convolution" else 1)
    for b in range(2):
        for t in range(4):
            expected = torch.tensor(reference(gate, contexts[b, t].tolist()))
            torch.testing.assert_close(gates[b, t], expected, atol=1e-5, rtol=1e-4)


def test_one_layer_is_the_default():
    gate = WindowGate.from_params(Params({}), input_dim=DIM, num_items=ITEMS)
    assert type(gate).__name__ == "OneLayerGate"
