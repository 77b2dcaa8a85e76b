"""Figures: the pictures of one sentence, or of two readings of it, with their texts."""

import textwrap
from dataclasses import replace
from typing import Any, Container, NamedTuple, Optional, Sequence

from lisa_allennlp.apps.show.comparison import Pictured, described, differences
from lisa_allennlp.apps.show.layout import MARGIN, lay_out
from lisa_allennlp.apps.show.svg import Drawing, below, draw, svg, text
from lisa_allennlp.apps.show.texts import describe, printable, text_width, typed
from lisa_allennlp.sentence.sentence import Parse, Sentence
from lisa_allennlp.text.tokens import is_punctuation

NO_DIFFERENCES = "no differences"


class Figure(NamedTuple):
    """`note` says what differs; `label` is the text alternative of the drawing."""

    text: str
    note: str
    drawing: Drawing
    label: str


def make_figure(pictured: Pictured, width: Optional[float] = None) -> Figure:
    """
    Draws one reading or two, below each other with the same lines and columns. Sentences wider than
    `width` pixels are broken. Raises a `ConfigurationError` if the words differ.
    """
    sentence, other, names = pictured.sentence.as_typed(), pictured.other, pictured.names
    if other is None:
        note, label = "", describe(sentence)
        drawings = [draw(sentence, lay_out(sentence, width=width))]
    else:
        other = other.as_typed()
        marks = differences(sentence, other), differences(other, sentence)
        note = described(*marks) or NO_DIFFERENCES
        label = f"{names[0]} and {names[1]}: {note}."
        layout = lay_out(sentence, other, width=width)
        drawings = []
        for reading, mark, name in zip((sentence, other), marks, names, strict=True):
            drawings += [_title(name, width), draw(reading, layout, mark)]
            label += f" {name}: {describe(reading)}"
    return Figure(typed(sentence), note, below(drawings), label)


def figures_svg(figures: Sequence[Figure], theme: Optional[str] = "auto") -> str:
    label = " ".join(figure.label for figure in figures)
    return svg(below([figure.drawing for figure in figures]), label, theme)


def without(sentence: Sentence, parts: Container[str]) -> Sentence:
    """Drops `tags`, or words that are `punctuation`, whose dependents go to the head above."""
    sentence = sentence.as_typed()
    if "tags" in parts:
        sentence = replace(sentence, pos=None, pos_probabilities=None, supertags=None)
    if "punctuation" not in parts:
        return sentence
    parse, marks = sentence.parse, list(map(is_punctuation, sentence.words))
    if parse is not None:
        # There, a percent sign is none.
        marks = [tag in ("punct", "p", "P") for tag in parse.head_tags]
    kept = [t for t, mark in enumerate(marks) if not mark or t in (sentence.predicates or ())]
    places = {token: place for place, token in enumerate(kept)}

    def only(column: Optional[Sequence[Any]]) -> Any:
        return column and [column[token] for token in kept]

    if parse is not None:
        heads, up = list(parse.head_indices), parse.without_cycles.head_indices
        for token in kept:
            while heads[token] not in places:
                head = heads[token]
                heads[token] = token if up[head] == head else up[head]
        parse = Parse([places[heads[token]] for token in kept], only(parse.head_tags))
    frames = sentence.frames and [
        # A span of punctuation alone is gone, with its probability.
        replace(
            f,
            predicate=places[f.predicate],
            tags=only(f.tags),
            span_probabilities=f.span_probabilities
            and [s.probability or 0 for s in f.roles if places.keys() & range(s.first, s.last + 1)],
        )
        for f in sentence.frames
    ]
    columns = ("words", "pos", "supertags", "pos_probabilities", "head_probabilities", "offsets")
    fields = {name: only(getattr(sentence, name)) for name in columns}
    return replace(sentence, parse=parse, frames=frames, predicate_probabilities=None, **fields)


def _title(title: str, width: Optional[float]) -> Drawing:
    used = text_width(printable(title), 12, bold=True) + 2 * MARGIN
    most = used if width is None else min(used, width)
    lines = textwrap.wrap(printable(title), max(1, int(len(title) * most / used)))
    markup = (text(MARGIN, 24 * row - 6, "name", line) for row, line in enumerate(lines, 1))
    return Drawing("".join(markup), most, 24 * len(lines))
