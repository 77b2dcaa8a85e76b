"""Places the words, arcs and role spans of a picture on one or several lines."""

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from lisa_allennlp.apps.show.texts import (
    printable,
    relation_labels,
    span_label,
    tag_labels,
    text_width,
)
from lisa_allennlp.sentence.sentence import Arc, Frame, RoleSpan, Sentence

MARGIN, PADDING, CORNER = 14.0, 6.0, 7.0
"""The border of a picture, of a text in its box, and the radius of arcs, in pixels."""

WORD_SIZE, LABEL_SIZE = 15.0, 10.5
"""The sizes of words and labels, in pixels."""

# Between two words, and between two arcs at a word.
_GAP, _PORT = 9.0, 7.0

_RAGGED = 12.0  # The cost of an empty line, where breaking a long arc or span costs about 1.


class Layout(NamedTuple):
    """
    The line and both ends of each word; and the edges where arcs and spans go to another line.
    """

    words: List[Tuple[int, float, float]]
    left: float
    right: float


@dataclass
class LinePart:
    """
    The part of an arc or a role span on one line. An arc starts at its head. Only some parts have
    labels. Overlapping parts have different levels, from 1.
    """

    line: int
    start: float
    end: float
    label: str = ""
    middle_of_label: float = 0.0
    level: int = 0

    def extent(self) -> Tuple[float, float]:
        half = text_width(self.label, LABEL_SIZE) / 2 + 5 if self.label else -math.inf
        ends = (self.start, self.end)
        return min(*ends, self.middle_of_label - half), max(*ends, self.middle_of_label + half)

    def has_room(self, label: str) -> bool:
        return text_width(label, LABEL_SIZE) + 2 * CORNER < abs(self.end - self.start)


class Placed(NamedTuple):
    item: Any
    label: str
    parts: List[LinePart]


def lay_out(*sentences: Sentence, width: Optional[float] = None) -> Layout:
    """
    Places the words of readings of a sentence. Only a word whose labels are wider than `width`
    widens the picture; its letters are shortened to its column.
    """
    room = math.inf if width is None else max(1, width - 2 * MARGIN)
    columns = _columns(sentences, room)
    firsts = [0]
    if columns:
        firsts = _break(columns, room, _costs(sentences))
    words = []
    for line, (first, end) in enumerate(zip(firsts, [*firsts[1:], len(columns)], strict=True)):
        for left, right in columns[first:end]:
            moved = MARGIN - columns[first][0]
            words.append((line, left + moved, right + moved))
    left = MARGIN / 2
    rights = [right + left for _, _, right in words]
    rights += [left + text_width(t, LABEL_SIZE) for s in sentences for t in relation_labels(s)]
    return Layout(words, left, max(rights, default=MARGIN))


def lay_out_edited(sentence: Sentence, before: Sentence, width: Optional[float] = None) -> Layout:
    """Places the words as `before` an edit, unless the labels of new predicates need more room."""
    new = [f for f in sentence.frames or () if f.predicate not in (before.predicates or ())]
    return lay_out(before, Sentence(before.words, frames=new), width=width)


def place_arcs(sentence: Sentence, layout: Layout, ghosts: Sequence[Arc] = ()) -> List[Placed]:
    """
    Places the arcs above the words, and with them `ghosts`, arcs of another reading. Cycles and
    several roots are allowed. Neither arcs nor labels of the same line and level overlap.
    """
    if sentence.arcs is None:
        return []
    arcs = [*sentence.arcs, *ghosts]
    labels = [*relation_labels(sentence), *(printable(arc.head_tag) for arc in ghosts)]
    ends = _arc_ends([(arc.head, arc.dependent) for arc in arcs], layout)
    found = []
    for arc, label in zip(arcs, labels, strict=True):
        head, dependent = arc.head, arc.dependent
        start, end = ends[head or dependent, head, dependent], ends[dependent, head, dependent]
        found.append(Placed(arc, label, _parts(start, end, label, layout)))
    _set_levels(
        sorted(found, key=lambda arc: (arc.item.head == 0, abs(arc.item.head - arc.item.dependent)))
    )
    return found


