"""
The columns of the words in a picture with arcs above and role spans below them.

    >>> place([10, 10, 10], gap=5)
    [(0, 10), (15, 25), (30, 40)]
    >>> place([10, 10, 10], gap=5, distances={1: 30}, spans={(1, 2): 60})
    [(0, 10), (30.0, 40.0), (45.0, 90.0)]
"""

from typing import Dict, List, Mapping, Sequence, Tuple

Column = Tuple[float, float]
"""The left and the right end."""


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
        left = columns[-1][1] + gap if columns else 0
        right = left + width
        for first, least in ending.get(number, []):
            right = max(right, (left if first == number else columns[first][0]) + least)
        if columns and number in distances:
            short = distances[number] - ((left + right) / 2 - sum(columns[-1]) / 2)
            left, right = left + max(0, short), right + max(0, short)
        columns.append((left, right))
    return columns
