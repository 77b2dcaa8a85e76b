"""Each way to score arcs and labels against its formula written out for one pair at a time."""

from typing import Any, Tuple

import pytest
import torch
from allennlp.common import Params

from lisa_allennlp.modules.arc_scorers import (
    DeepBiaffine,
    MlpAttention,
    ParseAttention,
    ShallowBiaffine,
)
from tests.modules.biaffine_test import written_out_forms

NUM_LABELS, STATE_DIM = 4, 6


def make(type_: str, **options: Any) -> ParseAttention:
    torch.manual_seed(2)
    params = Params({"type": type_, **options})
    attention = ParseAttention.from_params(params, input_dim=STATE_DIM, num_labels=NUM_LABELS)
    for module in (attention.arcs, attention.labels):
        for parameter in module.parameters():
            torch.nn.init.normal_(parameter)
    return attention


def representations(dim: int) -> Tuple[torch.Tensor, torch.Tensor]:
    torch.manual_seed(3)
    return torch.randn(2, 5, dim), torch.randn(2, 5, dim)


@pytest.mark.parametrize(
    "type_, options, dims",
    [
        ("deep_biaffine", {"arc_dim": 3, "label_dim": 2}, (3, 2)),
        ("shallow_biaffine", {}, (STATE_DIM, STATE_DIM)),
    ],
)
@torch.no_grad()
def test_biaffine(type_: str, options: Any, dims: Tuple[int, int]) -> None:
    attention = make(type_, **options)
    arc_dim, label_dim = dims
    dependents, heads = representations(arc_dim)
    layer: Any = attention.arcs._query_to_key
    scores = attention.arcs(dependents, heads)
    for b, i, j in [(0, 0, 0), (1, 2, 4), (1, 4, 2)]:
        bilinear = heads[b, j] @ layer.weight @ dependents[b, i]
        torch.testing.assert_close(scores[b, i, j], bilinear + heads[b, j] @ layer.bias)

    heads, dependents = representations(label_dim)
    bilinear: Any = attention.labels._bilinear
    forms = written_out_forms(bilinear)
    scores = attention.labels(heads, dependents)
    one = torch.ones(1)
    for b, i, label in [(0, 0, 0), (1, 3, 2)]:
        head, dependent = torch.cat([heads[b, i], one]), torch.cat([dependents[b, i], one])
        torch.testing.assert_close(scores[b, i, label], dependent @ forms[label] @ head)


@torch.no_grad()
def test_mlp_reads_head_and_dependent_side_by_side() -> None:
    """`v^T tanh(W [h_j; r_i] + b)`, from the states."""
    attention = make("mlp", arc_dim=3, label_dim=2)
    r, _ = representations(STATE_DIM)
    # The parser gives heads a feed-forward network of their own.
    of_head: Any = make("mlp", arc_dim=3, label_dim=2)
    for parameter in of_head.arc_feedforward.parameters():
        parameter.mul_(-2)
    arc: Any = attention.arc_feedforward
    dependent, head = arc._linear_layers[0], of_head.arc_feedforward._linear_layers[0]
    scores = attention.arcs(arc(r), of_head.arc_feedforward(r))
    output: Any = attention.arcs._output
    both = torch.cat([head.weight, dependent.weight], dim=1)
    for b, i, j in [(0, 0, 1), (1, 2, 4), (1, 4, 2)]:
        hidden = both @ torch.cat([r[b, j], r[b, i]]) + head.bias + dependent.bias
        torch.testing.assert_close(scores[b, i, j], output.weight[0] @ hidden.tanh())

    heads, dependents = representations(2)
    output = attention.labels._output
    scores = attention.labels(heads, dependents)
    expected = output.weight @ (heads[1, 3] + dependents[1, 3]).tanh() + output.bias
    torch.testing.assert_close(scores[1, 3], expected)


@pytest.mark.parametrize("type_", ["deep_biaffine", "shallow_biaffine"])
def test_no_arc_and_no_label_is_preferred_at_first(type_: str) -> None:
    params = Params({"type": type_})
    attention = ParseAttention.from_params(params, input_dim=STATE_DIM, num_labels=NUM_LABELS)
    dim = attention.arcs._query_to_key.in_features
    assert (attention.arcs(*representations(dim)) == 0).all()
    dim = 100 if type_ == "deep_biaffine" else STATE_DIM
    assert (attention.labels(*representations(dim)) == 0).all()


def test_states_are_dropped_once_in_all() -> None:
    """Of the states themselves, units are dropped on two occasions."""
    assert DeepBiaffine(STATE_DIM, NUM_LABELS).dropout_each(0.33) == 0.33
    assert MlpAttention(STATE_DIM, NUM_LABELS).dropout_each(0.33) == 0.33
    each = ShallowBiaffine(STATE_DIM, NUM_LABELS).dropout_each(0.36)
    assert each == pytest.approx(0.2)


@pytest.mark.parametrize(
    "type_, sizes",
    [("deep_biaffine", (500, 100)), ("mlp", (500, 100)), ("shallow_biaffine", (6, 6))],
)
def test_sizes(type_: str, sizes: Tuple[int, int]) -> None:
    attention: Any = ParseAttention.from_params(
        Params({"type": type_}), input_dim=STATE_DIM, num_labels=NUM_LABELS
    )
    states = torch.randn(1, 2, STATE_DIM)
    for feedforward, size in zip(
        (attention.arc_feedforward, attention.label_feedforward), sizes, strict=True
    ):
        assert feedforward.get_output_dim() == feedforward(states).size(-1) == size
