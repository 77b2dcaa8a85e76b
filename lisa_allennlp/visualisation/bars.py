"""
The role spans of a predicate as bars below the words.

    >>> from lisa_allennlp.data.sentence import Frame
    >>> for bar in bars_of(Frame(1, ["B-ARG0", "B-V", "B-ARG1"])):
    ...     print(bar.label, bar.span.first, bar.span.last)
    ARG0 0 0
    V 1 1
    ARG1 2 2
"""

from typing import List, NamedTuple, Sequence

from lisa_allennlp.data.sentence import Frame, RoleSpan
from lisa_allennlp.visualisation.labels import span_label
from lisa_allennlp.visualisation.levels import levels
from lisa_allennlp.visualisation.lines import Line


class Bar(NamedTuple):
    """A role span, or the predicate if it is in no span `V`."""

    span: RoleSpan
    label: str


def bars_of(frame: Frame) -> List[Bar]:
    """The bars of a frame."""
    spans = list(frame.roles)
    own = frame.predicate
    if not any(span.role == "V" and span.first <= own <= span.last for span in spans):
        spans.append(RoleSpan("V", own, own, frame.verb))
    return [Bar(span, span_label(frame, span)) for span in spans]


class BarPart(NamedTuple):
    """
    The part of a bar that is on one line of words.

    # Parameters

    bar : `int`
        The number of the bar.
    first, last : `int`
        The 0-based positions of its words on the line.
    row : `int`
        From 0: bars that overlap are below each other.
    """

    bar: int
    first: int
    last: int
    row: int


def bar_parts(bars: Sequence[Bar], line: Line) -> List[BarPart]:
    """The parts of a frame's bars on a line."""
    found = [
        (number, max(bar.span.first, line.first), min(bar.span.last, line.end - 1))
        for number, bar in enumerate(bars)
        if bar.span.first < line.end and bar.span.last >= line.first
    ]
    # Half a word less, so that neighbours are in the same row.
    intervals = [(first, last + 0.5) for _, first, last in found]
    rows = levels(intervals, range(len(found)))
    return [BarPart(*part, row - 1) for part, row in zip(found, rows, strict=True)]