def place_spans(frame: Frame, layout: Layout) -> List[Placed]:
    """Places the role spans of a predicate, and the predicate if it is in no span `V`."""
    found = []
    for span in _spans(frame):
        label = span_label(frame, span)
        (first, left, _), (last, _, right) = layout.words[span.first], layout.words[span.last]
        parts = _parts((first, left), (last, right), label, layout)
        longer = f"{label} {printable(span.thematic_role)}" if span.thematic_role else label
        whole = f"{longer} of {printable(frame.name)}"
        for part in parts:
            if part.label and part.has_room(longer):
                part.label = longer
            if part.line != layout.words[frame.predicate][0] and part.has_room(whole):
                part.label = whole
        found.append(Placed(span, label, parts))
    _set_levels(found)
    return found


def levels(intervals: Sequence[Tuple[float, float]]) -> List[int]:
    """Returns levels from 1: above earlier overlapping intervals, and unlike touching ones."""
    found: List[int] = []
    for start, end in intervals:
        earlier = list(zip(intervals, found, strict=False))
        below = [level for (first, last), level in earlier if first < end and last > start]
        taken = {level for (first, last), level in earlier if first <= end and last >= start}
        level = 1 + max(below, default=0)
        while level in taken:
            level += 1
        found.append(level)
    return found


def _columns(sentences: Sequence[Sentence], most: float) -> List[Tuple[float, float]]:
    """
    The columns of all words on one line, wide enough for words of at most some width, tags, and
    labels of arcs between neighbours. The label of a span widens its last word.
    """
    widths = [max(needed) for needed in zip(*(_widths(s, most) for s in sentences), strict=True)]
    distances: Dict[int, float] = defaultdict(float)
    spans: Dict[int, List[Tuple[int, float]]] = defaultdict(list)
    for sentence in sentences:
        for arc, label in zip(sentence.arcs or (), relation_labels(sentence), strict=True):
            if arc.head and abs(arc.head - arc.dependent) == 1:
                token = max(arc.head, arc.dependent) - 1
                needed = text_width(label, LABEL_SIZE) + 2 * PADDING
                distances[token] = max(distances[token], needed)
        for frame in sentence.frames or []:
            for span in _spans(frame):
                needed = text_width(span_label(frame, span), LABEL_SIZE, bold=span.role == "V")
                spans[span.last].append((span.first, needed + 2 * PADDING))
    columns: List[Tuple[float, float]] = []
    for token, width in enumerate(widths):
        left = columns[-1][1] + _GAP if columns else 0.0
        right = left + width
        for first, needed in spans[token]:
            right = max(right, (columns[first][0] if first < token else left) + needed)
        if columns:
            short = max(0, distances[token] - ((left + right) / 2 - sum(columns[-1]) / 2))
            left, right = left + short, right + short
        columns.append((left, right))
    return columns


def _widths(sentence: Sentence, most: float) -> List[float]:
    predicates = {*(sentence.predicates or ())}
    arcs = Counter(head - 1 for head in sentence.heads or [])
    layers = [labels for _, labels in tag_labels(sentence)]
    return [
        max(
            min(
                text_width(printable(word), WORD_SIZE, bold=token in predicates)
                + 2 * PADDING * (token in predicates),
                most,
            ),
            _PORT * arcs[token],
            *(text_width(labels[token], LABEL_SIZE, bold=True) for labels in layers),
        )
        for token, word in enumerate(sentence.words)
    ]


def _spans(frame: Frame) -> List[RoleSpan]:
    own = frame.predicate
    has_own = any(span.role == "V" and span.first <= own <= span.last for span in frame.roles)
    return [*frame.roles, *([] if has_own else [RoleSpan("V", own, own, frame.verb)])]


