"""
Breaks the words of a sentence into the lines of a picture.

    >>> needs = Needs([20] * 6, gap=5)
    >>> break_lines(needs, 100), break_lines(needs, 1000), break_lines(needs, 1)
    ([0, 3], [0], [0, 1, 2, 3, 4, 5])
    >>> break_lines(needs, 100, crossings([(0, 1), (2, 5)], 6))
    [0, 2]
"""

from itertools import accumulate
from typing import Iterable, List, NamedTuple, Sequence, Tuple

from lisa_allennlp.visualisation.columns import Column, Needs

_RAGGED = 12.0
"""The cost of an empty line. For comparison, breaking a long arc or span costs about 1."""


class Line(NamedTuple):
    """
    # Parameters

    first : `int`
        The 0-based position of the first word.
    columns : `List[Column]`
        Of each word.
    """

    first: int
    columns: List[Column]

    @property
    def end(self) -> int:
        """The position after the last word."""
        return self.first + len(self.columns)


def crossings(spans: Iterable[Tuple[int, int]], length: int) -> List[float]:
    """
    # Parameters

    spans : `Iterable[Tuple[int, int]]`
        The first and the last word of arcs and role spans.
    length : `int`
        The number of words.

    # Returns

    `List[float]`
        For each word the cost of a break before it: each arc or span across the break costs 1, and
        2 more if it joins neighbours. Longer ones are more likely to be broken anyway.
    """
    changes = [0.0] * (length + 1)
    for first, last in spans:
        if first < last:
            cost = 1 + 2 / (last - first)
            changes[first + 1] += cost
            changes[last + 1] -= cost
    return list(accumulate(changes))[:length]


def break_lines(needs: Needs, width: float, costs: Sequence[float] = ()) -> List[int]:
    """
    # Parameters

    needs : `Needs`
        Of the words.
    width : `float`
        Of a line, more than 0. Only a single word may be wider.
    costs : `Sequence[float]`, optional (default = 0 for all)
        The cost of a break before each word.

    # Returns

    `List[int]`
        The first word of each line. There are as few lines as possible. Among such breaks, these
        have the least cost, to which the squared empty share of each line adds.
    """
    length = len(needs.widths)
    costs = costs or [0.0] * length
    # By the number of words: the number of lines and the cost, and where the last line begins.
    best: List[Tuple[int, float]] = [(0, 0.0)] + [(length + 1, 0.0)] * length
    begins = [0] * (length + 1)
    for first in range(length):
        lines, cost = best[first]
        cost += costs[first] if first else 0
        for end, used in needs.lines(first, width):
            empty = max(0.0, 1 - used / width)
            best[end], begins[end] = min(
                (best[end], begins[end]), ((lines + 1, cost + _RAGGED * empty**2), first)
            )
    firsts: List[int] = []
    end = length
    while end > 0:
        end = begins[end]
        firsts.append(end)
    return firsts[::-1] or [0]
