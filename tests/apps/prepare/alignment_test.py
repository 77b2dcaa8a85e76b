from itertools import combinations
from typing import List, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.apps.prepare.alignment import align_sentences, is_trusted

sides = st.lists(st.lists(st.sampled_from(["NN", "VB", "."]), min_size=1, max_size=3), max_size=4)


def score(pairs, first: Sequence[List[str]], second: Sequence[List[str]]) -> float:
    total = -float(len(first) + len(second) - 2 * len(pairs))
    for row, column in pairs:
        if len(first[row]) == len(second[column]):
            same = [a == b for a, b in zip(first[row], second[column], strict=True)]
            total += 1 + sum(same) / len(same)
    return total


@given(sides, sides)
def test_no_other_alignment_scores_better(first, second):
    best = max(
        score(list(zip(rows, columns, strict=True)), first, second)
        for size in range(min(len(first), len(second)) + 1)
        for rows in combinations(range(len(first)), size)
        for columns in combinations(range(len(second)), size)
    )
    pairs = align_sentences(first, second)
    assert score(pairs, first, second) == pytest.approx(best)
    assert pairs == sorted(pairs)
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == len(pairs)


def test_trust_needs_tags_or_neighbours():
    first, second = [["NN"], [":"], ["VB"]], [["NN"], ["NFP"], ["VB"]]
    pairs = [(0, 0), (1, 1), (2, 2)]
    assert all(is_trusted(index, pairs, first, second) for index in range(3))
    assert is_trusted(0, [(0, 0)], [[":"]], [["NFP"]])
    # One side has another sentence beside it, which could be the partner.
    assert not is_trusted(1, [(0, 0), (1, 1)], [["NN"], [":"]], [["NN"], ["NFP"], ["SYM"]])
    assert not is_trusted(0, [(1, 0)], [["."], [":"]], [["NFP"]])
