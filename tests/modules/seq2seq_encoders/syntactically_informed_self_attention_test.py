"""The encoder against the equations of LISA section 2, written out token by token."""

import itertools
import math
from typing import Dict

import pytest
import torch

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.modules.dropout import Dropout
from lisa_allennlp.modules.self_attention import SyntacticMixture
from lisa_allennlp.modules.seq2seq_encoders.syntactically_informed_self_attention import (
    SyntacticallyInformedSelfAttention,
)
from tests.decoding.trees_test import is_tree

SMALL = {
    "input_dim": 5,
    "num_layers": 3,
    "num_heads": 3,
    "head_dim": 4,
    "feedforward_hidden_dim": 7,
    "predicate_layer": 1,
    "parse_layer": 2,
    "arc_dim": 6,
    "label_dim": 3,
}


def make_encoder(**overrides) -> SyntacticallyInformedSelfAttention:
    torch.manual_seed(4)
    encoder = SyntacticallyInformedSelfAttention(**{**SMALL, **overrides})
    for parameter in encoder.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return encoder.eval()


class WrittenOut:
    """The same network for one sentence, from the same weights, one head and one row at a time."""

    def __init__(
        self,
        encoder: SyntacticallyInformedSelfAttention,
        style: str,
        maps: int,
        eps: float = 1e-5,
    ) -> None:
        self.weights: Dict[str, torch.Tensor] = dict(encoder.named_parameters())
        self.style, self.maps, self.eps = style, maps, eps

    def linear(self, name: str, x: torch.Tensor) -> torch.Tensor:
        return x @ self.weights[f"{name}.weight"].t() + self.weights[f"{name}.bias"]

    def norm(self, name: str, x: torch.Tensor) -> torch.Tensor:
        mean = x.mean(-1, keepdim=True)
        variance = ((x - mean) ** 2).mean(-1, keepdim=True)
        scaled = (x - mean) / torch.sqrt(variance + self.eps)
        return scaled * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    @staticmethod
    def leaky(x: torch.Tensor) -> torch.Tensor:
        return torch.where(x > 0, x, 0.1 * x)

    def heads(self, name: str, x: torch.Tensor, parse_attention) -> torch.Tensor:
        ordinary = 3 if parse_attention is None else 2
        projected = self.linear(f"{name}._attention._projection", x)
        queries, keys, values = (
            projected[:, i * ordinary * 4 :][:, : ordinary * 4] for i in range(3)
        )
        mixed = []
        for head in range(ordinary):
            part = slice(4 * head, 4 * head + 4)
            attention = (queries[:, part] @ keys[:, part].t() / math.sqrt(4)).softmax(-1)
            mixed.append(attention @ values[:, part])
        if parse_attention is not None:
            mixed.append(parse_attention @ projected[:, -4:])
        return torch.cat(mixed, dim=-1)

    def feedforward(self, name: str, x: torch.Tensor) -> torch.Tensor:
        for i in range(self.maps):
            x = self.linear(f"{name}._feedforward.{3 * i}", x)
            if i < self.maps - 1 or self.style == "paper":
                x = self.leaky(x)
        return x

    def layer(self, number: int, x: torch.Tensor, parse_attention) -> torch.Tensor:
        name = f"_layers.{number - 1}"
        if self.style == "paper":
            transformed = self.feedforward(name, self.heads(name, x, parse_attention))
            return self.norm(f"{name}._norm", x + transformed)
        normed = self.norm(f"{name}._attention_norm", x)
        attended = self.heads(name, normed, parse_attention)
        carried = normed if self.style == "authors" else x
        x = carried + self.linear(f"{name}._output_projection", attended)
        normed = self.norm(f"{name}._feedforward_norm", x)
        carried = normed if self.style == "authors" else x
        return carried + self.feedforward(name, normed)

    def read(self, name: str, x: torch.Tensor) -> torch.Tensor:
        return self.norm(f"{name}.0", x) if f"{name}.0.weight" in self.weights else x

    def __call__(self, x: torch.Tensor, heads=None):
        length = x.size(0)
        x = self.linear("_input_projection", x)
        for t in range(length):
            for i in range(6):
                angle = t / 10000 ** (i / 5)
                x[t, i] += math.sin(angle)
                x[t, 6 + i] += math.cos(angle)
        first = self.layer(1, x, None)
        below = self.leaky(
            self.linear("_syntactic_head._projection.0", self.read("_parse_norm", first))
        )
        queries, keys = below[:, :6], below[:, 6:12]
        u_matrix = self.weights["_syntactic_head._arc_attention._query_to_key.weight"].t()
        prior = self.weights["_syntactic_head._arc_attention._query_to_key.bias"]
        arc_scores = queries @ u_matrix @ keys.t() + (keys @ prior).unsqueeze(0)
        attention = arc_scores.softmax(-1)
        if heads is not None:
            attention = torch.nn.functional.one_hot(torch.tensor(heads), length).float()
        last = self.layer(3, self.layer(2, first, attention), None)
        return self.read("_final_norm", last), self.read("_predicate_norm", first), arc_scores


