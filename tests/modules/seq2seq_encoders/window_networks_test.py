"""Elman's and Jordan's networks against equations 15 to 18, written out."""

import pytest
import torch
from allennlp.common import Params
from allennlp.data import Vocabulary
from allennlp.modules import Seq2SeqEncoder

import lisa_allennlp.modules.seq2seq_encoders.window_networks  # noqa: F401

DIM, HIDDEN, LABELS, LENGTHS = 3, 5, 4, [6, 2]


def make(name, **options):
    torch.manual_seed(0)
    vocab = Vocabulary()
    for label in range(LABELS):
        vocab.add_token_to_namespace(str(label), "supertag_labels")
    params = {"type": name, "window": {"input_dim": DIM}, "hidden_dim": HIDDEN, **options}
    network = Seq2SeqEncoder.from_params(Params(params), vocab=vocab)
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter)
    return network.eval()


def batch():
    mask = torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS).unsqueeze(-1)
    return torch.randn(len(LENGTHS), max(LENGTHS), DIM), mask


def expected_states(network, contexts, filtered, feed_back, recurrent_dim):
    r = network._recurrence
    recurrent, states = torch.zeros(recurrent_dim), []
    for context, inputs in zip(contexts, filtered, strict=True):
        logit = r.context_gate.weight[0] @ context + r.context_gate.bias[0]
        gate = torch.sigmoid(logit + r.recurrent_gate.weight[0] @ recurrent)
        remembered = r.recurrent_projection.weight @ (gate * recurrent)
        state = torch.tanh(
            r.input_projection.weight @ inputs + r.input_projection.bias + remembered
        )
        states.append(state)
        recurrent = feed_back(state)
    return torch.stack(states)


@pytest.mark.parametrize("name", ["elman_rnn", "jordan_rnn"])
@torch.no_grad()
def test_equations(name):
    is_jordan = name == "jordan_rnn"
    network = make(name, **({"dropout": 0.2} if is_jordan else {}))
    kept, recurrent_dim = (0.8, LABELS) if is_jordan else (1.0, HIDDEN)

    def feed_back(state):
        if not is_jordan:
            return state
        layer = network.output_layer
        return torch.softmax(layer.weight @ (kept * state) + layer.bias, 0)

    inputs, mask = batch()
    states, reading = network(inputs, mask), network._window.read(inputs, mask)
    for b, length in enumerate(LENGTHS):
        windows = reading.contexts[b, :length], reading.filtered[b, :length]
        expected = expected_states(network, *windows, feed_back, recurrent_dim)
        torch.testing.assert_close(states[b, :length], kept * expected, atol=1e-5, rtol=1e-4)


def test_jordan_feeds_back_what_it_returns():
    network = make("jordan_rnn", dropout=0.5).train()
    seen = []
    network.output_layer.register_forward_hook(lambda _, inputs, __: seen.append(inputs[0]))
    states = network(torch.randn(2, 4, DIM))
    torch.testing.assert_close(torch.stack(seen, dim=1), states)
    assert (states == 0).any()
