import itertools
from collections import Counter
from typing import Sequence

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.decoding import well_formed
from lisa_allennlp.decoding.linear_chain import ChainDecoder, LinearChain
from lisa_allennlp.decoding.role_constraints import RoleConstraints
from lisa_allennlp.decoding.well_formed import WellFormedFrames
from lisa_allennlp.sentence.roles import bio_to_spans
from tests.decoding.linear_chain_test import random_chain, total

ROLES = ["O", "B-ARG0", "I-ARG0", "B-R-ARG0", "B-C-ARG0", "B-TMP"]


def is_well_formed(labels: Sequence[str]) -> bool:
    if any(b == "B-C-ARG0" and a[1:] == "-ARG0" for a, b in itertools.pairwise(labels)):
        return False
    roles = Counter(span.role for span in bio_to_spans(labels))
    derived = roles["R-ARG0"] + roles["C-ARG0"]
    return roles["ARG0"] == 1 if derived else roles["ARG0"] <= 1


def bio_chain(rng: numpy.random.Generator) -> LinearChain:
    return RoleConstraints(ROLES).constrain(random_chain(rng, len(ROLES)))


@given(st.integers(0, 2**32 - 1))
def test_all_frames_become_well_formed(seed: int) -> None:
    rng = numpy.random.default_rng(seed)
    chain, lengths = bio_chain(rng), numpy.array([1, 4, 4, 3])
    decoder, logits = ChainDecoder(chain), 3 * rng.normal(size=(4, 4, len(ROLES)))
    before = decoder.decode(logits, lengths)
    labels, is_given = before.copy(), numpy.zeros(before.shape, bool)
    WellFormedFrames(ROLES).repair_labels(logits, labels, lengths, is_given, decoder)
    for length, old, new in zip(lengths, before, labels, strict=True):
        old_names, new_names = ([ROLES[n] for n in row[:length]] for row in (old, new))
        assert is_well_formed(new_names)
        if is_well_formed(old_names):
            assert new_names == old_names


@pytest.mark.parametrize("seed", range(8))
def test_of_two_core_roles_the_best_path_with_one_remains(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Against all sequences with at most one ARG0, at a token where the best path has one. R-ARG0 and
    C-ARG0 are so improbable that only repetition counts. Even seeds decode the alternatives one by
    one, as memory demands in long sentences.
    """
    monkeypatch.setattr(well_formed, "LOGITS_AT_ONCE", seed % 2 * well_formed.LOGITS_AT_ONCE)
    rng = numpy.random.default_rng(seed)
    chain, length = bio_chain(rng), 5
    logits = rng.normal(size=(1, length, len(ROLES)))
    logits[..., 1] += 4.0
    logits[..., 3:5] -= 100.0
    lengths, decoder, before = numpy.array([length]), ChainDecoder(chain), logits[0].copy()
    labels = decoder.decode(logits, lengths)
    starts = set(numpy.flatnonzero(labels[0] == 1))
    assert len(starts) > 1
    is_given = numpy.zeros(labels.shape, bool)
    WellFormedFrames(ROLES).repair_labels(logits, labels, lengths, is_given, decoder)
    paths = [
        path
        for path in itertools.product(range(len(ROLES)), repeat=length)
        if path.count(1) <= 1 and {t for t, label in enumerate(path) if label == 1} <= starts
    ]
    assert labels[0].tolist() == list(max(paths, key=lambda path: total(before, chain, path)))


def test_without_core_roles_nothing_changes() -> None:
    logits = numpy.array([[[0.0, 1.0], [0.0, 1.0], [1.0, 0.0]]])
    decoder = ChainDecoder(LinearChain(numpy.zeros(2), numpy.zeros((2, 2)), numpy.zeros(2)))
    lengths, labels = numpy.array([3]), numpy.array([[1, 1, 0]])
    rest = lengths, numpy.zeros(labels.shape, bool), decoder
    WellFormedFrames(["O", "B-TMP"]).repair_labels(logits, labels, *rest)
    assert labels.tolist() == [[1, 1, 0]]
