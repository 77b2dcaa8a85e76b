"""Linear chains, against sums and maxima over all label sequences and against AllenNLP."""

import itertools
import math
from typing import Dict, List, Sequence, Tuple

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.decoding.linear_chain import (
    FORBIDDEN,
    ChainDecoder,
    LinearChain,
    span_marginals,
)
from lisa_allennlp.decoding.role_constraints import RoleConstraints
from lisa_allennlp.sentence.roles import bio_to_spans

ROLES = ["O", "B-A0", "I-A0", "B-A1", "I-A1"]
BIO = RoleConstraints(ROLES)


def bio_labels(num_roles: int) -> List[str]:
    """O, then the B- of every role, then the I- of every role."""
    return ["O", *(f"{prefix}-{role}" for prefix in "BI" for role in range(num_roles))]


def random_chain(generator: numpy.random.Generator, size: int, step: float = 0.0) -> LinearChain:
    parts = [generator.standard_normal(shape) for shape in (size, (size, size), size)]
    # Scores on a coarse grid are often equal.
    return LinearChain(*[numpy.round(part / step) * step if step else part for part in parts])


def of_type(dtype: type, *arrays: numpy.ndarray) -> List[numpy.ndarray]:
    return [array.astype(dtype) for array in arrays]


def total(scores: numpy.ndarray, chain: LinearChain, y: Sequence[int]) -> float:
    """The score of a label sequence, written out."""
    result = (
        chain.start[y[0]] + chain.end[y[-1]] + sum(scores[t, label] for t, label in enumerate(y))
    )
    return float(result + sum(chain.transitions[pair] for pair in itertools.pairwise(y)))


def without_pruning(scores: numpy.ndarray, chain: LinearChain) -> List[int]:
    """Viterbi's algorithm for one sequence. Of equals, the lowest index wins."""
    moves = numpy.maximum(chain.transitions, FORBIDDEN)
    prefixes = [scores[0] + numpy.maximum(chain.start, FORBIDDEN)]
    for unary in scores[1:]:
        prefixes[-1] = prefixes[-1] - prefixes[-1].max()
        prefixes.append((prefixes[-1][:, None] + moves).max(0) + unary)
    labels = [int((prefixes[-1] + chain.end).argmax())]
    for prefix in reversed(prefixes[:-1]):
        labels.insert(0, int((prefix + moves[:, labels[0]]).argmax()))
    return labels


@given(
    lengths=st.lists(st.integers(0, 9), min_size=1, max_size=5),
    num_roles=st.integers(0, 20),
    is_bio=st.booleans(),
    dtype=st.sampled_from([numpy.float32, numpy.float64]),
    step=st.sampled_from([0.0, 0.5]),
    spread=st.sampled_from([0.1, 1.0, 10.0]),
    seed=st.integers(0, 2**16),
)
def test_pruning_changes_no_label_even_among_equals(
    lengths: List[int],
    num_roles: int,
    is_bio: bool,
    dtype: type,
    step: float,
    spread: float,
    seed: int,
) -> None:
    generator = numpy.random.default_rng(seed)
    names = bio_labels(num_roles)
    chain = random_chain(generator, len(names), step)
    if is_bio:
        chain = RoleConstraints(names).constrain(chain)
    chain = LinearChain(*of_type(dtype, *chain))
    scores = spread * generator.standard_normal((len(lengths), 9, len(names)))
    (scores,) = of_type(dtype, numpy.round(scores / step) * step if step else scores)
    labels = ChainDecoder(chain).decode(scores, numpy.array(lengths))
    for own, unary, length in zip(labels, scores, lengths, strict=True):
        expected = without_pruning(unary[:length], chain) if length else []
        assert own.tolist() == [*expected, *[0] * (9 - length)]


def distribution(scores: numpy.ndarray, chain: LinearChain, temperature: float) -> Dict:
    """The probability of every label sequence of one sentence."""
    sequences = itertools.product(range(5), repeat=len(scores))
    totals = {y: total(scores, chain, y) / temperature for y in sequences}
    best = max(totals.values())
    weights = {y: math.exp(value - best) for y, value in totals.items()}
    z = math.fsum(weights.values())
    return {y: weight / z for y, weight in weights.items()}


