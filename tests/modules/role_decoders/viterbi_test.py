import itertools
import math

import pytest
import torch

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.modules.role_decoders import ViterbiRoleDecoder
from tests.modules.role_decoders.role_decoder_test import CONSTRAINTS

ROLES = torch.tensor([[0, 1, 2, 0, 0], [1, 2, 2, -100, 3], [3, 4, 0, 1, 1], [-100, 0, 3, 4, 0]])
MASK = torch.arange(5) < torch.tensor([[5], [5], [3], [5]])
# Read off the four sequences above, with the unknown roles and the padding of the third left out.
BIGRAMS = [(0, 1), (1, 2), (2, 0), (0, 0), (1, 2), (2, 2), (3, 4), (4, 0), (0, 3), (3, 4), (4, 0)]
FIRST = [0, 1, 3]


def observed(**options) -> ViterbiRoleDecoder:
    decoder = ViterbiRoleDecoder(CONSTRAINTS, **options)
    decoder.observe(ROLES[:2], MASK[:2])
    decoder.observe(ROLES[2:], MASK[2:])
    return decoder


def test_observe_counts_moves_and_starts_between_known_roles():
    decoder = observed()
    for i, j in itertools.product(range(5), repeat=2):
        assert decoder.transition_counts[i, j] == BIGRAMS.count((i, j))
    assert decoder.start_counts.tolist() == [FIRST.count(i) for i in range(5)]


@pytest.mark.parametrize(
    "transitions, smoothing",
    [("scaled_likelihood", 0.1), ("probability", 1.0), ("log_probability", 0.1)],
)
def test_scores_are_those_of_the_written_out_formula(transitions, smoothing):
    decoder = observed(transitions=transitions, transition_weight=0.3, smoothing=smoothing)
    starts, moves, ends = decoder.chain()
    assert not ends.any()
    # None is where a sentence begins.
    events = BIGRAMS + [(None, j) for j in FIRST]
    for i, j in itertools.product([None, *range(5)], range(5)):
        score = starts[j] if i is None else moves[i, j]
        legal = CONSTRAINTS.starts if i is None else CONSTRAINTS.transitions[i]
        if not legal[j]:
            assert score == -math.inf
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


def test_without_statistics_only_the_constraints_count():
    fresh = ViterbiRoleDecoder(CONSTRAINTS)
    none = ViterbiRoleDecoder(CONSTRAINTS, transitions="none")
    for ours, constraints in zip(fresh.chain(), none.chain(), strict=True):
        assert (ours == constraints).all()
        assert set(ours.flat) <= {0.0, -math.inf}


def test_bad_options():
    with pytest.raises(ConfigurationError, match="'bigrams'.*scaled_likelihood, none, probab"):
        ViterbiRoleDecoder(CONSTRAINTS, transitions="bigrams")
    with pytest.raises(ConfigurationError, match="nan; expected more than 0"):
        ViterbiRoleDecoder(CONSTRAINTS, smoothing=float("nan"))
