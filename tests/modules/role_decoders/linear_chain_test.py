import itertools
import sys

import pytest
import torch
from allennlp.modules import ConditionalRandomField
from allennlp.nn.util import viterbi_decode
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.modules.role_decoders import linear_chain
from lisa_allennlp.modules.role_decoders.linear_chain import FORBIDDEN, Predecessors, viterbi
from lisa_allennlp.nn.cpu import viterbi_loop
from lisa_allennlp.nn.cpu.compiled_loops import can_compile
from lisa_allennlp.nn.cpu.viterbi_loop import PAYS_FROM
from tests.counting import num_operators


def by_operators(*arguments) -> torch.Tensor:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linear_chain, "is_on_cpu", lambda tensor: False)
        return viterbi(*arguments)


def by_loop(*arguments) -> torch.Tensor:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(viterbi_loop, "PAYS_FROM", 0)
        return viterbi(*arguments)


def right_padded(lengths: list[int], num_tokens: int) -> torch.Tensor:
    return torch.arange(num_tokens) < torch.tensor(lengths).unsqueeze(-1)


def bio_moves(num_roles: int) -> torch.Tensor:
    """O, then the B- of every role, then the I- of every role."""
    size = 1 + 2 * num_roles
    allowed = torch.ones(size, size, dtype=torch.bool)
    allowed[:, 1 + num_roles :] = False
    for role in range(num_roles):
        inside = 1 + num_roles + role
        allowed[[1 + role, inside], inside] = True
    return allowed


def best_by_enumeration(scores, transitions, start, end) -> list[int]:
    """The best of all the label sequences of one sentence; the arguments are nested lists."""

    def total(labels):
        result = start[labels[0]] + end[labels[-1]]
        result += sum(scores[t][label] for t, label in enumerate(labels))
        return result + sum(transitions[i][j] for i, j in itertools.pairwise(labels))

    sequences = itertools.product(range(len(start)), repeat=len(scores))
    return list(max(sequences, key=total))


@settings(max_examples=40, deadline=None)
@given(
    lengths=st.lists(st.integers(1, 4), min_size=1, max_size=3),
    num_labels=st.integers(1, 4),
    seed=st.integers(0, 2**16),
    share_forbidden=st.sampled_from([0.0, 0.5]),
    forbidden=st.sampled_from([FORBIDDEN, float("-inf")]),
)
def test_viterbi_finds_the_best_of_all_sequences(
    lengths, num_labels, seed, share_forbidden, forbidden
):
    generator = torch.Generator().manual_seed(seed)
    num_tokens = max(lengths) + 1
    scores = torch.randn(len(lengths), num_tokens, num_labels, generator=generator)
    moves = torch.randn(num_labels, num_labels, generator=generator)
    start, end = torch.randn(2, num_labels, generator=generator)
    allowed = torch.rand(num_labels, num_labels, generator=generator) >= share_forbidden
    # So that there is a legal sequence of every length.
    allowed.fill_diagonal_(True)
    moves = moves.masked_fill(~allowed, forbidden)
    mask = right_padded(lengths, num_tokens)
    expected = [
        best_by_enumeration(
            scores[n, :length].double().tolist(),
            moves.double().tolist(),
            start.tolist(),
            end.tolist(),
        )
        for n, length in enumerate(lengths)
    ]
    for few, decode in itertools.product((None, 1, 2), (by_operators, by_loop)):
        predecessors = None if few is None else Predecessors(allowed, few)
        labels = decode(scores, mask, moves, start, end, predecessors)
        assert labels.shape == mask.shape and labels.dtype == torch.long
        assert labels[~mask].eq(0).all()
        for n, length in enumerate(lengths):
            assert labels[n, :length].tolist() == expected[n]


@settings(max_examples=40, deadline=None)
@given(
    lengths=st.lists(st.integers(0, 9), min_size=1, max_size=5),
    num_roles=st.integers(0, 23),
    has_end=st.booleans(),
    dtype=st.sampled_from([torch.float, torch.double]),
    step=st.sampled_from([0.0, 0.5]),
    seed=st.integers(0, 2**16),
)
def test_the_loop_gives_the_same_labels_even_among_equals(
    lengths, num_roles, has_end, dtype, step, seed
):
    generator = torch.Generator().manual_seed(seed)

    def draw(*shape):
        drawn = torch.randn(*shape, generator=generator, dtype=dtype)
        # Scores on a coarse grid are often equal.
        return (drawn / step).round() * step if step else drawn

    size = 1 + 2 * num_roles
    allowed = bio_moves(num_roles)
    scores, mask = draw(len(lengths), 10, size), right_padded(lengths, 10)
    moves, start = draw(size, size).masked_fill(~allowed, FORBIDDEN), draw(size)
    end = draw(size).requires_grad_() if has_end else None
    for predecessors in (None, Predecessors(allowed)):
        arguments = (scores, mask, moves, start, end, predecessors)
        assert torch.equal(by_loop(*arguments), by_operators(*arguments))


