"""Arcs above words, against all pairs."""

from itertools import combinations, permutations
from typing import List, Tuple

from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.visualisation.arcs import (
    ArcPart,
    PlacedArc,
    label_interval,
    place_arcs,
    ports_width,
)
from lisa_allennlp.visualisation.columns import Needs, place
from lisa_allennlp.visualisation.lines import Line
from tests.visualisation.strategies import LABELS, heads, projective_heads


def placed(heads: List[int], labels: List[str], width: float = 20) -> List[PlacedArc]:
    widths = [max(width, needed) for needed in ports_width(heads)]
    return place_arcs(heads, labels, [Line(0, place(widths, 9))])


def only(arc: PlacedArc) -> ArcPart:
    (part,) = arc.parts
    return part


def broken(heads: List[int], data: st.DataObject) -> Tuple[List[Line], float]:
    """Any lines of the words, and their right edge."""
    needs = Needs([max(20, needed) for needed in ports_width(heads)], 9)
    ends = sorted(data.draw(st.sets(st.integers(1, len(heads)))) | {0, len(heads)})
    lines = [
        Line(first, needs.columns(first, end)) for first, end in zip(ends, ends[1:], strict=False)
    ]
    return lines, max(line.columns[-1][1] for line in lines) + 8


def extents(part: ArcPart, label: str) -> List[Tuple[float, float]]:
    """The ends of a part, and those of its label if it has one."""
    ends = [(min(part.start, part.end), max(part.start, part.end))]
    return ends if part.label is None else [*ends, label_interval(part, label)]


@given(st.integers(1, 8).flatmap(heads), st.data())
def test_arcs_and_labels_of_a_level_do_not_overlap(heads: List[int], data: st.DataObject) -> None:
    labels = data.draw(st.lists(LABELS, min_size=len(heads), max_size=len(heads)))
    lines, right = broken(heads, data)
    for arcs in (placed(heads, labels), place_arcs(heads, labels, lines, -8, right)):
        parts = [(part, arc.head_tag) for arc in arcs for part in arc.parts]
        assert all(part.level >= 1 for part, _ in parts)
        for (one, mine), (other, theirs) in combinations(parts, 2):
            if (one.line, one.level) == (other.line, other.level):
                for start, end in extents(one, mine):
                    for other_start, other_end in extents(other, theirs):
                        assert end < other_start or other_end < start


@given(st.integers(1, 8).flatmap(heads), st.data())
def test_the_parts_of_an_arc_lead_from_head_to_dependent(
    heads: List[int], data: st.DataObject
) -> None:
    lines, right = broken(heads, data)
    line_of = [number for number, line in enumerate(lines) for _ in line.columns]
    columns = [column for line in lines for column in line.columns]
    for arc in place_arcs(heads, ["nsubj"] * len(heads), lines, -8, right):
        dependent, head = arc.dependent - 1, (arc.head or arc.dependent) - 1
        step = 1 if head <= dependent else -1
        expected = list(range(line_of[head], line_of[dependent] + step, step))
        assert [part.line for part in arc.parts] == expected
        edges = (right, -8) if head <= dependent else (-8, right)
        for before, after in zip(arc.parts, arc.parts[1:], strict=False):
            assert (before.end, after.start) == edges
        assert columns[head][0] <= arc.parts[0].start <= columns[head][1]
        assert columns[dependent][0] <= arc.parts[-1].end <= columns[dependent][1]
        shown = [label_interval(part, "nsubj") for part in arc.parts if part.label is not None]
        assert shown
        assert all(-8 <= start and end <= right for start, end in shown)


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
