"""LISA with each syntactic head. The encoder's tests write out the equations of the paper's."""

from typing import Any, Dict

import pytest
import torch
from allennlp.common import Params
from allennlp.data import Vocabulary
from allennlp.models import Model

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.modules.arc_scorers import ArcScorer
from lisa_allennlp.modules.syntactic_heads import SyntacticHead
from lisa_allennlp.nn.token_layout import lay_out
from lisa_allennlp.sentence.sentence import Sentence

KINDS = ["deep_biaffine", "mlp", "shallow_biaffine"]


@torch.no_grad()
def test_the_shallow_head_scores_arcs_as_the_parser_does() -> None:
    torch.manual_seed(2)
    head: Any = SyntacticHead.by_name("shallow_biaffine")(6, dropout=0.0)
    scorer: Any = ArcScorer.by_name("shallow_biaffine")(6, num_labels=2)
    for parameter in head.parameters():
        torch.nn.init.normal_(parameter)
    scorer._arc_form.load_state_dict(head._arc_attention.state_dict())
    states = torch.randn(2, 6, 6)
    layout = lay_out(torch.ones(2, 5, dtype=torch.bool))
    found = head(layout.pack(states[:, 1:]), layout).arc_scores
    # The parser scores its root, the first state, where a token would be its own head.
    expected = scorer.score_arcs(states)
    is_arc = ~torch.eye(5, dtype=torch.bool)
    torch.testing.assert_close(found[:, is_arc], expected[:, is_arc])


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
    optimizer = torch.optim.Adam(lisa.parameters(), 0.03)
    for _ in range(25):
        optimizer.zero_grad()
        lisa(tokens=tokens, metadata=metadata, **gold)["loss"].backward()
        optimizer.step()
    (sentence,) = lisa.eval().label(tokens=tokens, metadata=metadata)
    assert sentence.parse.head_indices == [1, 1, 1]
    assert sentence.parse.head_tags == ["obj", "root", "obj"]