def test_large_calls_use_the_loop(monkeypatch):
    used = []
    monkeypatch.setattr(viterbi_loop, "viterbi", lambda *arguments: used.append(arguments))
    for num_sequences, expected in ((1, 0), (PAYS_FROM // 10 - 1, 0), (PAYS_FROM // 10, 1)):
        scores = torch.randn(num_sequences, 10, 4)
        viterbi(scores, right_padded([10] * num_sequences, 10), torch.randn(4, 4), torch.randn(4))
        assert len(used) == expected


def test_without_numba_the_labels_are_the_same(monkeypatch):
    torch.manual_seed(5)
    scores, mask = torch.randn(2, 3, 4), torch.ones(2, 3, dtype=torch.bool)
    moves, start = torch.randn(4, 4), torch.randn(4)
    expected = by_loop(scores, mask, moves, start)
    monkeypatch.setitem(sys.modules, "numba", None)
    can_compile.cache_clear()
    assert torch.equal(by_loop(scores, mask, moves, start), expected)
    can_compile.cache_clear()


def test_viterbi_agrees_with_allennlps_viterbi_decode():
    torch.manual_seed(1)
    lengths = [9, 1, 6, 12]
    scores, moves, start = torch.randn(4, 12, 21), torch.randn(21, 21), torch.randn(21)
    moves = moves.masked_fill(~bio_moves(10), float("-inf"))
    mask = right_padded(lengths, 12)
    plain = viterbi(scores, mask, moves, start)
    quick = viterbi(scores, mask, moves, start, predecessors=Predecessors(bio_moves(10)))
    assert torch.equal(plain, quick)
    for n, length in enumerate(lengths):
        expected, _ = viterbi_decode(scores[n, :length], moves, allowed_start_transitions=start)
        assert plain[n, :length].tolist() == expected


def test_viterbi_agrees_with_allennlps_crf():
    torch.manual_seed(2)
    crf = ConditionalRandomField(11)
    scores, mask = torch.randn(5, 8, 11), right_padded([8, 3, 1, 5, 8], 8)
    labels = viterbi(scores, mask, crf.transitions, crf.start_transitions, crf.end_transitions)
    for n, (expected, _) in enumerate(crf.viterbi_tags(scores, mask)):
        assert labels[n, : len(expected)].tolist() == expected


@pytest.mark.parametrize("num_sequences, num_tokens", [(0, 5), (3, 0), (0, 0)])
@pytest.mark.parametrize("predecessors", [None, Predecessors(bio_moves(2))])
def test_viterbi_of_nothing_is_nothing(num_sequences, num_tokens, predecessors):
    scores = torch.zeros(num_sequences, num_tokens, 5)
    mask = torch.ones(num_sequences, num_tokens, dtype=torch.bool)
    labels = viterbi(scores, mask, torch.zeros(5, 5), torch.zeros(5), predecessors=predecessors)
    assert labels.shape == (num_sequences, num_tokens) and labels.dtype == torch.long


@pytest.mark.parametrize("predecessors", [None, Predecessors(bio_moves(2))])
def test_viterbi_never_waits_for_the_device(predecessors):
    """Tensors without values raise when the host asks for one, or when a shape depends on one."""
    scores, mask = torch.zeros(4, 6, 5, device="meta"), torch.ones(4, 6, device="meta").bool()
    moves, ends = torch.zeros(5, 5, device="meta"), torch.zeros(5, device="meta")
    if predecessors is not None:
        predecessors = predecessors.to("meta")
    assert viterbi(scores, mask, moves, ends, ends, predecessors).shape == (4, 6)


def test_viterbi_of_a_sequence_of_padding_is_zeros():
    scores, mask = torch.randn(2, 3, 4), right_padded([0, 3], 3)
    labels = viterbi(scores, mask, torch.randn(4, 4), torch.randn(4))
    assert labels[0].tolist() == [0, 0, 0]


def test_viterbi_reads_half_precision_scores():
    torch.manual_seed(3)
    scores, moves, start = torch.randn(3, 6, 5).half(), torch.randn(5, 5), torch.randn(5)
    mask = right_padded([6, 2, 4], 6)
    expected = viterbi(scores.float(), mask, moves, start)
    assert torch.equal(viterbi(scores, mask, moves, start), expected)


def test_viterbi_never_makes_a_forbidden_move_in_a_long_sequence():
    allowed = bio_moves(3)
    # The scores ask for I-x of another role at every step.
    scores = torch.full((1, 500, 7), -20.0)
    scores[0, torch.arange(500), 4 + torch.arange(500) % 3] = 0.0
    start = torch.zeros(7).masked_fill(torch.arange(7) > 3, FORBIDDEN)
    moves = torch.zeros(7, 7).masked_fill(~allowed, FORBIDDEN)
    (labels,) = viterbi(scores, torch.ones(1, 500, dtype=torch.bool), moves, start).tolist()
    assert labels[0] <= 3
    assert all(allowed[i, j] for i, j in itertools.pairwise(labels))


def test_viterbi_decodes_all_sequences_at_once():
    allowed = bio_moves(3)
    moves, start = torch.zeros(7, 7).masked_fill(~allowed, FORBIDDEN), torch.zeros(7)
    predecessors = Predecessors(allowed)

    def operators(num_sequences: int) -> int:
        scores = torch.zeros(num_sequences, 9, 7)
        mask = torch.ones(num_sequences, 9, dtype=torch.bool)
        return num_operators(lambda: by_operators(scores, mask, moves, start, None, predecessors))

    assert operators(100) == operators(2)
