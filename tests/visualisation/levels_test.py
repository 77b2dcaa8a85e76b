"""Levels of arcs, against all pairs."""

from itertools import combinations
from typing import List, Tuple

from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.visualisation.levels import levels

INTERVALS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda ends: (min(ends), max(ends))),
    max_size=12,
)


@given(INTERVALS, st.randoms(use_true_random=False))
def test_later_arcs_are_above_those_they_overlap(
    intervals: List[Tuple[int, int]], random: object
) -> None:
    order = list(range(len(intervals)))
    random.shuffle(order)  # type: ignore[attr-defined]
    found = levels(intervals, order)
    assert all(level >= 1 for level in found)
    for earlier, later in combinations(order, 2):
        (start, end), (other_start, other_end) = intervals[earlier], intervals[later]
        if start < other_end and other_start < end:
            assert found[earlier] < found[later]
        if start <= other_end and other_start <= end:
            assert found[earlier] != found[later]


def test_the_shortest_is_lowest_without_an_order() -> None:
    assert levels([(0, 9), (1, 3), (4, 6), (2, 8)]) == [3, 1, 1, 2]
    assert levels([]) == []
