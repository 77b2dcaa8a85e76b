"""Span marginals, against sums over all label sequences."""

import itertools
import math
from typing import Dict, List, Sequence, Tuple

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.data.formats.roles import bio_to_spans
from lisa_allennlp.modules.role_decoders import (
    CrfRoleDecoder,
    GreedyRoleDecoder,
    RoleDecoder,
    VerbLabels,
    ViterbiRoleDecoder,
)
from lisa_allennlp.modules.role_decoders.linear_chain import FORBIDDEN
from lisa_allennlp.modules.role_decoders.span_marginals import span_marginals
from tests.modules.role_decoders.role_decoder_test import ALLOWED, STARTS

LABELS = ["O", "B-A0", "I-A0", "B-A1", "I-A1"]
CONTINUING = torch.tensor([-1, 2, 2, 4, 4])

Chain = Tuple[torch.Tensor, torch.Tensor, torch.Tensor]


def distribution(scores: torch.Tensor, chain: Chain, temperature: float = 1.0) -> Dict:
    """The probability of every label sequence of one sentence."""
    transitions, start, end = (part.tolist() for part in chain)
    unary = scores.tolist()

    def score(y: Sequence[int]) -> float:
        total = start[y[0]] + end[y[-1]]
        total += sum(row[label] for row, label in zip(unary, y, strict=True))
        return (total + sum(transitions[a][b] for a, b in itertools.pairwise(y))) / temperature

    totals = {y: score(y) for y in itertools.product(range(5), repeat=len(unary))}
    best = max(totals.values())
    weights = {y: math.exp(max(total - best, -700)) for y, total in totals.items()}
    z = math.fsum(weights.values())
    return {y: weight / z for y, weight in weights.items()}


def expected_marginals(labels: List[int], of_sequences: Dict) -> List[float]:
    """For each token, the sum of the probabilities of the sequences that have its span."""
    spans = {(t, t) for t, label in enumerate(labels) if label == 0}
    spans |= {(s.first, s.last) for s in bio_to_spans([LABELS[label] for label in labels])}
    found = [0.0] * len(labels)
    for first, last in spans:
        continuing = CONTINUING[labels[last]].item()
        total = math.fsum(
            probability
            for y, probability in of_sequences.items()
            if list(y[first : last + 1]) == labels[first : last + 1]
            and (last + 1 == len(y) or y[last + 1] != continuing)
        )
        found[first : last + 1] = [total] * (last + 1 - first)
    return found


@st.composite
def chains(draw: st.DrawFn) -> Tuple[torch.Tensor, Chain, List[int]]:
    length = draw(st.integers(1, 4))
    torch.manual_seed(draw(st.integers(0, 10_000)))
    scale = draw(st.sampled_from([0.1, 1.0, 5.0, 15.0]))
    transitions, start, end = torch.randn(5, 5), torch.randn(5), torch.randn(5)
    if draw(st.booleans()):
        transitions = transitions.masked_fill(~ALLOWED, FORBIDDEN)
        start = start.masked_fill(~STARTS, FORBIDDEN)
    labels = draw(st.lists(st.integers(0, 4), min_size=length, max_size=length))
    return scale * torch.randn(length, 5), (transitions, start, end), labels


@settings(deadline=None, max_examples=40)
@given(st.lists(chains(), min_size=1, max_size=3), st.sampled_from([0.7, 1.0, 2.0]))
def test_marginals_are_sums_over_all_sequences(cases: List, temperature: float) -> None:
    chain = cases[0][1]
    length = max(len(labels) for _, _, labels in cases)
    scores = torch.full((len(cases), length, 5), 99.0)  # in the padding
    labels = torch.zeros(len(cases), length, dtype=torch.long)
    mask = torch.zeros(len(cases), length, dtype=torch.bool)
    for n, (unary, _, own) in enumerate(cases):
        scores[n, : len(own)], labels[n, : len(own)] = unary, torch.tensor(own)
        mask[n, : len(own)] = True
    found = span_marginals(scores, labels, mask, CONTINUING, *chain, temperature)
    for n, (unary, _, own) in enumerate(cases):
        expected = expected_marginals(own, distribution(unary, chain, temperature))
        assert found[n, : len(own)].tolist() == pytest.approx(expected, abs=2e-5)
        assert not found[n, len(own) :].any()


