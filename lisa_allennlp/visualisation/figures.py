"""
Figures: the pictures of one sentence, or of two readings of it, with their texts.

    >>> from lisa_allennlp.data.sentence import Parse
    >>> words, tree = ["It", "rained"], Parse([1, 1], ["expl", "root"])
    >>> figure = make_figure(Pictured(Sentence(words, parse=tree), Sentence(words, parse=tree)))
    >>> figure.text, figure.note, len(figure.drawings)
    ('It rained', 'no differences', 2)
"""

from typing import List, NamedTuple, Optional, Sequence, Tuple

from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.visualisation.comparison import described, differences
from lisa_allennlp.visualisation.description import describe
from lisa_allennlp.visualisation.drawing import Drawing, draw
from lisa_allennlp.visualisation.heat_map import describe_attention, heat_map
from lisa_allennlp.visualisation.layout import lay_out
from lisa_allennlp.visualisation.printable import printable
from lisa_allennlp.visualisation.svg import below, beside, narrowed, svg, titled

HEAT_MAP_TITLE = "Attention of the syntactic head"
"""The title of heat maps."""

NO_DIFFERENCES = "no differences"
"""The note on two equal readings."""


_WIDEST = 1000


class Pictured(NamedTuple):
    """
    What a figure shows.

    # Parameters

    sentence : `Sentence`
    other : `Sentence`, optional
        Another reading of the same words.
    names : `Tuple[str, str]`
        The names of both readings.
    attention : `bool`
        Whether to show the attention of the syntactic head too.
    """

    sentence: Sentence
    other: Optional[Sentence] = None
    names: Tuple[str, str] = ("first", "second")
    attention: bool = False


class Figure(NamedTuple):
    """
    # Parameters

    text : `str`
        The words.
    note : `str`
        What differs between two readings; empty for one.
    drawings : `List[Drawing]`
        To put below each other.
    label : `str`
        The text alternative.
    """

    text: str
    note: str
    drawings: List[Drawing]
    label: str


def make_figure(pictured: Pictured, width: Optional[float] = None) -> Figure:
    """
    # Parameters

    pictured : `Pictured`
    width : `float`, optional (default = one line for each sentence)
        Of the drawings, in pixels: the words of a sentence that is wider are broken into lines, and
        a heat map that is wider is made smaller.

    # Raises

    `ConfigurationError`
        If the words of the readings differ, or there is no attention.
    """
    sentence, other = pictured.sentence, pictured.other
    if other is None:
        drawing = draw(sentence, lay_out(sentence, width=width))
        figure = Figure("", "", [drawing], describe(sentence))
    else:
        figure = _comparison(sentence, other, pictured.names, width)
    if pictured.attention:
        attention = titled(narrowed(heat_map(sentence, other), width), HEAT_MAP_TITLE, width)
        label = f"{figure.label} {describe_attention(sentence)}"
        figure = figure._replace(drawings=_together(figure.drawings, attention, width), label=label)
    return figure._replace(text=printable(" ".join(sentence.words)))


def figure_svg(figure: Figure, theme: Optional[str] = "auto") -> str:
    """
    # Parameters

    figure : `Figure`
    theme : `str`, optional (default = `"auto"`)
        As for `sentence_svg`.
    """
    return svg(figure.drawings, figure.label, theme)


def figures_svg(figures: Sequence[Figure], theme: Optional[str] = "auto") -> str:
    """The figures below each other, as one SVG."""
    drawings = [drawing for figure in figures for drawing in figure.drawings]
    return svg(drawings, " ".join(figure.label for figure in figures), theme)


def _together(drawings: List[Drawing], attention: Drawing, width: Optional[float]) -> List[Drawing]:
    """The heat map beside the other drawings or, if they are wide, below them."""
    left = below(drawings)
    if left.width + attention.width <= min(_WIDEST, width or _WIDEST):
        return [beside(left, attention)]
    return [*drawings, attention]


def _comparison(
    sentence: Sentence, other: Sentence, names: Tuple[str, str], width: Optional[float]
) -> Figure:
    """Two readings below each other, with the same lines and columns."""
    marks = differences(sentence, other), differences(other, sentence)
    layout = lay_out(sentence, other, width=width)
    note = described(max(marks, key=lambda mark: mark.number)) or NO_DIFFERENCES
    drawings, label = [], f"{names[0]} and {names[1]}: {note}."
    for one, mark, name in zip((sentence, other), marks, names, strict=True):
        drawings.append(titled(draw(one, layout, mark), name, width))
        label += f" {name}: {describe(one)}"
    return Figure("", note, drawings, label)
