"""
Where the words of a picture are: on one line, or on several ones if they are wider than a width.

    >>> sentence = Sentence(["one", "two", "three", "four"])
    >>> [line.first for line in lay_out(sentence).lines]
    [0]
    >>> [line.first for line in lay_out(sentence, width=100).lines]
    [0, 2]
"""

import math
from itertools import chain
from typing import Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, TypeVar

from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.visualisation.arcs import (
    LABEL_SIZE,
    PlacedArc,
    label_interval,
    place_arcs,
    ports_width,
)
from lisa_allennlp.visualisation.bars import bars_of
from lisa_allennlp.visualisation.columns import Column, Needs
from lisa_allennlp.visualisation.font import text_width
from lisa_allennlp.visualisation.labels import relation_labels, tag_labels
from lisa_allennlp.visualisation.lines import Line, break_lines, crossings
from lisa_allennlp.visualisation.printable import printable

Key = TypeVar("Key")

MARGIN = 14.0
"""The empty border of a picture, in pixels."""

PADDING = 6.0
"""The border beside a text in its box, in pixels."""

WORD_SIZE = 15.0
"""The size of words, in pixels."""

_GAP = 9.0


class Layout(NamedTuple):
    """
    # Parameters

    lines : `List[Line]`
        The words of the sentence.
    left, right : `float`, optional
        As for `place_arcs`. Infinite if there is one line, which labels may extend.
    """

    lines: List[Line]
    left: float = -math.inf
    right: float = math.inf

    def arcs(self, sentence: Sentence) -> List[PlacedArc]:
        """The arcs of a sentence; none without a tree."""
        if sentence.heads is None:
            return []
        return place_arcs(sentence.heads, relation_labels(sentence), *self)

    def width(self, arcs: Iterable[PlacedArc]) -> float:
        """The width of the picture, with its margins."""
        if self.right < math.inf:
            return self.right + MARGIN / 2
        rights = [right for line in self.lines for _, right in line.columns[-1:]]
        return (
            max(chain(rights, (end for _, end in _label_intervals(arcs))), default=MARGIN) + MARGIN
        )


def lay_out(*sentences: Sentence, width: Optional[float] = None) -> Layout:
    """
    # Parameters

    sentences : `Sentence`
        Readings of the same words, which all suit the layout.
    width : `float`, optional (default = one line)
        Of the picture, in pixels. Only a word that is wider with its labels makes the picture
        wider.
    """
    widths = [max(needed) for needed in zip(*map(_widths, sentences), strict=True)]
    distances = _largest(chain.from_iterable(map(_distances, sentences)))
    spans = _largest(chain.from_iterable(map(_span_widths, sentences)))
    needs = Needs(widths, _GAP, distances, spans)
    columns = needs.columns()
    if width is None or columns[-1:] and columns[-1][1] <= width:
        layout, used = _one_line(columns, sentences)
        if width is None or used <= width:
            return layout
    costs = crossings(chain.from_iterable(map(_intervals, sentences)), len(widths))
    firsts = break_lines(needs, max(1, width - 2 * MARGIN), costs)
    lines = [
        Line(first, [(left + MARGIN, right + MARGIN) for left, right in needs.columns(first, end)])
        for first, end in zip(firsts, [*firsts[1:], len(widths)], strict=True)
    ]
    labels = chain.from_iterable(map(relation_labels, sentences))
    widest = max((text_width(label, LABEL_SIZE) for label in labels), default=0)
    right = max([MARGIN / 2 + widest, *(line.columns[-1][1] + MARGIN / 2 for line in lines)])
    return Layout(lines, MARGIN / 2, right)


def _one_line(columns: List[Column], sentences: Sequence[Sentence]) -> Tuple[Layout, float]:
    """The layout without breaks, and the width of its pictures."""
    layout = Layout([Line(0, columns)])
    labels = list(_label_intervals(chain.from_iterable(map(layout.arcs, sentences))))
    # The label of a root may begin before the first word.
    margin = MARGIN - min(0, min((left for left, _ in labels), default=0))
    line = Line(0, [(left + margin, right + margin) for left, right in columns])
    ends = [right for _, right in [*labels, *columns[-1:]]]
    return Layout([line]), max(ends, default=0) + margin + MARGIN


def _label_intervals(arcs: Iterable[PlacedArc]) -> Iterator[Tuple[float, float]]:
    for arc in arcs:
        for part in arc.parts:
            if part.label is not None:
                yield label_interval(part, arc.head_tag)


def _widths(sentence: Sentence) -> List[float]:
    """What each word needs with its tags, its arcs and, for predicates, its frame."""
    predicates = {*(sentence.predicates or ())}
    needed = [
        text_width(printable(word), WORD_SIZE, bold=token in predicates)
        + 2 * PADDING * (token in predicates)
        for token, word in enumerate(sentence.words)
    ]
    rows: List[Sequence[float]] = [needed]
    for _, labels in tag_labels(sentence):
        rows.append([text_width(label, LABEL_SIZE, bold=True) for label in labels])
    if sentence.heads is not None:
        rows.append(ports_width(sentence.heads))
    return [max(widths) for widths in zip(*rows, strict=True)]


def _distances(sentence: Sentence) -> Iterator[Tuple[int, float]]:
    """How far neighbours must be apart for the label of the arc between them."""
    for arc, label in zip(sentence.arcs or (), relation_labels(sentence), strict=True):
        if arc.head and abs(arc.head - arc.dependent) == 1:
            yield max(arc.head, arc.dependent) - 1, text_width(label, LABEL_SIZE) + 2 * PADDING


def _span_widths(sentence: Sentence) -> Iterator[Tuple[Tuple[int, int], float]]:
    for frame in sentence.frames or []:
        for bar in bars_of(frame):
            width = text_width(bar.label, LABEL_SIZE, bold=bar.span.role == "V") + 2 * PADDING
            yield (bar.span.first, bar.span.last), width


def _intervals(sentence: Sentence) -> Iterator[Tuple[int, int]]:
    """The first and the last word of each arc and of each span."""
    for arc in sentence.arcs or ():
        if arc.head:
            yield min(arc.head, arc.dependent) - 1, max(arc.head, arc.dependent) - 1
    for frame in sentence.frames or []:
        for span in frame.roles:
            yield span.first, span.last


def _largest(items: Iterable[Tuple[Key, float]]) -> Dict[Key, float]:
    """The largest value of each key."""
    largest: Dict[Key, float] = {}
    for key, value in items:
        largest[key] = max(value, largest.get(key, value))
    return largest
