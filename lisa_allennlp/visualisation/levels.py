"""
Levels for arcs: those that overlap get different ones, as arcs above words need different heights
and arcs beside words different columns.

    >>> levels([(0, 3), (0, 1), (1, 2)])
    [3, 1, 2]
    >>> levels([(0, 3), (0, 1), (2, 3)])
    [2, 1, 1]
"""

from typing import List, Optional, Sequence, Tuple

import numpy

Interval = Tuple[float, float]
"""The two ends of an arc, the smaller one first."""


def levels(intervals: Sequence[Interval], order: Optional[Sequence[int]] = None) -> List[int]:
    """
    # Parameters

    intervals : `Sequence[Interval]`
    order : `Sequence[int]`, optional (default = the shortest first)
        The positions in `intervals`, from the arcs that are to be lowest.

    # Returns

    `List[int]`
        A level for each interval, from 1. An interval is above all earlier ones in `order` that it
        overlaps, and on another level than those it touches.
    """
    if order is None:
        order = sorted(range(len(intervals)), key=lambda i: intervals[i][1] - intervals[i][0])
    starts, ends = numpy.array([intervals[i] for i in order], dtype=float).reshape(-1, 2).T
    found = numpy.zeros(len(intervals), dtype=int)
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        before = slice(0, number)
        touching = (starts[before] <= end) & (ends[before] >= start)
        overlapping = (starts[before] < end) & (ends[before] > start)
        level = 1 + found[before][overlapping].max(initial=0)
        taken = set(found[before][touching].tolist())
        while level in taken:
            level += 1
        found[number] = level
    result = [0] * len(intervals)
    for position, level in zip(order, found.tolist(), strict=True):
        result[position] = level
    return result
