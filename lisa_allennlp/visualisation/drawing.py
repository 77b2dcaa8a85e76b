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
from itertools import chain
from typing import (
    Any,
    Dict,
    Iterable,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
)

from lisa_allennlp.data.sentence import UNKNOWN, Frame, RoleSpan, Sentence
from lisa_allennlp.visualisation.arcs import (
    LABEL_SIZE,
    PlacedArc,
    label_interval,
    place_arcs,
    ports_width,
)
from lisa_allennlp.visualisation.columns import Column, place
from lisa_allennlp.visualisation.font import text_width
from lisa_allennlp.visualisation.levels import levels
from lisa_allennlp.visualisation.marks import NOTHING, Marks
from lisa_allennlp.visualisation.printable import printable
from lisa_allennlp.visualisation.theme import role_class

Key = TypeVar("Key")

MARGIN = 14.0
"""The empty border of a picture, in pixels."""

_WORD_SIZE = 15.0
_GAP = 9.0
_PADDING = 6.0
_LEVEL = 19.0
_ROW = 24.0
_BAR = 19.0
_CORNER = 7.0


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


def word_columns(*sentences: Sentence) -> List[Column]:
    """Columns of the words that suit several readings of a sentence."""
    widths = [max(needed) for needed in zip(*map(_widths, sentences), strict=True)]
    distances = _largest(chain.from_iterable(map(_distances, sentences)))
    spans = _largest(chain.from_iterable(map(_span_widths, sentences)))
    columns = place(widths, _GAP, distances, spans)
    arcs = chain.from_iterable(_arcs(sentence, columns) for sentence in sentences)
    # The label of a root may begin before the first word.
    left_of_words = min((label_interval(arc)[0] for arc in arcs), default=0)
    margin = MARGIN - min(0, left_of_words)
    return [(left + margin, right + margin) for left, right in columns]


def draw(
    sentence: Sentence, columns: Optional[Sequence[Column]] = None, marks: Marks = NOTHING
) -> Drawing:
    """
    # Parameters

    sentence : `Sentence`
        What it lacks is left out.
    columns : `Sequence[Column]`, optional (default = `word_columns(sentence)`)
        The columns of the words.
    marks : `Marks`, optional
        What is marked as different.
    """
    columns = word_columns(sentence) if columns is None else columns
    arcs = _arcs(sentence, columns)
    y = 0.8 * MARGIN + _LEVEL * max((arc.level for arc in arcs), default=0)
    parts = [_arc(sentence, arc, y, marks) for arc in arcs]
    parts += [_word(sentence, token, column, y, marks) for token, column in enumerate(columns)]
    y += 24
    for name, tags, shown in (
        ("POS", sentence.pos, marks.tags),
        ("supertag", sentence.supertags, marks.supertags),
    ):
        if tags is not None:
            y += 14
            labels = _with_probabilities(sentence, name, tags)
            parts += [
                _text(centre, y - 2, "tag" + " different" * (token in shown), label)
                for token, (label, centre) in enumerate(zip(labels, _centres(columns), strict=True))
            ]
    y += 8
    for frame in sentence.frames or []:
        rows = 0
        for bar in _bars(frame):
            parts.append(_bar(frame, bar, columns, y + _ROW * bar.row, marks))
            rows = max(rows, bar.row + 1)
        y += _ROW * rows
    rights = [right for _, right in columns[-1:]] + [label_interval(arc)[1] for arc in arcs]
    return Drawing("".join(parts), max(rights, default=MARGIN) + MARGIN, y + MARGIN / 2)


class _Bar(NamedTuple):
    """A role span, or the predicate if it is in no span `V`."""

    span: RoleSpan
    label: str
    row: int


def _bars(frame: Frame) -> List[_Bar]:
    spans = list(frame.roles)
    own = frame.predicate
    if not any(span.role == "V" and span.first <= own <= span.last for span in spans):
        spans.append(RoleSpan("V", own, own, frame.verb))
    # Half a word less, so that neighbours are in the same row.
    intervals = [(span.first, span.last + 0.5) for span in spans]
    rows = levels(intervals, range(len(spans)))
    return [
        _Bar(span, _bar_label(frame, span), row - 1) for span, row in zip(spans, rows, strict=True)
    ]


def _bar_label(frame: Frame, span: RoleSpan) -> str:
    """The role, or the sense of the predicate, with the probability."""
    is_predicate = span.role == "V" and span.first <= frame.predicate <= span.last
    probability = frame.probability if is_predicate else span.probability
    name = frame.sense if is_predicate and frame.sense != UNKNOWN else span.role
    return printable(name) + _decimals(probability)


def _decimals(probability: Optional[float]) -> str:
    """Two decimals, without the zero before the point, which would widen all columns."""
    if probability is None:
        return ""
    return " 1" if probability >= 0.995 else f" {probability:.2f}".replace("0.", ".", 1)


def _with_probabilities(sentence: Sentence, name: str, tags: Sequence[str]) -> List[str]:
    known = sentence.pos_probabilities if name == "POS" else None
    probabilities: Sequence[Any] = known or [None] * len(tags)
    return [printable(tag) + _decimals(p) for tag, p in zip(tags, probabilities, strict=True)]


def _relations(sentence: Sentence) -> List[str]:
    return [printable(arc.head_tag) + _decimals(arc.probability) for arc in sentence.arcs or ()]


