"""
The arcs of a tree above its words: where they begin and end, and how high they are.

    >>> line = Line(0, [(0, 30), (40, 70), (80, 110)])
    >>> for arc in place_arcs([2, 0, 2], ["nsubj", "root", "obj"], [line]):
    ...     for part in arc.parts:
    ...         print(arc.head_tag, part.start, part.end, part.level)
    nsubj 48.0 15.0 1
    root 55.0 55.0 2
    obj 62.0 95.0 1
"""

import math
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

from lisa_allennlp.visualisation.font import text_width
from lisa_allennlp.visualisation.levels import Interval, levels
from lisa_allennlp.visualisation.lines import Line

LABEL_SIZE = 10.5
"""The size of labels, in pixels."""

PORT = 7.0
"""The distance between two arcs at a word, in pixels."""

CORNER = 7.0
"""The radius of an arc's corners, in pixels."""

_MARGIN = 5.0


class ArcPart(NamedTuple):
    """
    The part of an arc that is on one line of words.

    # Parameters

    line : `int`
        From 0.
    start, end : `float`
        The end nearer to the head, and the one nearer to the dependent, in pixels from the left:
        places at these words, or the edge of the line where the arc goes to another line. For a
        root, both are the same.
    label : `float`, optional
        The middle of the label. `None` if the label is at other parts only.
    level : `int`
        From 1.
    """

    line: int
    start: float
    end: float
    label: Optional[float] = None
    level: int = 0


class PlacedArc(NamedTuple):
    """
    An arc, or the mark of a root.

    # Parameters

    dependent, head : `int`
        1-based positions; 0 is the head of a root.
    head_tag : `str`
    parts : `List[ArcPart]`
        On each line from that of the head to that of the dependent.
    """

    dependent: int
    head: int
    head_tag: str
    parts: List[ArcPart]


def ports(heads: Sequence[int]) -> List[List[int]]:
    """
    # Parameters

    heads : `Sequence[int]`
        1-based, 0 for a root.

    # Returns

    `List[List[int]]`
        For each word the arcs that end there, from left to right, as the 1-based positions of their
        dependents. Arcs of one word do not cross: those to the left come first, the nearest one at
        the left; then a root's mark; then those to the right, the furthest first.
    """
    ends: List[List[Tuple[int, int]]] = [[] for _ in range(len(heads) + 1)]
    for dependent, head in enumerate(heads, start=1):
        ends[dependent].append((head, dependent))
        ends[head].append((dependent, dependent))
    found = []
    for word in range(1, len(heads) + 1):
        left = sorted(((-other, -arc) for other, arc in ends[word] if 0 < other < word))
        right = sorted(((-other, arc) for other, arc in ends[word] if other > word))
        root = [(0, arc) for other, arc in ends[word] if other == 0]
        found.append([abs(arc) for _, arc in [*left, *root, *right]])
    return found


def ports_width(heads: Sequence[int]) -> List[float]:
    """The width that the arcs of each word need, in pixels."""
    return [PORT * (len(arcs) - 1) for arcs in ports(heads)]


def place_arcs(
    heads: Sequence[int],
    labels: Sequence[str],
    lines: Sequence[Line],
    left: float = -math.inf,
    right: float = math.inf,
) -> List[PlacedArc]:
    """
    # Parameters

    heads : `Sequence[int]`
        1-based, 0 for a root. Cycles and several roots are allowed.
    labels : `Sequence[str]`
        What stands at each arc.
    lines : `Sequence[Line]`
        The lines of words.
    left, right : `float`, optional
        The edges of all lines. Arcs to other lines run to an edge, and labels stand between both.

    # Returns

    `List[PlacedArc]`
        One arc per word. Neither arcs nor labels of the same line and level overlap.
    """
    places = _places(heads, lines)
    parts_of: List[List[ArcPart]] = []
    on_line: List[List[Tuple[int, int]]] = [[] for _ in lines]
    for token, (head, label) in enumerate(zip(heads, labels, strict=True)):
        ends = places[head or token + 1, token + 1], places[token + 1, token + 1]
        parts_of.append(_labelled(_parts(*ends, left, right), label, left, right))
        for number, part in enumerate(parts_of[-1]):
            on_line[part.line].append((token, number))

    def length(place: Tuple[int, int]) -> Tuple[bool, int, float]:
        token, number = place
        part = parts_of[token][number]
        return heads[token] == 0, abs(heads[token] - token - 1), abs(part.start - part.end)

    for found in on_line:
        found.sort(key=length)
        intervals = [_with_label(parts_of[token][number], labels[token]) for token, number in found]
        heights = levels(intervals, range(len(found)))
        for (token, number), level in zip(found, heights, strict=True):
            parts_of[token][number] = parts_of[token][number]._replace(level=level)
    return [
        PlacedArc(token + 1, heads[token], labels[token], parts)
        for token, parts in enumerate(parts_of)
    ]


def label_interval(part: ArcPart, label: str) -> Interval:
    """The left and the right end of the label of a part that has it."""
    assert part.label is not None
    half = text_width(label, LABEL_SIZE) / 2
    return part.label - half, part.label + half


def has_room(part: ArcPart, label: str) -> bool:
    """Whether a part is long enough to be interrupted by its label."""
    return text_width(label, LABEL_SIZE) + 2 * CORNER < abs(part.end - part.start)


_Place = Tuple[int, float]
"""A line and a distance from its left."""


def _places(heads: Sequence[int], lines: Sequence[Line]) -> Dict[Tuple[int, int], _Place]:
    """By word and arc: where the arc ends at the word."""
    places: Dict[Tuple[int, int], _Place] = {}
    columns = ((number, column) for number, line in enumerate(lines) for column in line.columns)
    for word, (arcs, (line, (left, right))) in enumerate(
        zip(ports(heads), columns, strict=True), start=1
    ):
        for number, arc in enumerate(arcs):
            x = (left + right) / 2 + PORT * (number - (len(arcs) - 1) / 2)
            places[word, arc] = line, x
    return places


def _parts(head: _Place, dependent: _Place, left: float, right: float) -> List[ArcPart]:
    """The parts of an arc, without labels and levels."""
    (first, start), (last, end) = head, dependent
    if first == last:
        return [ArcPart(first, start, end)]
    step, leaves, arrives = (1, right, left) if first < last else (-1, left, right)
    return [
        ArcPart(first, start, leaves),
        *(ArcPart(line, arrives, leaves) for line in range(first + step, last, step)),
        ArcPart(last, arrives, end),
    ]


def _labelled(parts: List[ArcPart], label: str, left: float, right: float) -> List[ArcPart]:
    """The parts, those with room for the label with its place; the longest if none has room."""
    longest = max(parts, key=lambda part: abs(part.end - part.start))
    some = any(has_room(part, label) for part in parts)
    half = text_width(label, LABEL_SIZE) / 2
    return [
        part._replace(label=max(min((part.start + part.end) / 2, right - half), left + half))
        if (has_room(part, label) if some else part is longest)
        else part
        for part in parts
    ]


def _with_label(part: ArcPart, label: str) -> Interval:
    ends = [part.start, part.end]
    if part.label is not None:
        left, right = label_interval(part, label)
        ends += [left - _MARGIN, right + _MARGIN]
    return min(ends), max(ends)
