import itertools
from typing import List, Sequence

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.decoding.linear_chain import ChainDecoder
from lisa_allennlp.decoding.role_constraints import RoleConstraints
from lisa_allennlp.sentence.roles import bio_to_spans
from tests.decoding.linear_chain_test import random_chain, total

LABELS = ["O", "B-A0", "I-A0", "B-V", "I-V", "B-C-V"]
CONSTRAINTS = RoleConstraints(LABELS)


def verbs(labels: Sequence[int]) -> List[int]:
    """The first token of each V."""
    spans = bio_to_spans([LABELS[label] for label in labels])
    return [span.first for span in spans if span.role == "V"]


@given(num_tokens=st.integers(1, 4), predicate=st.integers(0, 3), seed=st.integers(0, 10**6))
def test_a_frame_has_one_verb_that_begins_at_its_predicate(
    num_tokens: int, predicate: int, seed: int
) -> None:
    """Against all label sequences that are BIO and have one V, which begins at the predicate."""
    predicate = min(predicate, num_tokens - 1)
    generator = numpy.random.default_rng(seed)
    chain = random_chain(generator, 6)
    logits = 3 * generator.standard_normal((1, num_tokens, 6))
    before = logits.copy()
    decoder = ChainDecoder(CONSTRAINTS.constrain(chain))
    CONSTRAINTS.force_verb(logits, numpy.array([predicate]))
    (labels,) = decoder.decode(logits, numpy.array([num_tokens])).tolist()
    legal = [
        y
        for y in itertools.product(range(6), repeat=num_tokens)
        if CONSTRAINTS.starts[y[0]]
        and all(CONSTRAINTS.transitions[pair] for pair in itertools.pairwise(y))
        and verbs(y) == [predicate]
    ]
    assert labels == list(max(legal, key=lambda y: total(before[0], chain, y)))


def test_without_verb_labels_nothing_is_forced() -> None:
    logits = numpy.zeros((1, 2, 3))
    RoleConstraints(["O", "B-A0", "I-A0"]).force_verb(logits, numpy.array([0]))
    assert not logits.any()


def test_spans_end_where_no_label_continues_them() -> None:
    tags = [["B-A0", "I-A0", "B-A0", "I-A0", "O"], ["B-V", "B-V", "I-V", "O", "O"]]
    labels = numpy.array([[LABELS.index(tag) for tag in row] for row in tags])
    ends = CONSTRAINTS.span_ends(labels, numpy.array([5, 2]))
    assert ends[0].tolist() == [1, 1, 3, 3, 4] and ends[1, :2].tolist() == [0, 1]


def test_without_labels_there_is_nothing_to_decode() -> None:
    with pytest.raises(ConfigurationError, match="found no predicate in the training data"):
        RoleConstraints([])
