"""Pictures of sentences as SVG: arcs above the words, tags and rows of role spans below."""

import html
from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from lisa_allennlp.apps.show.comparison import NOTHING, Marks
from lisa_allennlp.apps.show.explanations import explain_arc, explain_span, explain_token
from lisa_allennlp.apps.show.layout import (
    CORNER,
    LABEL_SIZE,
    MARGIN,
    PADDING,
    WORD_SIZE,
    Layout,
    LinePart,
    Placed,
    lay_out,
    place_arcs,
    place_spans,
)
from lisa_allennlp.apps.show.texts import (
    describe,
    printable,
    shortened,
    tag_labels,
    text_width,
    typed,
)
from lisa_allennlp.apps.show.theme import role_class, stylesheet
from lisa_allennlp.sentence.sentence import Frame, RoleSpan, Sentence

NAMESPACE = "http://www.w3.org/2000/svg"
"""The XML namespace of SVG, which is only a name: nothing is fetched."""

# Heights, in pixels.
_LEVEL, _WORD, _TAG, _ROW, _BAR, _BETWEEN = 17.5, 24.0, 14.0, 23.0, 19.0, 8.0

# The least height of a level, where words keep their places.
_LEAST_LEVEL = 15.0

# How far an arc is below its level that is too short for its label.
_LOWER = 2.5

# Open, and relative to the point.
_ARROW = "m-3-5 3 5 3-5"


class Drawing(NamedTuple):
    """SVG elements without `svg`, all texts escaped, and their size in pixels."""

    markup: str
    width: float
    height: float


def sentence_svg(
    sentence: Sentence, theme: Optional[str] = "auto", width: Optional[float] = None
) -> str:
    """
    Draws a sentence as an element `svg`, also a file of its own. The theme is one of `THEMES`, or
    `None` for a page with the stylesheet. A sentence wider than `width` pixels is broken.
    """
    sentence = sentence.as_typed()
    return svg(draw(sentence, lay_out(sentence, width=width)), describe(sentence), theme)


def svg(drawing: Drawing, label: str, theme: Optional[str]) -> str:
    width, height = number(drawing.width), number(drawing.height)
    style = "" if theme is None else f"<style>{stylesheet(theme)}</style>"
    return (
        f'<svg xmlns="{NAMESPACE}" class="lisa" role="img" aria-label="{escape(label)}" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}">{style}'
        f'<rect class="background" width="100%" height="100%"/>{drawing.markup}</svg>'
    )


def below(drawings: Sequence[Drawing]) -> Drawing:
    parts: List[str] = []
    top = 0.0
    for drawing in drawings:
        moved = f'<g transform="translate(0 {number(top)})">{drawing.markup}</g>'
        parts.append(moved if top else drawing.markup)
        top += drawing.height
    return Drawing("".join(parts), max((drawing.width for drawing in drawings), default=0), top)


def escape(text: str) -> str:
    return html.escape(printable(text))


def number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def text(x: float, y: float, classes: str, content: str) -> str:
    shown = html.escape(content)
    return f'<text class="{classes}" x="{number(x)}" y="{number(y)}">{shown}</text>'


