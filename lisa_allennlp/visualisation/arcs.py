"""
The arcs of a tree above its words: where they begin and end, and how high they are.

    >>> for arc in place_arcs([2, 0, 2], ["nsubj", "root", "obj"], [(0, 30), (40, 70), (80, 110)]):
    ...     print(arc.head_tag, arc.start, arc.end, arc.level)
    nsubj 48.0 15.0 1
    root 55.0 55.0 2
    obj 62.0 95.0 1
"""

from typing import Dict, List, NamedTuple, Sequence, Tuple

from lisa_allennlp.visualisation.columns import Column
from lisa_allennlp.visualisation.font import text_width
from lisa_allennlp.visualisation.levels import Interval, levels

LABEL_SIZE = 10.5
"""The size of labels, in pixels."""

PORT = 7.0
"""The distance between two arcs at a word, in pixels."""

_MARGIN = 5.0


class PlacedArc(NamedTuple):
    """
    An arc, or the mark of a root.

    # Parameters

    dependent, head : `int`
        1-based positions; 0 is the head of a root.
    head_tag : `str`
    start, end : `float`
        Where the arc leaves its head and reaches its dependent, in pixels from the left. For a
        root, both are the same.
    level : `int`
        From 1.
    """

    dependent: int
    head: int
    head_tag: str
    start: float
    end: float
    level: int


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
    heads: Sequence[int], labels: Sequence[str], columns: Sequence[Column]
) -> List[PlacedArc]:
    """
    # Parameters

    heads : `Sequence[int]`
        1-based, 0 for a root. Cycles and several roots are allowed.
    labels : `Sequence[str]`
        What stands at each arc.
    columns : `Sequence[Column]`
        The columns of the words.

    # Returns

    `List[PlacedArc]`
        One arc per word. Neither arcs nor labels of the same level overlap.
    """
    places: Dict[Tuple[int, int], float] = {}
    for word, (arcs, (left, right)) in enumerate(zip(ports(heads), columns, strict=True), start=1):
        for number, arc in enumerate(arcs):
            places[word, arc] = (left + right) / 2 + PORT * (number - (len(arcs) - 1) / 2)
    ends = [
        (places[head or dependent, dependent], places[dependent, dependent])
        for dependent, head in enumerate(heads, start=1)
    ]
    intervals = [_with_label(*pair, label) for pair, label in zip(ends, labels, strict=True)]

    def length(token: int) -> Tuple[bool, int, float]:
        start, end = ends[token]
        return heads[token] == 0, abs(heads[token] - token - 1), abs(start - end)

    heights = levels(intervals, sorted(range(len(heads)), key=length))
    return [
        PlacedArc(dependent, head, label, *pair, level)
        for dependent, (head, label, pair, level) in enumerate(
            zip(heads, labels, ends, heights, strict=True), start=1
        )
    ]


def label_interval(arc: PlacedArc) -> Interval:
    """The left and the right end of an arc's label."""
    return _around((arc.start + arc.end) / 2, arc.head_tag)


def _with_label(start: float, end: float, label: str) -> Interval:
    left, right = _around((start + end) / 2, label)
    return min(start, end, left - _MARGIN), max(start, end, right + _MARGIN)


def _around(middle: float, label: str) -> Interval:
    half = text_width(label, LABEL_SIZE) / 2
    return middle - half, middle + half
