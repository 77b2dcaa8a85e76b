"""The gate networks against the paper's formulas, written out number by number."""

import math

import pytest
import torch
from allennlp.common import Params

from lisa_allennlp.modules.window_gates import WindowGate

DIM, ITEMS = 3, 5


def make(name, **options):
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


def open_gate(gate, window):
    return [[1.0] for _ in window]


@pytest.mark.parametrize(
    "name, reference",
    [
        ("one_layer", one_layer),
        ("mlp", mlp),
        ("convolution", convolution),
        ("averaging", averaging),
        ("open", open_gate),
    ],
)
@torch.no_grad()
def test_gates_are_the_formula(name, reference):
    gate = make(name, **({"hidden_dim": 4} if name == "mlp" else {}))
    contexts = torch.randn(2, 4, ITEMS, DIM)
    gates = gate(contexts)
    assert gates.shape == (2, 4, ITEMS, DIM if name == "convolution" else 1)
    for b in range(2):
        for t in range(4):
            expected = torch.tensor(reference(gate, contexts[b, t].tolist()))
            torch.testing.assert_close(gates[b, t], expected, atol=1e-5, rtol=1e-4)


@torch.no_grad()
def test_the_convolution_is_pytorchs_grouped_one():
    gate = make("convolution")
    contexts = torch.randn(2, 4, ITEMS, DIM)
    filters = gate.filter_weight.reshape(DIM * ITEMS, 1, ITEMS)
    windows = contexts.reshape(8, ITEMS, DIM).transpose(1, 2)
    convolved = torch.nn.functional.conv1d(windows, filters, groups=DIM)
    expected = convolved.view(8, DIM, ITEMS).transpose(1, 2) + gate.filter_bias
    torch.testing.assert_close(gate(contexts).view(8, ITEMS, DIM), expected.sigmoid())


def test_one_layer_is_the_default():
    gate = WindowGate.from_params(Params({}), input_dim=DIM, num_items=ITEMS)
    assert type(gate).__name__ == "OneLayerGate"
