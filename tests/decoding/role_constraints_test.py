import itertools
from typing import List, Tuple

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.formats.roles import bio_to_spans
from lisa_allennlp.decoding.linear_chain import ChainDecoder, LinearChain
from lisa_allennlp.decoding.role_constraints import RoleConstraints

LABELS = ["O", "B-A0", "I-A0", "B-V", "I-V", "B-C-V"]
CONSTRAINTS = RoleConstraints(LABELS)


def verbs(labels: List[int]) -> List[Tuple[int, int]]:
    """First and last token of each V."""
    spans = bio_to_spans([LABELS[label] for label in labels])
    return [(span.first, span.last) for span in spans if span.role == "V"]


@settings(max_examples=40, deadline=None)
@given(num_tokens=st.integers(1, 4), predicate=st.integers(0, 3), seed=st.integers(0, 10**6))
def test_a_frame_has_one_verb_that_begins_at_its_predicate(
    num_tokens: int, predicate: int, seed: int
) -> None:
    """Against all label sequences that are BIO and have one V, which begins at the predicate."""
    predicate = min(predicate, num_tokens - 1)
    generator = numpy.random.default_rng(seed)
    start, moves, end = (generator.standard_normal(shape) for shape in (6, (6, 6), 6))
    logits = 3 * generator.standard_normal((1, num_tokens, 6))
    before = logits.copy()
    decoder = ChainDecoder(CONSTRAINTS.constrain(LinearChain(start, moves, end)))
    forced = CONSTRAINTS.with_verb(logits, numpy.array([predicate]))
    (labels,) = decoder.decode(forced, numpy.array([num_tokens])).tolist()
    assert (logits == before).all()

    def score(y: Tuple[int, ...]) -> float:
        pairs = sum(moves[pair] for pair in itertools.pairwise(y))
        return start[y[0]] + end[y[-1]] + pairs + sum(logits[0, t, x] for t, x in enumerate(y))

    legal = [
        y
        for y in itertools.product(range(6), repeat=num_tokens)
        if CONSTRAINTS.starts[y[0]]
        and all(CONSTRAINTS.transitions[pair] for pair in itertools.pairwise(y))
        and [first for first, _ in verbs(list(y))] == [predicate]
    ]
    assert labels == list(max(legal, key=score))


def test_without_verb_labels_nothing_is_forced() -> None:
    logits = numpy.zeros((1, 2, 3))
    assert RoleConstraints(["O", "B-A0", "I-A0"]).with_verb(logits, numpy.array([0])) is logits


def test_without_labels_there_is_nothing_to_decode() -> None:
    with pytest.raises(ConfigurationError, match="found no predicate in the training data"):
        RoleConstraints([])
