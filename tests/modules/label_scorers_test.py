import torch

from lisa_allennlp.modules.label_scorers import RoleScorer, SenseTagger
from lisa_allennlp.modules.seq2seq_encoders.syntactically_informed_self_attention import (
    EncodedSentences,
)
from lisa_allennlp.nn.token_layout import lay_out

MASK = torch.arange(7) < torch.tensor([[7], [3]])
NO_STATES = torch.zeros(0)


def encode(states: torch.Tensor, mask: torch.Tensor) -> EncodedSentences:
    """A batch with the given states of shape `(batch_size, length, dim)`."""
    layout = lay_out(mask)
    return EncodedSentences(layout.pack(states), NO_STATES, None, layout)


def make_scorer() -> RoleScorer:
    torch.manual_seed(3)
    scorer = RoleScorer(input_dim=6, predicate_dim=4, role_dim=5, num_labels=3, dropout=0.0)
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


def test_sense_logits_are_those_of_a_linear_layer() -> None:
    tagger = SenseTagger(input_dim=4, num_senses=9).eval()
    states, candidates = torch.randn(2, 7, 4), torch.tensor([[3, 5], [0, -1]])
    logits = tagger(encode(states, MASK), *PREDICATES, candidates)
    expected = tagger._projection(states[PREDICATES]).gather(1, candidates.clamp(min=0))
    torch.testing.assert_close(logits[0], expected[0])
    torch.testing.assert_close(logits[1, 0], expected[1, 0])
    assert logits[1, 1] < -1e30
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(tagger(encode(states, MASK), *PREDICATES, candidates), logits)