def expected_marginals(labels: List[int], probabilities: Dict) -> List[float]:
    """For the first token of each span, the sum over the sequences that have this span."""
    spans = [(t, t) for t, label in enumerate(labels) if label == 0]
    spans += [(s.first, s.last) for s in bio_to_spans([ROLES[label] for label in labels])]
    found = [0.0] * len(labels)
    for first, last in spans:
        continuing = BIO.continuing[labels[last]]
        found[first] = math.fsum(
            probability
            for y, probability in probabilities.items()
            if list(y[first : last + 1]) == labels[first : last + 1]
            and (last + 1 == len(y) or y[last + 1] != continuing)
        )
    return found


@st.composite
def cases(draw: st.DrawFn) -> Tuple[numpy.ndarray, List[int]]:
    length = draw(st.integers(1, 4))
    scale = draw(st.sampled_from([0.1, 1.0, 5.0, 15.0]))
    scores = numpy.random.default_rng(draw(st.integers(0, 10_000))).standard_normal((length, 5))
    labels = draw(st.lists(st.integers(0, 4), min_size=length, max_size=length))
    return scale * scores, labels


@given(
    st.lists(cases(), min_size=1, max_size=3),
    st.sampled_from([0.7, 1.0, 2.0]),
    st.booleans(),
    st.integers(0, 10_000),
)
def test_marginals_are_sums_over_all_sequences(
    batch: List[Tuple[numpy.ndarray, List[int]]], temperature: float, is_bio: bool, seed: int
) -> None:
    chain = random_chain(numpy.random.default_rng(seed), 5)
    chain = BIO.constrain(chain) if is_bio else chain
    lengths = numpy.array([len(labels) for _, labels in batch])
    scores = numpy.full((len(batch), lengths.max(), 5), 99.0)  # in the padding
    labels = numpy.zeros(scores.shape[:2], int)
    for n, (unary, own) in enumerate(batch):
        scores[n, : len(own)], labels[n, : len(own)] = unary, own
    found = span_marginals(scores, labels, lengths, chain, BIO.continuing, temperature)
    for row, (unary, own) in zip(found, batch, strict=True):
        expected = expected_marginals(own, distribution(unary, chain, temperature))
        assert row[: len(own)].tolist() == pytest.approx(expected, abs=2e-5)
        assert not row[len(own) :].any()


@pytest.mark.parametrize("scale", [1.0, 30.0])
def test_long_sentences_neither_overflow_nor_underflow(scale: float) -> None:
    """Two tokens between tokens that can only be O: the same as a sentence of two tokens."""
    generator, length = numpy.random.default_rng(0), 2000
    chain = BIO.constrain(random_chain(generator, 5))
    scores = scale * generator.standard_normal((1, length, 5))
    scores[:, :, 1:] = FORBIDDEN
    middle = length // 2
    scores[:, middle : middle + 2] = generator.standard_normal((1, 2, 5))
    labels = numpy.zeros((1, length), int)
    labels[:, middle : middle + 2] = [1, 2]
    (found,) = span_marginals(scores, labels, numpy.array([length]), chain, BIO.continuing)
    part = slice(middle - 1, middle + 3)
    alone = span_marginals(
        scores[:, part], labels[:, part], numpy.array([4]), chain, BIO.continuing
    )
    assert found[middle] == pytest.approx(alone[0, 1], rel=1e-4)
    assert 0.001 < found[middle] < 1
    assert found[0] == pytest.approx(1.0)


def test_marginals_of_prefixes_that_are_improbable() -> None:
    """A prefix of the best sequence is e^-150 times as probable as another one."""
    chain = BIO.constrain(LinearChain(numpy.zeros(5), numpy.zeros((5, 5)), numpy.zeros(5)))
    chain.transitions[:, 1] = -numpy.inf  # A0 begins at the first token or never.
    scores = numpy.zeros((1, 5, 5))
    scores[0, :3, 0] = 50.0
    scores[0, 3:, 2] = 75.2
    labels = numpy.array([[1, 2, 2, 2, 2]])
    found = span_marginals(scores, labels, numpy.array([5]), chain, BIO.continuing)
    expected = expected_marginals(labels[0].tolist(), distribution(scores[0], chain, 1.0))
    assert found[0].tolist() == pytest.approx(expected, abs=1e-5)
    assert 0.1 < found[0, 0] < 0.9