@pytest.mark.parametrize(
    "style, maps, heads",
    [("pre_norm", 2, None), ("authors", 3, [1, 1, 1, 2]), ("paper", 2, [1, 1, 1, 2])],
)
@torch.no_grad()
def test_encoder_is_the_papers_equations(style, maps, heads):
    encoder = make_encoder(layer_style=style, feedforward_num_layers=maps)
    sentence = torch.randn(4, 5)
    given = None if heads is None else torch.tensor([heads])
    encoded = encoder.encode(sentence.unsqueeze(0), torch.ones(1, 4, dtype=torch.bool), given)
    states, predicate_states, arc_scores = WrittenOut(encoder, style, maps)(sentence, heads)
    torch.testing.assert_close(encoded.states, states, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(encoded.predicate_states, predicate_states, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(encoded.parse.arc_scores[0], arc_scores, rtol=1e-4, atol=1e-5)


@torch.no_grad()
def test_the_authors_states_are_read_as_they_are():
    encoder = make_encoder(
        layer_style="authors",
        feedforward_num_layers=3,
        intermediate_norms=False,
        layer_norm_eps=0.5,
    )
    norms = [name for name, _ in encoder.named_parameters() if name.endswith("_norm.0.weight")]
    assert norms == ["_final_norm.0.weight"]
    sentence = torch.randn(4, 5)
    encoded = encoder.encode(sentence.unsqueeze(0), torch.ones(1, 4, dtype=torch.bool))
    expected = WrittenOut(encoder, "authors", 3, eps=0.5)(sentence)
    actual = encoded.states, encoded.predicate_states, encoded.parse.arc_scores[0]
    torch.testing.assert_close(actual, expected, rtol=1e-4, atol=1e-5)


@torch.no_grad()
def test_given_and_own_heads_mix_by_token():
    encoder = make_encoder()
    inputs, mask = torch.randn(1, 4, 5), torch.ones(1, 4, dtype=torch.bool)
    own = encoder.encode(inputs, mask)
    none_given = encoder.encode(inputs, mask, torch.full((1, 4), -100))
    torch.testing.assert_close(own.states, none_given.states)
    some_given = encoder.encode(inputs, mask, torch.tensor([[-100, 0, -100, 1]]))
    assert not torch.allclose(own.states, some_given.states)
    # The parse itself is read below, and never depends on what is injected.
    torch.testing.assert_close(own.parse.arc_scores, some_given.parse.arc_scores)


def test_teacher_forcing_gives_the_one_hot_attention():
    places = ("input", "attention", "feedforward", "residual", "parse")
    encoder = make_encoder(**{f"{place}_dropout": 0.0 for place in places})
    inputs, mask = torch.randn(2, 4, 5), torch.ones(2, 4, dtype=torch.bool)
    heads = torch.tensor([[1, 1, 1, 2], [0, 0, 1, 2]])
    in_evaluation = encoder.encode(inputs, mask, heads)
    in_training = encoder.train().encode(inputs, mask, heads)
    torch.testing.assert_close(in_training.states, in_evaluation.states)


@pytest.mark.parametrize("unknown", [False, True])
def test_dropout_of_all_attention_weights_leaves_nothing_of_the_tree(unknown):
    """Whether the weights are one-hot or, for tokens without a head, a distribution."""
    places = ("input", "feedforward", "residual", "parse")
    without_dropout = {f"{place}_dropout": 0.0 for place in places}
    encoder = make_encoder(attention_dropout=1.0, **without_dropout).train()
    inputs, mask = torch.randn(1, 4, 5), torch.ones(1, 4, dtype=torch.bool)
    chain, flat = torch.tensor([[[0, 0, 1, 2]], [[0, 0, 0, 0]]])
    if unknown:
        chain[0, 0] = -100
    states = encoder.encode(inputs, mask, chain).states
    assert torch.equal(states, encoder.encode(inputs, mask, flat).states)
    encoder.eval()
    states = encoder.encode(inputs, mask, chain).states
    assert not torch.allclose(states, encoder.encode(inputs, mask, flat).states)


def test_dropout_of_attention_weights_scales_those_that_stay():
    torch.manual_seed(3)
    attention = torch.rand(2, 40, 40)
    kept = Dropout(0.3)(torch.ones_like(attention))
    values, heads = torch.randn(2, 40, 3), torch.randint(40, (2, 40))
    mixture = SyntacticMixture(attention, None, lambda weights: weights * kept)
    torch.testing.assert_close(mixture(values), (attention * kept) @ values)
    one_hot = torch.nn.functional.one_hot(heads, 40).float() @ values
    factors = SyntacticMixture(None, heads, Dropout(0.3))(values) / one_hot
    torch.testing.assert_close(factors, factors[..., :1].expand_as(factors))
    assert factors.round(decimals=2).unique().tolist() == pytest.approx([0.0, 1.43])


@torch.no_grad()
def test_predicate_states_can_be_had_alone():
    encoder, inputs, mask = make_encoder(), torch.randn(1, 4, 5), torch.ones(1, 4).bool()
    alone = encoder.encode(inputs, mask, only_predicates=True)
    assert torch.equal(alone.predicate_states, encoder.encode(inputs, mask).predicate_states)


@torch.no_grad()
@pytest.mark.parametrize("style", ["pre_norm", "paper"])
def test_layer_0_is_the_input(style: str) -> None:
    encoder = make_encoder(predicate_layer=0, parse_layer=1, layer_style=style)
    inputs, mask = torch.randn(1, 4, 5), torch.ones(1, 4).bool()
    encoded = encoder.encode(inputs, mask)
    assert encoder.read_dim(0) == 5 == encoded.predicate_states.size(-1)
    # No token sees another one, so each of them has the same scores in another order.
    order = torch.tensor([2, 0, 3, 1])
    moved = encoder.encode(inputs[:, order], mask)
    torch.testing.assert_close(moved.predicate_states, encoded.predicate_states[order])
    scores = encoded.parse.arc_scores
    torch.testing.assert_close(moved.parse.arc_scores, scores[:, order][:, :, order])
    trees = [torch.tensor([heads]) for heads in ([0, 0, 1, 2], [1, 1, 1, 1])]
    given = [encoder.encode(inputs, mask, tree) for tree in trees]
    assert not torch.allclose(given[0].states, given[1].states)
    torch.testing.assert_close(given[0].parse.arc_scores, given[1].parse.arc_scores)


@pytest.mark.parametrize(
    "overrides, message",
    [
        ({"parse_layer": 1}, "parse_layer is 1; expected a layer above predicate_layer"),
        ({"num_heads": 1}, "num_heads is 1; expected at least 2"),
    ],
)
def test_impossible_settings_are_refused(overrides, message):
    with pytest.raises(ConfigurationError, match=message):
        make_encoder(**overrides)


@torch.no_grad()
def test_any_tree_of_four_words_can_be_injected():
    encoder, sentence = make_encoder(), torch.randn(4, 5)
    mask = torch.ones(1, 4, dtype=torch.bool)
    trees = filter(is_tree, itertools.product(range(4), repeat=4))
    for heads in map(list, trees):
        encoded = encoder.encode(sentence.unsqueeze(0), mask, torch.tensor([heads]))
        states, _, arc_scores = WrittenOut(encoder, "pre_norm", 2)(sentence, heads)
        torch.testing.assert_close(encoded.states, states, rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(encoded.parse.arc_scores[0], arc_scores, rtol=1e-4, atol=1e-5)
