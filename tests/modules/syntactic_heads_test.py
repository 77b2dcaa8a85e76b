"""
The syntactic heads against formulas of one dependent and one head. That of the paper is tested with
the encoder.
"""

from typing import Any, Callable, Dict

import pytest
import torch
from allennlp.common import Params
from allennlp.data import Vocabulary
from allennlp.models import Model

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.modules.label_scorers import score_head_tags
from lisa_allennlp.modules.seq2seq_encoders.syntactically_informed_self_attention import (
    EncodedSentences,
)
from lisa_allennlp.modules.syntactic_heads import SyntacticHead
from lisa_allennlp.nn.token_layout import lay_out
from lisa_allennlp.sentence.sentence import Sentence
from tests.modules.biaffine_test import written_out_forms

KINDS = ["deep_biaffine", "mlp", "shallow_biaffine"]
SIZES = {"input_dim": 6, "arc_dim": 3, "label_dim": 2, "dropout": 0.0}
MASK = torch.arange(5) < torch.tensor([[5], [3]])
HEADS = torch.tensor([[0, 0, 3, 3, 1], [2, 1, 1, 0, 0]])

Score = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


def make(type_: str, **sizes: Any) -> Any:
    torch.manual_seed(2)
    head = SyntacticHead.from_params(Params({"type": type_}), **{**SIZES, **sizes})
    for parameter in head.parameters():
        torch.nn.init.normal_(parameter)
    return head.eval()


def check(head: Any, form: Any, score_arc: Score, score_labels: Score) -> None:
    """Compares with functions of the states of a dependent and of its head."""
    states, layout = torch.randn(2, 5, 6), lay_out(MASK)
    packed = layout.pack(states)
    parse = head(packed, layout)
    labels = score_head_tags(form, EncodedSentences(packed, packed, parse, layout), HEADS)
    assert parse.arc_scores.dtype == torch.float and parse.arc_scores.shape == (2, 5, 5)
    for row, dependent in MASK.nonzero().tolist():
        tokens = states[row][MASK[row]]
        expected = torch.stack([score_arc(tokens[dependent], parent) for parent in tokens])
        torch.testing.assert_close(parse.arc_scores[row, dependent, : len(tokens)], expected)
        expected = score_labels(tokens[dependent], tokens[HEADS[row, dependent]])
        torch.testing.assert_close(labels[row, dependent], expected)


@torch.no_grad()
def test_shallow_biaffine() -> None:
    head = make("shallow_biaffine")
    form = head.make_label_form(4)
    for parameter in form.parameters():
        torch.nn.init.normal_(parameter)
    u = head._arc_attention._query_to_key
    one = torch.ones(1)

    def labels(d: torch.Tensor, h: torch.Tensor) -> torch.Tensor:
        d, h = torch.cat([d, one]), torch.cat([h, one])
        return torch.stack([d @ matrix @ h for matrix in written_out_forms(form)])

    check(head, form, lambda d, h: h @ u.weight @ d + h @ u.bias, labels)


@torch.no_grad()
def test_mlp() -> None:
    head = make("mlp")
    form = head.make_label_form(4)
    layer = head._projection[0]

    def hidden(d: torch.Tensor, h: torch.Tensor, start: int, dim: int) -> torch.Tensor:
        of_dependent = (layer.weight @ d + layer.bias)[start : start + dim]
        of_head = (layer.weight @ h + layer.bias)[start + dim : start + 2 * dim]
        return torch.tanh(of_dependent + of_head)

    check(
        head,
        form,
        lambda d, h: head._arc_form._output.weight[0] @ hidden(d, h, 0, 3),
        lambda d, h: form._output(hidden(d, h, 6, 2)),
    )


def make_lisa(encoder: Dict[str, Any]) -> Any:
    labels = {"joint_tags": ["VB:predicate"], "role_labels": ["B-V"], "head_tags": ["root", "obj"]}
    embedder = {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 8}}}
    sizes = {"num_layers": 2, "num_heads": 2, "predicate_layer": 1, "parse_layer": 2}
    encoder = {"type": "syntactically_informed_self_attention", "head_dim": 4, **sizes, **encoder}
    config = {"type": "lisa", "text_field_embedder": embedder, "encoder": encoder}
    return Model.from_params(Params(config), vocab=Vocabulary(tokens_to_add=labels))


@pytest.mark.parametrize("type_", KINDS)
def test_lisa_learns_trees_with_each_head(type_: str) -> None:
    torch.manual_seed(1)
    places = ("input", "attention", "feedforward", "residual", "parse")
    without_dropout = {f"{place}_dropout": 0.0 for place in places}
    lisa = make_lisa({"syntactic_head": type_, "arc_dim": 8, "label_dim": 4, **without_dropout})
    # Every weight that has a row per label is known, so that `lisa train --from` can add labels.
    axes = lisa.vocabulary_axes()
    of_labels = [name for name, _ in lisa.named_parameters() if name.startswith("_head_tagger.")]
    assert of_labels and all(axes[name] == ("head_tags",) for name in of_labels)
    gold = {
        "joint_tags": torch.zeros(1, 3).long(),
        "head_indices": torch.tensor([[1, 1, 1]]),
        "head_tags": torch.tensor([[1, 0, 1]]),
        "frames": {
            "sentence_indices": torch.tensor([0]),
            "predicate_indices": torch.tensor([1]),
            "roles": torch.zeros(1, 3).long(),
        },
    }
    tokens = {"tokens": {"tokens": torch.tensor([[1, 1, 1]])}}
    metadata = [{"sentence": Sentence(["a", "b", "c"])}]
    optimizer = torch.optim.Adam(lisa.parameters(), 0.01)
    for _ in range(60):
        optimizer.zero_grad()
        lisa(tokens=tokens, metadata=metadata, **gold)["loss"].backward()
        optimizer.step()
    (sentence,) = lisa.eval().label(tokens=tokens, metadata=metadata)
    assert sentence.parse.head_indices == [1, 1, 1]
    assert sentence.parse.head_tags == ["obj", "root", "obj"]