def draw(
    sentence: Sentence, layout: Layout, marks: Marks = NOTHING, before: Optional[Sentence] = None
) -> Drawing:
    """
    Draws a sentence whose words are placed; `marks` are shown as different. Lost arcs and spans of
    `before`, the reading before an edit, are ghosts. Words have the same columns in the pictures of
    all edits, and lines the same height unless one needs two more levels, or a line above more
    rows.
    """
    kept = {(arc.head, arc.dependent) for arc in sentence.arcs or ()}
    reserved = [] if before is None else place_arcs(before, layout)
    ghosts = [arc.item for arc in reserved if (arc.item.head, arc.item.dependent) not in kept]
    arcs = place_arcs(sentence, layout, ghosts)
    frames = [(frame, place_spans(frame, layout)) for frame in sentence.frames or []]
    earlier = {f.predicate: (f, place_spans(f, layout)) for f in (before and before.frames) or []}
    known = {frame.predicate for frame, _ in frames}
    frames += [(frame, []) for frame, _ in earlier.values() if frame.predicate not in known]
    frames.sort(key=lambda pair: pair[0].predicate)
    layers = tag_labels(sentence)
    # Of each line, the height of its words; of each frame and line, the height of its first row.
    bottoms: List[float] = []
    levels: List[float] = []
    tops: Dict[int, List[float]] = {frame.predicate: [] for frame, _ in frames}
    boxes: List[Tuple[int, float, float]] = []
    y = 0.0
    last = max((line for line, _, _ in layout.words), default=0)
    for line in range(last + 1):
        needed = _highest(arcs, line)
        room = _LEVEL * needed
        if before is not None:
            kept_levels = _highest(reserved, line)
            room = max(_LEVEL * kept_levels, _LEAST_LEVEL * (kept_levels + 1))
        levels.append(min(_LEVEL, max(_LEAST_LEVEL, room / max(needed, 1))))
        above = max(levels[-1] * needed, room)
        y += 0.8 * MARGIN + above + _BETWEEN * (line > 0)
        bottoms.append(y)
        y += _WORD + _TAG * len(layers) + 8
        for frame, spans in frames:
            tops[frame.predicate].append(y)
            rows = earlier.get(frame.predicate, (frame, []))[1]
            height = _ROW * max(_highest(spans, line), _highest(rows, line))
            boxes.append((frame.predicate, y, height))
            y += height
    # Low arcs come last, so that their labels are in front of the lines of higher ones.
    arcs.sort(key=lambda arc: -max(part.level for part in arc.parts))
    # Behind the spans of each frame is where a pointer makes new ones.
    markup = [
        f'<rect class="row" {_box(0, top, layout.right, height)} fill="none" '
        f'data-predicate="{predicate}"/>'
        for predicate, top, height in boxes
        if before is not None and height
    ]
    markup += [
        _arc(sentence, arc, bottoms, levels, marks, arc.item in ghosts)
        for arc in sorted(arcs, key=lambda arc: arc.item not in ghosts)
    ]
    for token, (line, left, right) in enumerate(layout.words):
        tags = [(name, labels[token]) for name, labels in layers]
        markup += _token(sentence, token, (left, right), bottoms[line], tags, marks)
    for frame, spans in frames:
        heights = tops[frame.predicate]
        present = {_place_of(span.item) for span in spans}
        for span in earlier.get(frame.predicate, (frame, []))[1]:
            if _place_of(span.item) not in present:
                markup.append(_ghost(frame, span, heights, spans))
        markup += [_span(frame, span, heights, marks) for span in spans]
    return Drawing("".join(markup), layout.right + MARGIN / 2, y + MARGIN / 2)


def _highest(placed: Sequence[Placed], line: int) -> int:
    levels = (part.level for one in placed for part in one.parts if part.line == line)
    return max(levels, default=0)


def _place_of(span: RoleSpan) -> Tuple[str, int, int]:
    return span.role, span.first, span.last


def _token(
    sentence: Sentence,
    token: int,
    place: Tuple[float, float],
    y: float,
    tags: List[Tuple[str, str]],
    marks: Marks,
) -> Iterator[str]:
    # A picture of a given width has no room for some words.
    word = shortened(printable(sentence.words[token]), WORD_SIZE, place[1] - place[0] + 0.1)
    classes, x = "word", sum(place) / 2
    title = escape(explain_token(sentence, token))
    yield f'<g class="token" data-token="{token}">{f"<title>{title}</title>" * bool(title)}'
    if token in (sentence.predicates or ()):
        classes += " predicate"
        # A word that has become a predicate keeps its place, which had no room for the box.
        room = place[1] - place[0] + PADDING
        width = min(text_width(word, WORD_SIZE, bold=True) + 2 * PADDING, room)
        yield f'<rect class="panel" {_box(x - width / 2, y + 3, width, 22)} rx="4"/>'
    yield text(x, y + 19, classes + " different" * (token in marks["predicates"]), word)
    for row, (name, tag) in enumerate(tags, start=1):
        different = " different" * (token in marks[name])
        yield text(x, y + _WORD + _TAG * row - 2, "tag" + different, tag)
    yield "</g>"


