"""Arcs above words, against all pairs."""

from itertools import combinations, permutations
from typing import List

from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.visualisation.arcs import (
    PlacedArc,
    label_interval,
    place_arcs,
    ports_width,
)
from lisa_allennlp.visualisation.columns import place
from tests.visualisation.strategies import LABELS, heads, projective_heads


def placed(heads: List[int], labels: List[str], width: float = 20) -> List[PlacedArc]:
    widths = [max(width, needed) for needed in ports_width(heads)]
    return place_arcs(heads, labels, place(widths, 9))


@given(st.integers(1, 8).flatmap(heads), st.data())
def test_arcs_and_labels_of_a_level_do_not_overlap(heads: List[int], data: st.DataObject) -> None:
    labels = data.draw(st.lists(LABELS, min_size=len(heads), max_size=len(heads)))
    arcs = placed(heads, labels)
    for one, other in combinations(arcs, 2):
        if one.level == other.level:
            for mine in ((min(one[3:5]), max(one[3:5])), label_interval(one)):
                for theirs in ((min(other[3:5]), max(other[3:5])), label_interval(other)):
                    assert mine[1] < theirs[0] or theirs[1] < mine[0]


@given(st.integers(1, 8).flatmap(heads))
def test_arcs_end_at_their_words_each_at_a_place_of_its_own(heads: List[int]) -> None:
    columns = place([max(20, needed) for needed in ports_width(heads)], 9)
    arcs = place_arcs(heads, ["x"] * len(heads), columns)
    ends = []
    for arc, head in zip(arcs, heads, strict=True):
        left, right = columns[arc.dependent - 1]
        assert left <= arc.end <= right
        ends.append(arc.end)
        if head == 0:
            assert arc.start == arc.end
        else:
            assert columns[head - 1][0] <= arc.start <= columns[head - 1][1]
            ends.append(arc.start)
    assert all(abs(one - other) > 1 for one, other in combinations(ends, 2))


@given(st.integers(1, 9).flatmap(projective_heads))
def test_arcs_of_projective_trees_do_not_cross(heads: List[int]) -> None:
    for one, other in permutations(placed(heads, [""] * len(heads)), 2):
        low, high = sorted(other[3:5])
        for x in one[3:5]:
            # A vertical line of `one` meets the horizontal line of `other`.
            assert not (low < x < high and other.level < one.level)
