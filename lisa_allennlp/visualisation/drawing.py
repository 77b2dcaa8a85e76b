"""
The parts of a sentence's picture as SVG: arcs above the words, tags and a row of role spans for
each predicate below them.

    >>> from lisa_allennlp.data.sentence import Frame, Parse
    >>> parse = Parse([1, 1], ["nsubj", "root"])
    >>> drawing = draw(Sentence(["<b>", "left"], frames=[Frame(1, ["B-ARG0", "B-V"])], parse=parse))
    >>> "&lt;b&gt;" in drawing.markup, drawing.width < 150, drawing.height < 150
    (True, True, True)
"""

import html
from typing import List, NamedTuple, Optional, Sequence, Tuple

from lisa_allennlp.data.sentence import Frame, Sentence
from lisa_allennlp.visualisation.arcs import CORNER, LABEL_SIZE, ArcPart, PlacedArc, has_room
from lisa_allennlp.visualisation.bars import Bar, BarPart, bar_parts, bars_of
from lisa_allennlp.visualisation.columns import Column
from lisa_allennlp.visualisation.font import text_width
from lisa_allennlp.visualisation.labels import tag_labels
from lisa_allennlp.visualisation.layout import MARGIN, PADDING, WORD_SIZE, Layout, lay_out
from lisa_allennlp.visualisation.lines import Line
from lisa_allennlp.visualisation.marks import NOTHING, Marks
from lisa_allennlp.visualisation.printable import printable
from lisa_allennlp.visualisation.theme import role_class

_LEVEL = 19.0
_WORD = 24.0
_TAG = 14.0
_ROW = 24.0
_BAR = 19.0
_ROUND = 4
_BETWEEN = 10.0
"""Between two lines."""


class Drawing(NamedTuple):
    """
    # Parameters

    markup : `str`
        SVG elements, without the element `svg`. All texts of the sentence are escaped.
    width, height : `float`
        In pixels.
    """

    markup: str
    width: float
    height: float


def escape(text: str) -> str:
    """A text of the input as text or attribute of XML and HTML."""
    return html.escape(printable(text))


def number(value: float) -> str:
    """A coordinate, as short as possible."""
    return f"{value:.1f}".removesuffix(".0")


def draw(
    sentence: Sentence,
    layout: Optional[Layout] = None,
    marks: Marks = NOTHING,
) -> Drawing:
    """
    # Parameters

    sentence : `Sentence`
        What it lacks is left out.
    layout : `Layout`, optional (default = `lay_out(sentence)`)
        Where its words are.
    marks : `Marks`, optional
        What is marked as different.
    """
    layout = lay_out(sentence) if layout is None else layout
    arcs = layout.arcs(sentence)
    tags = tag_labels(sentence)
    frames = [(frame, bars_of(frame)) for frame in sentence.frames or []]
    # By frame and bar, the shapes on all lines.
    bars: List[List[List[str]]] = [[[] for _ in own] for _, own in frames]
    highest = _highest(arcs, len(layout.lines))
    bottoms, tokens, y = [], [], 0.0
    for line, level in zip(layout.lines, highest, strict=True):
        y += 0.8 * MARGIN + _LEVEL * level + _BETWEEN * (line.first > 0)
        bottoms.append(y)
        for token, column in enumerate(line.columns, start=line.first):
            tokens.append(_token(sentence, token, column, y, tags, marks))
        y += _WORD + _TAG * len(tags) + 8
        for (frame, own), shapes in zip(frames, bars, strict=True):
            parts = bar_parts(own, line)
            for part in parts:
                top = y + _ROW * part.row
                shapes[part.bar].append(_bar_part(frame, own[part.bar], part, line, layout, top))
            y += _ROW * max((part.row + 1 for part in parts), default=0)
    # Low arcs come last, so that their labels are in front of the lines of higher ones.
    from_top = sorted(arcs, key=lambda arc: -max(part.level for part in arc.parts))
    markup = [
        *(_arc(sentence, arc, bottoms, marks) for arc in from_top),
        *tokens,
        *(
            _bar(frame, bar, shapes, marks)
            for (frame, own), found in zip(frames, bars, strict=True)
            for bar, shapes in zip(own, found, strict=True)
        ),
    ]
    return Drawing("".join(markup), layout.width(arcs), y + MARGIN / 2)