def _widths(sentence: Sentence) -> List[float]:
    """What each word needs with its tags, its arcs and, for predicates, its frame."""
    predicates = {*(sentence.predicates or ())}
    needed = [
        text_width(printable(word), _WORD_SIZE, bold=token in predicates)
        + 2 * _PADDING * (token in predicates)
        for token, word in enumerate(sentence.words)
    ]
    rows: List[Sequence[float]] = [needed]
    for name, tags in (("POS", sentence.pos), ("supertag", sentence.supertags)):
        if tags is not None:
            labels = _with_probabilities(sentence, name, tags)
            rows.append([text_width(label, LABEL_SIZE, bold=True) for label in labels])
    if sentence.heads is not None:
        rows.append(ports_width(sentence.heads))
    return [max(widths) for widths in zip(*rows, strict=True)]


def _distances(sentence: Sentence) -> Iterator[Tuple[int, float]]:
    """How far neighbours must be apart for the label of the arc between them."""
    for arc, label in zip(sentence.arcs or (), _relations(sentence), strict=True):
        if arc.head and abs(arc.head - arc.dependent) == 1:
            yield max(arc.head, arc.dependent) - 1, text_width(label, LABEL_SIZE) + 2 * _PADDING


def _span_widths(sentence: Sentence) -> Iterator[Tuple[Tuple[int, int], float]]:
    for frame in sentence.frames or []:
        for bar in _bars(frame):
            width = text_width(bar.label, LABEL_SIZE, bold=bar.span.role == "V") + 2 * _PADDING
            yield (bar.span.first, bar.span.last), width


def _largest(items: Iterable[Tuple[Key, float]]) -> Dict[Key, float]:
    """The largest value of each key."""
    largest: Dict[Key, float] = {}
    for key, value in items:
        largest[key] = max(value, largest.get(key, value))
    return largest


def _centres(columns: Sequence[Column]) -> List[float]:
    return [(left + right) / 2 for left, right in columns]


def _arcs(sentence: Sentence, columns: Sequence[Column]) -> List[PlacedArc]:
    if sentence.heads is None:
        return []
    return place_arcs(sentence.heads, _relations(sentence), columns)


def _arc(sentence: Sentence, arc: PlacedArc, bottom: float, marks: Marks) -> str:
    token = arc.dependent - 1
    # The mark of a root is longer, as its arrow is below its label.
    top = bottom - _LEVEL * (arc.level if arc.head == 0 else arc.level - 0.5)
    end = number(arc.end)
    if arc.head == 0:
        path = f"M{end} {number(top + 6)}V{number(bottom)}"
    else:
        turn = _CORNER if arc.end > arc.start else -_CORNER
        turn = min(abs(turn), abs(arc.end - arc.start) / 2) * (1 if turn > 0 else -1)
        path = (
            f"M{number(arc.start)} {number(bottom)}V{number(top + _CORNER)}"
            f"q0-{number(_CORNER)} {number(turn)}-{number(_CORNER)}"
            f"H{number(arc.end - turn)}q{number(turn)} 0 {number(turn)} {number(_CORNER)}"
            f"V{number(bottom)}"
        )
    # An open arrow head.
    path += "m-3-5 3 5 3-5"
    is_marked = token in marks.heads or token in marks.relations
    # The label interrupts the line if it is long enough, and is above it otherwise.
    fits = text_width(arc.head_tag, LABEL_SIZE) + 2 * _CORNER < abs(arc.end - arc.start)
    label_y = top + 3.5 if fits or arc.head == 0 else top - 3
    head = "" if arc.head == 0 else f"{escape(sentence.words[arc.head - 1])} → "
    return (
        f'<g class="dependency{" different" * is_marked}" data-dependent="{arc.dependent}" '
        f'data-head="{arc.head}"><title>{head}{escape(sentence.words[token])}</title>'
        f'<path class="arc" d="{path}"{_opacity(sentence, token)}/>'
        f"{_text((arc.start + arc.end) / 2, label_y, 'relation', arc.head_tag)}</g>"
    )


def _opacity(sentence: Sentence, token: int) -> str:
    if sentence.head_probabilities is None:
        return ""
    return f' stroke-opacity="{0.3 + 0.7 * sentence.head_probabilities[token]:.2f}"'


def _word(sentence: Sentence, token: int, column: Column, top: float, marks: Marks) -> str:
    word = sentence.words[token]
    is_predicate = token in (sentence.predicates or ())
    different = " different" * (token in marks.predicates)
    text = _text(sum(column) / 2, top + 19, "word" + " predicate" * is_predicate + different, word)
    if not is_predicate:
        return text
    width = text_width(printable(word), _WORD_SIZE, bold=True) + 2 * _PADDING
    chip = _rect(sum(column) / 2 - width / 2, top + 3, width, 22, "panel")
    return chip + text


def _bar(frame: Frame, bar: _Bar, columns: Sequence[Column], top: float, marks: Marks) -> str:
    span = bar.span
    left, right = columns[span.first][0], columns[span.last][1]
    different = (frame.predicate, span.role, span.first, span.last) in marks.spans or (
        span.role == "V" and frame.predicate in marks.predicates | marks.senses
    )
    kinds = {"R-": " reference", "C-": " continuation"}
    classes = f"span {role_class(span.role)}{kinds.get(span.role[:2], '')}"
    opacity = ""
    if span.probability is not None and span.role != "V":
        opacity = f' fill-opacity="{0.3 + 0.7 * span.probability:.2f}"'
    return (
        f'<g class="{classes}{" different" * different}" data-predicate="{frame.predicate}" '
        f'data-role="{escape(span.role)}" data-first="{span.first}" data-last="{span.last}">'
        f"<title>{_tooltip(frame, span)}</title>"
        f"{_rect(left, top, right - left, _BAR, '', opacity)}"
        f"{_text((left + right) / 2, top + 13.5, 'role', bar.label)}</g>"
    )


def _tooltip(frame: Frame, span: RoleSpan) -> str:
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