def _arc(
    sentence: Sentence,
    placed: Placed,
    bottoms: Sequence[float],
    levels: Sequence[float],
    marks: Marks,
    is_ghost: bool,
) -> str:
    arc, label, parts = placed
    path, above, inside = "", "", ""
    for part in parts:
        bottom = bottoms[part.line]
        # The mark of a root is longer, as its arrow is below its label.
        level = part.level if arc.head == 0 else part.level - 0.5
        top = bottom - levels[part.line] * level
        # The label interrupts the line if it is long enough, and is above it otherwise.
        is_above = bool(part.label) and arc.head != 0 and not part.has_room(label)
        # There, it is far enough from the foot of a label of the next level.
        top += _LOWER * is_above
        if arc.head == 0:
            path += f"M{number(part.end)} {number(top + 6)}V{number(bottom)}{_ARROW}"
        else:
            path += _path(part, top, bottom, part is parts[0], part is parts[-1])
        if is_above:
            lower = 13.5 - levels[part.line]
            above += text(part.middle_of_label, top + lower, "relation", label)
        elif part.label:
            inside += text(part.middle_of_label, top + 3.5, "relation", label)
    different = " different" * (arc.dependent - 1 in marks["heads"] | marks["relations"])
    title = html.escape(explain_arc(sentence, arc))
    classes = "ghost" if is_ghost else f"dependency{different}"
    return (
        f'<g class="{classes}" data-dependent="{arc.dependent}" '
        f'data-head="{arc.head}"><title>{title}</title>'
        f'{above}<path class="arc" d="{path}"/>{inside}</g>'
    )


def _path(part: LinePart, top: float, bottom: float, from_head: bool, to_dependent: bool) -> str:
    start, end = number(part.start), number(part.end)
    turn = min(CORNER, abs(part.end - part.start) / 2) * (1 if part.end > part.start else -1)
    high = min(CORNER, bottom - top)
    corner, curve = number(high), number(turn)
    path = f"M{start} {number(top)}"
    if from_head:
        path = f"M{start} {number(bottom)}V{number(top + high)}q0-{corner} {curve}-{corner}"
    if not to_dependent:
        return f"{path}H{end}"
    before = number(part.end - turn)
    return f"{path}H{before}q{curve} 0 {curve} {corner}V{number(bottom)}{_ARROW}"


def _span(frame: Frame, placed: Placed, tops: Sequence[float], marks: Marks) -> str:
    span, _, parts = placed
    is_verb = span.role == "V"
    shapes = opacity = ""
    if span.probability is not None and not is_verb:
        opacity = f' fill-opacity="{0.3 + 0.7 * span.probability:.2f}"'
    for part in parts:
        y, width = tops[part.line] + _ROW * (part.level - 1), part.end - part.start
        shape = ' rx="4"'
        if len(parts) > 1:
            # A side where the span goes to another line is left open: the outline starts with the
            # upper side and then goes down.
            begin, end = (_BAR * (part is not other) for other in (parts[0], parts[-1]))
            dashes = (width, end, 2 * _BAR - begin - end + width, begin)
            shape = f' stroke-dasharray="{" ".join(map(number, dashes))}"'
        # A label that is wider than its words, which have kept their places, is in the bar too.
        missing = max(0.0, text_width(part.label, LABEL_SIZE, bold=is_verb) + 4 - width)
        if len(parts) > 1:
            missing = 0.0
        box = _box(part.start - missing / 2, y, width + missing, _BAR)
        shapes += f"<rect {box}{shape}{opacity}/>"
        if part.label:
            shapes += text(part.middle_of_label, y + 13.5, "role", part.label)
    kind = {"R-": " reference", "C-": " continuation"}.get(span.role[:2], "")
    different = (frame.predicate, span.role, span.first, span.last) in marks["spans"]
    different |= is_verb and frame.predicate in marks["predicates"] | marks["senses"]
    title = f"{explain_span(frame, span)}: {typed(frame, span.first, span.last)}"
    return (
        f'<g class="span {role_class(span.role)}{kind}{" different" * different}" '
        f'data-predicate="{frame.predicate}" data-role="{escape(span.role)}" '
        f'data-first="{span.first}" data-last="{span.last}">'
        f"<title>{escape(title)}</title>{shapes}</g>"
    )


def _ghost(frame: Frame, placed: Placed, tops: Sequence[float], spans: Sequence[Placed]) -> str:
    span, _, parts = placed
    shapes = ""
    for part in parts:
        bottom = tops[part.line] + _BAR + 2.5
        shapes += (
            f'<path class="arc" d="M{number(part.start)} {number(bottom)}H{number(part.end)}"/>'
        )
        others = [p.extent() for s in spans for p in s.parts if p.line == part.line]
        start, end = part.extent()
        if part.label and not any(first < end and last > start for first, last in others):
            shapes += text(part.middle_of_label, bottom - 8, "role", part.label)
    title = f"before: {span.role} of {frame.name}: {span.text}"
    return (
        f'<g class="ghost" data-predicate="{frame.predicate}" data-role="{escape(span.role)}" '
        f'data-first="{span.first}" data-last="{span.last}">'
        f"<title>{escape(title)}</title>{shapes}</g>"
    )


def _box(x: float, y: float, width: float, height: float) -> str:
    return f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