def _highest(arcs: Sequence[PlacedArc], lines: int) -> List[int]:
    """The highest level of each line."""
    highest = [0] * lines
    for arc in arcs:
        for part in arc.parts:
            highest[part.line] = max(highest[part.line], part.level)
    return highest


def _arc(sentence: Sentence, arc: PlacedArc, bottoms: Sequence[float], marks: Marks) -> str:
    token = arc.dependent - 1
    paths, labels = [], []
    for number_, part in enumerate(arc.parts):
        bottom = bottoms[part.line]
        # The mark of a root is longer, as its arrow is below its label.
        top = bottom - _LEVEL * (part.level if arc.head == 0 else part.level - 0.5)
        if arc.head == 0:
            paths.append(f"M{number(part.end)} {number(top + 6)}V{number(bottom)}{_ARROW}")
        else:
            is_last = number_ == len(arc.parts) - 1
            paths.append(_path(part, top, bottom, number_ == 0, is_last))
        if part.label is not None:
            # The label interrupts the line if it is long enough, and is above it otherwise.
            inside = has_room(part, arc.head_tag) or arc.head == 0
            label_y = top + 3.5 if inside else top - 5
            labels.append(_text(part.label, label_y, "relation", arc.head_tag))
    is_marked = token in marks.heads or token in marks.relations
    head = "" if arc.head == 0 else f"{escape(sentence.words[arc.head - 1])} → "
    label = f": {escape(arc.head_tag)}" if len(arc.parts) > 1 else ""
    return (
        f'<g class="dependency{" different" * is_marked}" data-dependent="{arc.dependent}" '
        f'data-head="{arc.head}"><title>{head}{escape(sentence.words[token])}{label}</title>'
        f'<path class="arc" d="{"".join(paths)}"{_opacity(sentence, token)}/>'
        f"{''.join(labels)}</g>"
    )


# Open, and relative to the point.
_ARROW = "m-3-5 3 5 3-5"


def _path(part: ArcPart, top: float, bottom: float, from_head: bool, to_dependent: bool) -> str:
    """A part of an arc. It is horizontal where it goes to another line."""
    turn = min(CORNER, abs(part.end - part.start) / 2) * (1 if part.end > part.start else -1)
    if from_head:
        begin = (
            f"M{number(part.start)} {number(bottom)}V{number(top + CORNER)}"
            f"q0-{number(CORNER)} {number(turn)}-{number(CORNER)}"
        )
    else:
        begin = f"M{number(part.start)} {number(top)}"
    if not to_dependent:
        return f"{begin}H{number(part.end)}"
    return (
        f"{begin}H{number(part.end - turn)}q{number(turn)} 0 {number(turn)} {number(CORNER)}"
        f"V{number(bottom)}{_ARROW}"
    )


def _opacity(sentence: Sentence, token: int) -> str:
    if sentence.head_probabilities is None:
        return ""
    return f' stroke-opacity="{0.3 + 0.7 * sentence.head_probabilities[token]:.2f}"'


def _token(
    sentence: Sentence,
    token: int,
    column: Column,
    top: float,
    tags: Sequence[Tuple[str, Sequence[str]]],
    marks: Marks,
) -> str:
    """A word with its tags."""
    word = sentence.words[token]
    centre = sum(column) / 2
    parts = [f'<g class="token" data-token="{token}">']
    is_predicate = token in (sentence.predicates or ())
    if is_predicate:
        width = text_width(printable(word), WORD_SIZE, bold=True) + 2 * PADDING
        parts.append(_rect(centre - width / 2, top + 3, width, 22, "panel"))
    different = " different" * (token in marks.predicates)
    parts.append(_text(centre, top + 19, "word" + " predicate" * is_predicate + different, word))
    for row, (name, labels) in enumerate(tags, start=1):
        different = " different" * (token in getattr(marks, name))
        parts.append(_text(centre, top + _WORD + _TAG * row - 2, "tag" + different, labels[token]))
    return "".join([*parts, "</g>"])


