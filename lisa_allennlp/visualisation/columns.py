"""
The columns of the words in a picture with arcs above and role spans below them.

    >>> place([10, 10, 10], gap=5)
    [(0, 10), (15, 25), (30, 40)]
    >>> needs = Needs([10, 10, 10], gap=5, distances={1: 30}, spans={(1, 2): 60})
    >>> needs.columns()
    [(0, 10), (30.0, 40.0), (45.0, 90.0)]
    >>> needs.columns(1, 2), list(needs.lines(1, width=80))
    ([(0, 60)], [(2, 60), (3, 60)])
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple

Column = Tuple[float, float]
"""The left and the right end."""


@dataclass(frozen=True)
class Needs:
    """
    What the words of a sentence need.

    # Parameters

    widths, gap, distances, spans :
        As in `place`. A line that has only a part of a span gives the part the same width.
    """

    widths: Sequence[float]
    gap: float
    distances: Mapping[int, float] = field(default_factory=dict)
    spans: Mapping[Tuple[int, int], float] = field(default_factory=dict)

    def columns(self, first: int = 0, end: Optional[int] = None) -> List[Column]:
        """The columns of a line, which has the words from `first` to the one before `end`."""
        end = len(self.widths) if end is None else end
        spans: Dict[Tuple[int, int], float] = {}
        for (start, last), least in self.spans.items():
            if start < end and last >= first:
                part = max(start, first) - first, min(last, end - 1) - first
                spans[part] = max(least, spans.get(part, 0))
        distances = {number - first: least for number, least in self.distances.items()}
        return place(self.widths[first:end], self.gap, distances, spans)

    def lines(self, first: int, width: float) -> Iterator[Tuple[int, float]]:
        """
        # Parameters

        first : `int`
            The first word of the lines.
        width : `float`
            Of a line. Only a single word may be wider.

        # Returns

        `Iterator[Tuple[int, float]]`
            For each line that fits, the position after its last word, and the width that it needs.
        """
        columns: List[Column] = []
        for number in range(first, len(self.widths)):
            spans = self._spans_of[number]
            covering = [(max(start - first, 0), last, least) for start, last, least in spans]
            ending = [(start, least) for start, last, least in covering if last == number]
            needs = self.widths[number], self.gap, self.distances.get(number)
            column = _next(columns, *needs, ((start, least) for start, _, least in covering))
            if column[1] <= width or number == first:
                yield number + 1, column[1]
            is_whole = len(ending) == len(covering)
            columns.append(column if is_whole else _next(columns, *needs, ending))
            if columns[-1][1] > width:
                return

    @cached_property
    def _spans_of(self) -> List[List[Tuple[int, int, float]]]:
        """For each word the first and the last word of its spans, and what they need."""
        found: List[List[Tuple[int, int, float]]] = [[] for _ in self.widths]
        for (first, last), least in self.spans.items():
            for number in range(first, last + 1):
                found[number].append((first, last, least))
        return found


def place(
    widths: Sequence[float],
    gap: float,
    distances: Mapping[int, float] = {},  # noqa: B006
    spans: Mapping[Tuple[int, int], float] = {},  # noqa: B006
) -> List[Column]:
    """
    # Parameters

    widths : `Sequence[float]`
        What each column needs at least.
    gap : `float`
        Between two columns.
    distances : `Mapping[int, float]`, optional
        By columns: the least distance of the column's centre from that of the column before it.
    spans : `Mapping[Tuple[int, int], float]`, optional
        By first and last column: the least width from the left of the first to the right of the
        last.

    # Returns

    `List[Column]`
        From left to right, as narrow as their order allows. A span that needs more room than its
        columns widens the last of them.
    """
    ending: Dict[int, List[Tuple[int, float]]] = {}
    for (first, last), width in spans.items():
        ending.setdefault(last, []).append((first, width))
    columns: List[Column] = []
    for number, width in enumerate(widths):
        columns.append(_next(columns, width, gap, distances.get(number), ending.get(number, ())))
    return columns


def _next(
    columns: Sequence[Column],
    width: float,
    gap: float,
    distance: Optional[float],
    spans: Iterable[Tuple[int, float]],
) -> Column:
    """The column after `columns`, at which spans end whose first columns and widths are given."""
    left = columns[-1][1] + gap if columns else 0
    right = left + width
    for first, least in spans:
        right = max(right, (left if first == len(columns) else columns[first][0]) + least)
    if columns and distance is not None:
        short = distance - ((left + right) / 2 - sum(columns[-1]) / 2)
        left, right = left + max(0, short), right + max(0, short)
    return left, right
