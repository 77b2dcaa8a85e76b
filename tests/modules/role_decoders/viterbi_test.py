import itertools
import math

import pytest
import torch
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.modules.role_decoders import ViterbiRoleDecoder
from lisa_allennlp.modules.role_decoders.linear_chain import FORBIDDEN
from tests.modules.role_decoders.role_decoder_test import ALLOWED, STARTS

ROLES = torch.tensor([[0, 1, 2, 0, 0], [1, 2, 2, -100, 3], [3, 4, 0, 1, 1], [-100, 0, 3, 4, 0]])
MASK = torch.arange(5) < torch.tensor([[5], [5], [3], [5]])
# Read off the four sequences above, with the unknown roles and the padding of the third left out.
BIGRAMS = [(0, 1), (1, 2), (2, 0), (0, 0), (1, 2), (2, 2), (3, 4), (4, 0), (0, 3), (3, 4), (4, 0)]
FIRST = [0, 1, 3]


def observed(**options) -> ViterbiRoleDecoder:
    decoder = ViterbiRoleDecoder(ALLOWED, STARTS, **options)
    decoder.observe(ROLES[:2], MASK[:2])
    decoder.observe(ROLES[2:], MASK[2:])
    return decoder


def test_observe_counts_moves_and_starts_between_known_roles():
    decoder = observed()
    for i, j in itertools.product(range(5), repeat=2):
        assert decoder.transition_counts[i, j] == BIGRAMS.count((i, j))
    assert decoder.start_counts.tolist() == [FIRST.count(i) for i in range(5)]


@pytest.mark.parametrize("transitions", ["scaled_likelihood", "probability", "log_probability"])
@pytest.mark.parametrize("smoothing", [1.0, 0.1])
def test_move_scores_are_those_of_the_written_out_formula(transitions, smoothing):
    decoder = observed(transitions=transitions, transition_weight=0.3, smoothing=smoothing)
    moves, starts = decoder.move_scores()
    # None is where a sentence begins.
    events = BIGRAMS + [(None, j) for j in FIRST]
    for i, j in itertools.product([None, *range(5)], range(5)):
        score = (starts[j] if i is None else moves[i, j]).item()
        legal = STARTS if i is None else ALLOWED[i]
        if not legal[j]:
            assert score == pytest.approx(FORBIDDEN)
            continue
        of_row = sum(1 for a, b in events if a == i and legal[b])
        conditional = (events.count((i, j)) + smoothing) / (of_row + smoothing * legal.sum().item())
        prior = (sum(1 for _, b in events if b == j) + smoothing) / (len(events) + 5 * smoothing)
        expected = {
            "scaled_likelihood": 0.3 * (math.log(conditional) - math.log(prior)),
            "probability": conditional,
            "log_probability": math.log(conditional),
        }[transitions]
        assert score == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    "transitions", ["scaled_likelihood", "none", "probability", "log_probability"]
)
def test_decoded_labels_are_the_best_legal_sequence(transitions):
    torch.manual_seed(3)
    decoder = observed(transitions=transitions, transition_weight=1.0)
    moves, starts = decoder.move_scores()
    logits = torch.randn(10, 4, 5)
    decoded = decoder(logits, torch.ones(10, 4, dtype=torch.bool))
    unary = torch.nn.functional.log_softmax(logits, dim=-1)

    def total(n, labels):
        score = starts[labels[0]] + sum(unary[n, t, label] for t, label in enumerate(labels))
        return (score + sum(moves[i, j] for i, j in itertools.pairwise(labels))).item()

    legal = [
        labels
        for labels in itertools.product(range(5), repeat=4)
        if STARTS[labels[0]] and all(ALLOWED[i, j] for i, j in itertools.pairwise(labels))
    ]
    for n in range(10):
        assert decoded[n].tolist() == list(max(legal, key=lambda labels, n=n: total(n, labels)))


@pytest.mark.parametrize("transitions", ["scaled_likelihood", "probability", "log_probability"])
def test_without_statistics_only_the_constraints_count(transitions):
    fresh = ViterbiRoleDecoder(ALLOWED, STARTS, transitions=transitions)
    none = ViterbiRoleDecoder(ALLOWED, STARTS, transitions="none")
    for ours, constraints in zip(fresh.move_scores(), none.move_scores(), strict=True):
        assert torch.equal(ours, constraints)
        assert set(ours.unique().tolist()) == {0.0, torch.tensor(FORBIDDEN).item()}


def test_statistics_are_saved_with_the_model():
    decoder = observed()
    other = ViterbiRoleDecoder(ALLOWED, STARTS)
    other.load_state_dict(decoder.state_dict())
    assert set(decoder.state_dict()) == {"transition_counts", "start_counts"}
    for ours, theirs in zip(other.move_scores(), decoder.move_scores(), strict=True):
        assert torch.equal(ours, theirs)


def test_scaled_likelihood_undoes_the_label_prior():
    """Labels that follow each other by chance alone score 0, however frequent they are."""
    torch.manual_seed(4)
    everything = torch.ones(3, 3, dtype=torch.bool)
    decoder = ViterbiRoleDecoder(everything, torch.ones(3), transition_weight=1.0)
    by_chance = torch.tensor([0.9, 0.08, 0.02]).multinomial(400_000, replacement=True)
    decoder.observe(by_chance.view(4000, 100), torch.ones(4000, 100, dtype=torch.bool))
    moves, _ = decoder.move_scores()
    torch.testing.assert_close(moves, torch.zeros(3, 3), atol=0.15, rtol=0)


def test_unknown_transitions_are_named_with_the_known_ones():
    with pytest.raises(ConfigurationError, match="'bigrams'.*scaled_likelihood, none, probab"):
        ViterbiRoleDecoder(ALLOWED, STARTS, transitions="bigrams")


@pytest.mark.parametrize("smoothing", [0.0, -1.0, float("nan")])
def test_smoothing_must_be_positive(smoothing):
    with pytest.raises(ConfigurationError, match=f"{smoothing}; expected more than 0"):
        ViterbiRoleDecoder(ALLOWED, STARTS, smoothing=smoothing)
