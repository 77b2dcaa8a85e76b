"""Each way to score arcs and labels against its formula written out for one pair at a time."""

from typing import Any, Callable, List

import pytest
import torch
from allennlp.common import Params

from lisa_allennlp.modules.arc_scorers import ArcScorer
from tests.modules.biaffine_test import written_out_forms

NUM_LABELS, STATE_DIM = 4, 6
KINDS = ["deep_biaffine", "mlp", "shallow_biaffine"]


def make(type_: str, dropout: float = 0.0, **options: Any) -> Any:
    torch.manual_seed(2)
    scorer = ArcScorer.from_params(
        Params({"type": type_, **options}),
        input_dim=STATE_DIM,
        num_labels=NUM_LABELS,
        dropout=dropout,
    )
    for parameter in scorer.parameters():
        torch.nn.init.normal_(parameter)
    return scorer


def make_small(type_: str, dropout: float = 0.0) -> Any:
    sizes = {} if type_ == "shallow_biaffine" else {"arc_dim": 3, "label_dim": 2}
    return make(type_, dropout, **sizes)


def make_states() -> torch.Tensor:
    """Of the root and five tokens."""
    torch.manual_seed(3)
    return torch.randn(2, 6, STATE_DIM)


HEADS = torch.tensor([[0, 0, 3, 3, 1], [4, 4, 2, 0, 4]])


def check(
    scorer: Any,
    score_arc: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    score_labels: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
) -> None:
    """Compares with functions of the states of a dependent and of its head."""
    states = make_states()
    arcs, labels = scorer.score_arcs(states), scorer.score_labels(states, HEADS)
    assert arcs.shape == (2, 5, 5) and labels.shape == (2, 5, NUM_LABELS)
    for (root, *tokens), row, label_row, heads in zip(states, arcs, labels, HEADS, strict=True):
        for t, dependent in enumerate(tokens):
            parents = [root if t == q else token for q, token in enumerate(tokens)]
            expected = torch.stack([score_arc(dependent, parent) for parent in parents])
            torch.testing.assert_close(row[t], expected)
            expected = score_labels(dependent, parents[heads[t]])
            torch.testing.assert_close(label_row[t], expected)


def biaffine_arc(scorer: Any, dependent: torch.Tensor, head: torch.Tensor) -> torch.Tensor:
    layer = scorer._arc_form._query_to_key
    return head @ layer.weight @ dependent + head @ layer.bias


def biaffine_labels(scorer: Any, dependent: torch.Tensor, head: torch.Tensor) -> torch.Tensor:
    one = torch.ones(1)
    dependent, head = torch.cat([dependent, one]), torch.cat([head, one])
    return torch.stack([dependent @ form @ head for form in written_out_forms(scorer._label_form)])


@torch.no_grad()
def test_deep_biaffine() -> None:
    scorer = make_small("deep_biaffine")

    def layer(name: str, state: torch.Tensor) -> torch.Tensor:
        linear = getattr(scorer, name)[0]
        return (linear.weight @ state + linear.bias).clamp(min=0)

    check(
        scorer,
        lambda d, h: biaffine_arc(scorer, layer("_arc_dependents", d), layer("_arc_heads", h)),
        lambda d, h: biaffine_labels(
            scorer, layer("_label_dependents", d), layer("_label_heads", h)
        ),
    )


@torch.no_grad()
def test_shallow_biaffine() -> None:
    scorer = make_small("shallow_biaffine")
    check(
        scorer,
        lambda d, h: biaffine_arc(scorer, d, h),
        lambda d, h: biaffine_labels(scorer, d, h),
    )


@torch.no_grad()
def test_mlp_reads_head_and_dependent_side_by_side() -> None:
    """`v^T tanh(W [h_j; r_i] + b)`, from the states."""
    scorer = make_small("mlp")

    def hidden(name: str, d: torch.Tensor, h: torch.Tensor) -> torch.Tensor:
        of_head = getattr(scorer, f"_{name}_heads")[0]
        of_dependent = getattr(scorer, f"_{name}_dependents")[0]
        both = torch.cat([of_head.weight, of_dependent.weight], dim=1)
        return torch.tanh(both @ torch.cat([h, d]) + of_head.bias + of_dependent.bias)

    label_layer = scorer._label_form._output
    check(
        scorer,
        lambda d, h: scorer._arc_form._output.weight[0] @ hidden("arc", d, h),
        lambda d, h: label_layer.weight @ hidden("label", d, h) + label_layer.bias,
    )


def representations(scorer: Any, states: torch.Tensor) -> List[torch.Tensor]:
    names = ["_arc_dependents", "_arc_heads", "_label_dependents", "_label_heads"]
    return [getattr(scorer, name)(states) for name in names]


@pytest.mark.parametrize("type_", KINDS)
@torch.no_grad()
def test_a_unit_is_dropped_at_all_tokens_of_a_sentence_or_at_none(type_: str) -> None:
    sizes = {} if type_ == "shallow_biaffine" else {"arc_dim": 50, "label_dim": 40}
    scorer = make(type_, dropout=0.36, **sizes)
    # All tokens of a sentence have the same state, and so should have the same representation.
    states = torch.randn(300, 1, STATE_DIM).expand(-1, 4, -1)
    whole = representations(scorer.eval(), states)
    masks = []
    for dropped, before in zip(representations(scorer.train(), states), whole, strict=True):
        assert torch.equal(dropped, dropped[:, :1].expand_as(dropped))
        dropped, before = dropped[:, 0], before[:, 0]
        is_kept = dropped != 0
        torch.testing.assert_close(dropped[is_kept], before[is_kept] / (1 - 0.36))
        # A ReLU may be zero anyway.
        assert is_kept[before != 0].float().mean() == pytest.approx(0.64, abs=0.05)
        masks.append(is_kept)
    assert (masks[0] != masks[1]).any() and (masks[2] != masks[3]).any()
