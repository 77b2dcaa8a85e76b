"""Figures: the pictures of one sentence, or of two readings of it, with their texts."""

import textwrap
from typing import NamedTuple, Optional, Sequence

from lisa_allennlp.visualisation.comparison import Pictured, described, differences
from lisa_allennlp.visualisation.layout import MARGIN, lay_out
from lisa_allennlp.visualisation.svg import Drawing, below, draw, svg, text
from lisa_allennlp.visualisation.texts import describe, printable, text_width, typed

NO_DIFFERENCES = "no differences"


class Figure(NamedTuple):
    """The words of a sentence, a note on what differs, a drawing, and its text alternative."""

    text: str
    note: str
    drawing: Drawing
    label: str


def make_figure(pictured: Pictured, width: Optional[float] = None) -> Figure:
    """
    Draws one reading or two, below each other and with the same lines and columns. Sentences that
    are wider than `width` pixels are broken into lines. Raises a `ConfigurationError` if the words
    of the readings differ.
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
    """Figures below each other, as one SVG; `theme` as in `sentence_svg`."""
    label = " ".join(figure.label for figure in figures)
    return svg(below([figure.drawing for figure in figures]), label, theme)


def _title(title: str, width: Optional[float]) -> Drawing:
    """A title, such as the path of a file, on several lines if the picture is narrow."""
    used = text_width(printable(title), 12, bold=True) + 2 * MARGIN
    most = used if width is None else min(used, width)
    lines = textwrap.wrap(printable(title), max(1, int(len(title) * most / used)))
    markup = (text(MARGIN, 24 * row - 6, "name", line) for row, line in enumerate(lines, 1))
    return Drawing("".join(markup), most, 24 * len(lines))