@pytest.mark.parametrize("length", [50, 2000])
@pytest.mark.parametrize("scale", [1.0, 30.0])
def test_long_sentences_neither_overflow_nor_underflow(length: int, scale: float) -> None:
    """Two tokens between tokens that can only be O: the same as a sentence of two tokens."""
    torch.manual_seed(0)
    chain = (
        torch.randn(5, 5).masked_fill(~ALLOWED, FORBIDDEN),
        torch.randn(5).masked_fill(~STARTS, FORBIDDEN),
        torch.randn(5),
    )
    scores = scale * torch.randn(1, length, 5)
    scores[:, :, 1:] = FORBIDDEN
    middle = length // 2
    scores[:, middle : middle + 2] = torch.randn(1, 2, 5)
    labels = torch.zeros(1, length, dtype=torch.long)
    labels[:, middle : middle + 2] = torch.tensor([1, 2])
    mask = torch.ones(1, length, dtype=torch.bool)
    found = span_marginals(scores, labels, mask, CONTINUING, *chain)
    alone = scores[:, middle - 1 : middle + 3]
    few = span_marginals(alone, torch.tensor([[0, 1, 2, 0]]), mask[:, :4], CONTINUING, *chain)
    torch.testing.assert_close(found[:, middle : middle + 2], few[:, 1:3])
    assert 0.001 < found[0, middle] < 1
    assert found[0, 0] == pytest.approx(1.0)


def test_a_span_of_a_thousand_tokens() -> None:
    """With B-x, I-x and O equally probable at each token, and nothing forbidden."""
    length = 1000
    scores = torch.zeros(1, length, 5)
    scores[..., 2] = 12.0
    scores[:, 0, 1] = 12.0
    labels = torch.full((1, length), 2)
    labels[:, 0] = 1
    mask = torch.ones(1, length, dtype=torch.bool)
    zeros = torch.zeros(5, 5), torch.zeros(5), torch.zeros(5)
    found = span_marginals(scores, labels, mask, CONTINUING, *zeros)
    first = 1 / (2 + 3 * math.exp(-12))
    expected = first * (1 / (1 + 4 * math.exp(-12))) ** (length - 1)
    assert found[0].tolist() == pytest.approx([expected] * length, rel=1e-5)


def test_no_frames_and_no_tokens() -> None:
    chain = torch.zeros(5, 5), torch.zeros(5), torch.zeros(5)
    for shape in ((0, 3), (2, 0)):
        empty = torch.zeros(shape, dtype=torch.long)
        assert span_marginals(torch.zeros(*shape, 5), empty, empty.bool(), CONTINUING, *chain).shape


@pytest.mark.parametrize("decoder_class", [CrfRoleDecoder, GreedyRoleDecoder, ViterbiRoleDecoder])
def test_decoders_use_the_chain_that_they_decode(decoder_class: type) -> None:
    """With a V at the predicate. The labels are O, B-V, I-V, B-A1, I-A1."""
    torch.manual_seed(3)
    decoder: RoleDecoder = decoder_class(ALLOWED, STARTS, verb=VerbLabels(1, 2))
    decoder.observe(torch.tensor([[0, 1, 3, 4], [3, 1, 2, 0]]), torch.ones(2, 4, dtype=torch.bool))
    logits, mask = 2 * torch.randn(6, 4, 5), torch.ones(6, 4, dtype=torch.bool)
    predicates = torch.tensor([0, 1, 2, 3, 1, 2])
    labels = decoder(logits, mask, predicates)
    assert decoder.continuing.tolist() == CONTINUING.tolist()
    found = decoder.span_probabilities(logits, labels, mask, predicates, temperature=1.5)
    for n, predicate in enumerate(predicates.tolist()):
        scores = logits[n].clone()
        for t in range(4):
            is_other = [(t == predicate) != (label == 1) for label in range(5)]
            scores[t, torch.tensor(is_other)] = FORBIDDEN
        of_sequences = distribution(scores, decoder.potentials(), 1.5)
        expected = expected_marginals(labels[n].tolist(), of_sequences)
        assert found[n].tolist() == pytest.approx(expected, abs=2e-5)
        if decoder_class is not GreedyRoleDecoder:
            best = max(of_sequences, key=lambda y: of_sequences[y])
            assert list(best) == labels[n].tolist()


def test_greedy_spans_are_products_of_token_probabilities() -> None:
    torch.manual_seed(4)
    logits, mask = torch.randn(1, 3, 5), torch.ones(1, 3, dtype=torch.bool)
    decoder = GreedyRoleDecoder(ALLOWED, STARTS)
    [[first, middle, last]] = logits.softmax(-1).tolist()
    found = decoder.span_probabilities(logits, torch.tensor([[1, 2, 0]]), mask)
    span = first[1] * middle[2] * (1 - last[2])
    assert found[0].tolist() == pytest.approx([span, span, last[0]], rel=1e-5)
