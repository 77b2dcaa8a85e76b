from typing import Any

import pytest
import torch
from allennlp.modules.token_embedders import Embedding
from torch.nn.functional import leaky_relu

from lisa_allennlp.modules.label_scorers import JointTagger, RoleScorer, SenseTagger
from lisa_allennlp.modules.seq2seq_encoders.syntactically_informed_self_attention import (
    EncodedSentences,
)
from lisa_allennlp.nn.token_layout import lay_out

MASK = torch.arange(7) < torch.tensor([[7], [3]])


def encode(states: torch.Tensor, mask: torch.Tensor) -> EncodedSentences:
    """A batch with the given states of shape `(batch_size, length, dim)`."""
    layout = lay_out(mask)
    return EncodedSentences(layout.pack(states), layout.pack(states), None, layout)


def make_scorer(dropout: float = 0.0, **options: Any) -> RoleScorer:
    torch.manual_seed(3)
    scorer = RoleScorer(6, predicate_dim=4, role_dim=5, num_labels=3, dropout=dropout, **options)
    for parameter in scorer.parameters():
        torch.nn.init.normal_(parameter)
    return scorer


def test_a_frame_pairs_its_predicate_with_the_tokens_of_its_sentence() -> None:
    """Equation 6, one pair at a time."""
    scorer, states = make_scorer(), torch.randn(2, 7, 6)
    frames = [(0, 2), (0, 5), (1, 0)]
    logits = scorer(encode(states, MASK), *torch.tensor(frames).unbind(1))
    activation = torch.nn.functional.leaky_relu
    for frame, (sentence, predicate) in enumerate(frames):
        left = activation(scorer._predicate_projection(states[sentence, predicate]), 0.1)
        for t in range(int(MASK[sentence].sum())):
            right = activation(scorer._role_projection(states[sentence, t]), 0.1)
            expected = scorer._bilinear.score_pairs(left.unsqueeze(0), right.unsqueeze(0))[0]
            torch.testing.assert_close(logits[frame, t], expected)


PREDICATES = torch.tensor([0, 1]), torch.tensor([3, 0])


def test_joint_tags_are_read_from_dropped_states() -> None:
    states = torch.randn(2, 7, 6)
    tagger = JointTagger(6, num_joint_tags=5, dropout=1.0)
    assert torch.equal(tagger(encode(states, MASK))[MASK], tagger._projection.bias.expand(10, -1))
    logits = tagger.eval()(encode(states, MASK))
    torch.testing.assert_close(logits[MASK], tagger._projection(states)[MASK])


def test_the_authors_joint_tagger_has_a_layer_and_two_leaky_relus() -> None:
    tagger = JointTagger(6, num_joint_tags=5, dropout=0.5, hidden_dim=8).eval()
    states = torch.randn(2, 7, 6)
    hidden = leaky_relu(tagger._hidden(states), 0.1)
    expected = leaky_relu(tagger._projection(hidden), 0.1)
    torch.testing.assert_close(tagger(encode(states, MASK))[MASK], expected[MASK])


@pytest.mark.parametrize("is_variational", [True, False])
def test_variational_dropout_drops_the_same_dimensions_at_all_tokens(is_variational: bool) -> None:
    """So that equal states of a sentence, and only of a sentence, have equal scores."""
    state, option = torch.randn(6), {"variational_dropout": is_variational}
    encoded = encode(state.expand(2, 7, -1), torch.ones(2, 7, dtype=torch.bool))
    predicates = torch.tensor([0, 0, 1]), torch.tensor([2, 5, 3])
    tags = JointTagger(6, 5, 0.5, 64, **option)(encoded)
    roles = make_scorer(0.5, **option)(encoded, *predicates)
    for logits in (tags, roles):
        same = [torch.allclose(row, row[:1].expand_as(row), atol=1e-5) for row in logits]
        assert all(same) if is_variational else not any(same)
        assert not torch.equal(logits[0], logits[-1])
    if is_variational:
        torch.testing.assert_close(roles[0], roles[1])


@pytest.mark.parametrize("is_described", [False, True])
def test_sense_logits_are_those_of_a_linear_layer(is_described: bool) -> None:
    descriptions = Embedding(3, num_embeddings=9) if is_described else None
    tagger = SenseTagger(input_dim=4, num_senses=9, descriptions=descriptions).eval()
    states, candidates = torch.randn(2, 7, 4), torch.tensor([[3, 5], [0, -1]])
    logits = tagger(encode(states, MASK), *PREDICATES, candidates)
    scores = tagger._projection(states[PREDICATES])
    if descriptions is not None:
        scores = scores + tagger._to_descriptions(states[PREDICATES]) @ descriptions.weight.T
    expected = scores.gather(1, candidates.clamp(min=0))
    torch.testing.assert_close(logits[0], expected[0])
    torch.testing.assert_close(logits[1, 0], expected[1, 0])
    assert logits[1, 1] < -1e30
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(tagger(encode(states, MASK), *PREDICATES, candidates), logits)
