import itertools
import math

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.decoding.trees import (
    arc_probabilities,
    argmax_heads,
    decode_head_tags,
    find_root_label,
    mst_heads,
    softmax,
)


def is_tree(heads) -> bool:
    """Exactly one token is its own head, and every other leads to it."""
    if sum(head == token for token, head in enumerate(heads)) != 1:
        return False
    for token in range(len(heads)):
        for _ in heads:
            token = heads[token]
        if heads[token] != token:
            return False
    return True


def best_tree_by_enumeration(scores: numpy.ndarray) -> list[int]:
    trees = filter(is_tree, itertools.product(range(len(scores)), repeat=len(scores)))
    return list(max(trees, key=lambda heads: total(scores, heads)))


def total(scores: numpy.ndarray, heads) -> float:
    return sum(scores[token, head].item() for token, head in enumerate(heads))


@given(lengths=st.lists(st.integers(1, 5), min_size=1, max_size=4), seed=st.integers(0, 2**16))
def test_mst_heads_is_the_best_of_all_trees_with_one_root(lengths, seed):
    num_tokens = max(lengths) + 1
    shape = (len(lengths), num_tokens, num_tokens)
    scores = 3 * numpy.random.default_rng(seed).standard_normal(shape)
    heads = mst_heads(scores, numpy.array(lengths))
    assert heads.dtype == numpy.int64
    for b, length in enumerate(lengths):
        assert not heads[b, length:].any()
        arcs = scores[b, :length, :length]
        assert heads[b, :length].tolist() == best_tree_by_enumeration(arcs)


def test_mst_heads_avoids_impossible_arcs():
    scores = numpy.full((1, 3, 3), -numpy.inf)
    # The only tree of possible arcs is 2 -> 1 -> 0, though 0 and 1 would rather have each other.
    for (token, head), score in {(0, 1): 5.0, (1, 0): 5.0, (1, 2): -50.0, (2, 2): -50.0}.items():
        scores[0, token, head] = score
    assert mst_heads(scores, numpy.array([3])).tolist() == [[1, 2, 2]]


@pytest.mark.parametrize(
    "decode, batch_size, num_tokens", [(argmax_heads, 0, 4), (mst_heads, 0, 4), (mst_heads, 2, 0)]
)
def test_heads_of_nothing_are_nothing(decode, batch_size, num_tokens):
    lengths = numpy.full(batch_size, num_tokens)
    heads = decode(numpy.zeros((batch_size, num_tokens, num_tokens)), lengths)
    assert heads.shape == (batch_size, num_tokens) and heads.dtype == numpy.int64


@given(
    lengths=st.lists(st.integers(1, 5), min_size=1, max_size=4),
    num_labels=st.integers(2, 4),
    seed=st.integers(0, 2**16),
    data=st.data(),
)
def test_head_tags_are_the_best_of_all_with_the_root_label_at_roots(
    lengths, num_labels, seed, data
):
    root_label = data.draw(st.integers(0, num_labels - 1))
    generator = numpy.random.default_rng(seed)
    num_tokens = max(lengths)
    heads = generator.integers(num_tokens, size=(len(lengths), num_tokens))
    logits = generator.standard_normal((len(lengths), num_tokens, num_labels))
    before = logits.copy()
    tags = decode_head_tags(logits, heads, root_label)
    assert (logits == before).all() and tags.shape == heads.shape
    for b, length in enumerate(lengths):
        allowed = [
            tags
            for tags in itertools.product(range(num_labels), repeat=length)
            if all(
                (tag == root_label) == (head == token)
                for token, (tag, head) in enumerate(zip(tags, heads[b].tolist(), strict=False))
            )
        ]
        best = max(allowed, key=lambda tags: total(logits[b], tags))
        assert tags[b, :length].tolist() == list(best)


@pytest.mark.parametrize(
    "labels, expected", [(["x", "Root", "root"], 1), (["punct", "root:x", "roots"], None)]
)
def test_find_root_label(labels, expected):
    assert find_root_label(labels) == expected


def test_arc_probabilities_multiply_head_and_label():
    scores = numpy.array([[[1.0, 2.0, 9.0], [3.0, 5.0, 9.0], [9.0, 9.0, 9.0]]])
    lengths = numpy.array([2])
    logits = numpy.array([[[2.0, 1.0, 0.0], [0.0, 1.0, 5.0], [0.0, 0.0, 0.0]]])
    heads, tags = numpy.array([[1, 1, 0]]), numpy.array([[0, 2, 0]])

    def share(chosen, *others):
        return math.exp(chosen / 2) / sum(math.exp(x / 2) for x in (chosen, *others))

    found = arc_probabilities(scores, logits, lengths, heads, tags, None, temperature=2.0)[0, :2]
    expected = [share(2, 1) * share(2, 1, 0), share(5, 3) * share(5, 0, 1)]
    assert found.tolist() == pytest.approx(expected)
    # With a root label, the root has it for sure, and other arcs cannot have it.
    found = arc_probabilities(scores, logits, lengths, heads, tags, 2, temperature=2.0)[0, :2]
    assert found.tolist() == pytest.approx([share(2, 1) * share(2, 1), share(5, 3)])


@given(st.integers(1, 300), st.integers(0, 40), st.integers(0, 1000))
def test_padding_changes_no_probability(length: int, padding: int, seed: int) -> None:
    scores = numpy.random.default_rng(seed).standard_normal((2, length)).astype(numpy.float32)
    padded = numpy.pad(scores, ((0, 0), (0, padding)), constant_values=-numpy.inf)
    assert (softmax(padded)[:, :length] == softmax(scores)).all()
