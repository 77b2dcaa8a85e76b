"""Arcs above words, against all pairs."""

from itertools import combinations, permutations
from typing import List

from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.visualisation.arcs import (
    ArcPart,
    PlacedArc,
    label_interval,
    place_arcs,
    ports_width,
)
from lisa_allennlp.visualisation.columns import place
from lisa_allennlp.visualisation.lines import Line
from tests.visualisation.strategies import LABELS, heads, projective_heads


def placed(heads: List[int], labels: List[str], width: float = 20) -> List[PlacedArc]:
    widths = [max(width, needed) for needed in ports_width(heads)]
    return place_arcs(heads, labels, [Line(0, place(widths, 9))])


def only(arc: PlacedArc) -> ArcPart:
    (part,) = arc.parts
    return part


@given(st.integers(1, 8).flatmap(heads), st.data())
def test_arcs_and_labels_of_a_level_do_not_overlap(heads: List[int], data: st.DataObject) -> None:
    labels = data.draw(st.lists(LABELS, min_size=len(heads), max_size=len(heads)))
    parts = [(only(arc), arc.head_tag) for arc in placed(heads, labels)]
    for (one, mine), (other, theirs) in combinations(parts, 2):
        if one.level == other.level:
            for left, right in (sorted((one.start, one.end)), label_interval(one, mine)):
                for first, last in (
                    sorted((other.start, other.end)),
                    label_interval(other, theirs),
                ):
                    assert right < first or last < left


@given(st.integers(1, 8).flatmap(heads))
def test_arcs_end_at_their_words_each_at_a_place_of_its_own(heads: List[int]) -> None:
    columns = place([max(20, needed) for needed in ports_width(heads)], 9)
    arcs = place_arcs(heads, ["x"] * len(heads), [Line(0, columns)])
    ends = []
    for arc, head in zip(arcs, heads, strict=True):
        left, right = columns[arc.dependent - 1]
        part = only(arc)
        assert left <= part.end <= right
        ends.append(part.end)
        if head == 0:
            assert part.start == part.end
        else:
            assert columns[head - 1][0] <= part.start <= columns[head - 1][1]
            ends.append(part.start)
    assert all(abs(one - other) > 1 for one, other in combinations(ends, 2))


@given(st.integers(1, 9).flatmap(projective_heads))
def test_arcs_of_projective_trees_do_not_cross(heads: List[int]) -> None:
    for one, other in permutations(map(only, placed(heads, [""] * len(heads))), 2):
        low, high = sorted((other.start, other.end))
        for x in (one.start, one.end):
            # A vertical line of `one` meets the horizontal line of `other`.
            assert not (low < x < high and other.level < one.level)