def _costs(sentences: Sequence[Sentence]) -> List[float]:
    """
    The cost of a line break before each word. An arc or span across it costs 1, and 2 more if it
    joins neighbours: longer ones are likely to be broken anyway.
    """
    costs = [0.0] * len(sentences[0].words)
    for sentence in sentences:
        ends = [sorted((arc.head, arc.dependent)) for arc in sentence.arcs or () if arc.head]
        ends += [[s.first + 1, s.last + 1] for f in sentence.frames or [] for s in f.roles]
        for first, last in ends:
            for token in range(first, last):
                costs[token] += 1 + 2 / (last - first)
    return costs


def _break(
    columns: Sequence[Tuple[float, float]], width: float, costs: Sequence[float]
) -> List[int]:
    """
    Returns the first word of each line. There are as few lines as possible, and only a single word
    may be wider than `width`. Among such breaks, these have the least cost, to which the squared
    empty share of each line adds.
    """
    # By the number of words: the number of lines, the cost, and the first word of the last line.
    best: List[Tuple[int, float, int]] = [(0, 0.0, 0)]
    for end in range(1, len(columns) + 1):
        options: List[Tuple[int, float, int]] = []
        for first in range(end - 1, -1, -1):
            used = columns[end - 1][1] - columns[first][0]
            if used > width and options:
                break
            lines, cost, _ = best[first]
            cost += costs[first] + _RAGGED * max(0.0, 1 - used / width) ** 2
            options.append((lines + 1, cost, first))
        best.append(min(options))
    firsts = [best[-1][2]]
    while firsts[0] > 0:
        firsts.insert(0, best[firsts[0]][2])
    return firsts


def _arc_ends(
    pairs: Sequence[Tuple[int, int]], layout: Layout
) -> Dict[Tuple[int, int, int], Tuple[int, float]]:
    """
    Maps word, head and dependent to the line and the place where the arc ends at the word. Arcs of
    one word do not cross: arcs to the left come first, the nearest one at the left; then a root's
    mark; then arcs to the right, the furthest first.
    """
    arcs: List[List[Tuple[int, ...]]] = [[] for _ in range(len(layout.words) + 1)]
    for head, dependent in pairs:
        for word, other in ((dependent, head), (head, dependent)):
            side = 0 if other == 0 else 1 if other > word else -1
            arcs[word].append((side, -other, side * dependent, head, dependent))
    ends = {}
    for word, (line, left, right) in enumerate(layout.words, start=1):
        for number, (*_, head, dependent) in enumerate(sorted(arcs[word])):
            place = (left + right) / 2 + _PORT * (number - (len(arcs[word]) - 1) / 2)
            ends[word, head, dependent] = line, place
    return ends


def _parts(
    begin: Tuple[int, float], finish: Tuple[int, float], label: str, layout: Layout
) -> List[LinePart]:
    """The parts between two places. All with room have the label, or else the longest."""
    (first, start), (last, end) = begin, finish
    step, leaves, arrives = 1, layout.right, layout.left
    if first > last:
        step, leaves, arrives = -1, arrives, leaves
    parts = [
        LinePart(line, start if line == first else arrives, end if line == last else leaves)
        for line in range(first, last + step, step)
    ]
    longest = max(parts, key=lambda part: abs(part.end - part.start))
    half = text_width(label, LABEL_SIZE) / 2
    for part in [part for part in parts if part.has_room(label)] or [longest]:
        middle = min((part.start + part.end) / 2, layout.right - half)
        part.label, part.middle_of_label = label, max(middle, layout.left + half)
    return parts


def _set_levels(placed: Sequence[Placed]) -> None:
    by_line = defaultdict(list)
    for one in placed:
        for part in one.parts:
            by_line[part.line].append(part)
    for parts in by_line.values():
        for part, level in zip(parts, levels([part.extent() for part in parts]), strict=True):
            part.level = level