def _bar(frame: Frame, bar: Bar, shapes: Sequence[str], marks: Marks) -> str:
    span = bar.span
    different = (frame.predicate, span.role, span.first, span.last) in marks.spans or (
        span.role == "V" and frame.predicate in marks.predicates | marks.senses
    )
    kinds = {"R-": " reference", "C-": " continuation"}
    classes = f"span {role_class(span.role)}{kinds.get(span.role[:2], '')}"
    return (
        f'<g class="{classes}{" different" * different}" data-predicate="{frame.predicate}" '
        f'data-role="{escape(span.role)}" data-first="{span.first}" data-last="{span.last}">'
        f"<title>{_tooltip(frame, bar)}</title>{''.join(shapes)}</g>"
    )


def _bar_part(frame: Frame, bar: Bar, part: BarPart, line: Line, layout: Layout, top: float) -> str:
    span = bar.span
    is_begin, is_end = part.first == span.first, part.last == span.last
    left = line.columns[part.first - line.first][0] if is_begin else layout.left
    right = line.columns[part.last - line.first][1] if is_end else layout.right
    opacity = ""
    if span.probability is not None and span.role != "V":
        opacity = f' fill-opacity="{0.3 + 0.7 * span.probability:.2f}"'
    if is_begin and is_end:
        shape = _rect(left, top, right - left, _BAR, "", opacity)
    else:
        if not (is_begin or is_end):
            # Lines above and below, but not at the sides.
            opacity += f' stroke-dasharray="{number(right - left)} {number(_BAR)}"'
        shape = f'<path d="{_open_bar(left, right, top, is_begin, is_end)}"{opacity}/>'
    label = bar.label
    if not line.first <= frame.predicate < line.end:
        longer = f"{label} of {printable(frame.name)}"
        if text_width(longer, LABEL_SIZE) + 2 * PADDING <= right - left:
            label = longer
    return shape + _text((left + right) / 2, top + 13.5, "role", label)


def _open_bar(left: float, right: float, top: float, is_begin: bool, is_end: bool) -> str:
    """The outline of a bar without the sides where it goes to another line."""
    begin, end, straight = number(left), number(right), number(_BAR - 2 * _ROUND)
    if is_begin:
        corners = f"q-{_ROUND} 0-{_ROUND} {_ROUND}v{straight}q0 {_ROUND} {_ROUND} {_ROUND}"
        return f"M{end} {number(top)}H{number(left + _ROUND)}{corners}H{end}"
    if is_end:
        corners = f"q{_ROUND} 0 {_ROUND} {_ROUND}v{straight}q0 {_ROUND}-{_ROUND} {_ROUND}"
        return f"M{begin} {number(top)}H{number(right - _ROUND)}{corners}H{begin}"
    return f"M{begin} {number(top)}H{end}v{number(_BAR)}H{begin}"


def _tooltip(frame: Frame, bar: Bar) -> str:
    span = bar.span
    gloss = frame.gloss if span.role == "V" else span.gloss
    of = f" of {frame.name}" if span.role != "V" else ""
    meaning = f" ({gloss})" if gloss else ""
    return escape(f"{span.role}{of}{meaning}: {' '.join(frame.words[span.first : span.last + 1])}")


def _text(x: float, y: float, classes: str, text: str) -> str:
    return f'<text class="{classes}" x="{number(x)}" y="{number(y)}">{escape(text)}</text>'


def _rect(x: float, y: float, width: float, height: float, classes: str, more: str = "") -> str:
    named = f' class="{classes}"' if classes else ""
    return (
        f'<rect{named} x="{number(x)}" y="{number(y)}" width="{number(width)}" '
        f'height="{number(height)}" rx="4"{more}/>'
    )
