"""
Pictures of sentences as SVG.

    >>> svg = sentence_svg(Sentence(["Go", "!"], ["VB", "."]), "light")
    >>> svg[:4], 'aria-label="2 words. Go !."' in svg, "http" in svg.replace(NAMESPACE, "")
    ('<svg', True, False)
"""

from typing import List, Optional, Sequence, Tuple

from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.visualisation.comparison import described, differences
from lisa_allennlp.visualisation.description import describe
from lisa_allennlp.visualisation.drawing import (
    MARGIN,
    Drawing,
    draw,
    escape,
    number,
    word_columns,
)
from lisa_allennlp.visualisation.theme import stylesheet

NAMESPACE = "http://www.w3.org/2000/svg"
"""The XML namespace of SVG, which is only a name: nothing is fetched."""

_TITLE = 24.0


def sentence_svg(sentence: Sentence, theme: Optional[str] = "auto") -> str:
    """
    # Parameters

    sentence : `Sentence`
        What it lacks is left out.
    theme : `str`, optional (default = `"auto"`)
        One of `THEMES`, or `None` for a page that has the stylesheet.

    # Returns

    `str`
        An element `svg`, also a file of its own. Its text alternative has words, heads and roles.
    """
    return svg([draw(sentence)], describe(sentence), theme)


def comparison_drawings(
    sentence: Sentence, other: Sentence, names: Sequence[str]
) -> List[Drawing]:
    """
    Two readings below each other, with the same columns, their names, and what differs marked.

    # Raises

    `ConfigurationError`
        If the words differ.
    """
    columns = word_columns(sentence, other)
    readings = ((sentence, other, names[0]), (other, sentence, names[1]))
    drawings = []
    for one, another, name in readings:
        marks = differences(one, another)
        found = f" ({described(marks)})" if marks.number else ""
        drawings.append(titled(draw(one, columns, marks), f"{name}{found}"))
    return drawings


def comparison_svg(
    sentence: Sentence, other: Sentence, names: Sequence[str], theme: Optional[str] = "auto"
) -> str:
    """
    # Parameters

    sentence, other : `Sentence`
        Two readings of the same words.
    names : `Sequence[str]`
        The names of both.
    theme :
        As in `sentence_svg`.

    # Raises

    `ConfigurationError`
        If the words differ.
    """
    label = compared(sentence, other, names)
    return svg(comparison_drawings(sentence, other, names), label, theme)


def compared(sentence: Sentence, other: Sentence, names: Sequence[str]) -> str:
    """The text alternative of a comparison."""
    found = described(differences(sentence, other)) or "no differences"
    one, another = describe(sentence), describe(other)
    return f"{names[0]} and {names[1]}: {found}. {names[0]}: {one} {names[1]}: {another}"


def titled(drawing: Drawing, title: str) -> Drawing:
    """A drawing below a title."""
    text = f'<text class="name" x="{number(MARGIN)}" y="{number(_TITLE - 6)}">{escape(title)}</text>'
    markup, height = stacked([Drawing(text, 0, _TITLE), drawing])
    return Drawing(markup, drawing.width, height)


def stacked(drawings: Sequence[Drawing]) -> Tuple[str, float]:
    """The markup and the height of drawings below each other."""
    parts: List[str] = []
    top = 0.0
    for drawing in drawings:
        place = f' transform="translate(0 {number(top)})"' if top else ""
        parts.append(f"<g{place}>{drawing.markup}</g>")
        top += drawing.height
    return "".join(parts), top


def svg(drawings: Sequence[Drawing], label: str, theme: Optional[str]) -> str:
    """
    # Parameters

    drawings : `Sequence[Drawing]`
        To put below each other.
    label : `str`
        The text alternative.
    theme :
        As in `sentence_svg`.
    """
    markup, height = stacked(drawings)
    size = [number(max((drawing.width for drawing in drawings), default=0)), number(height)]
    style = "" if theme is None else f"<style>{stylesheet(theme)}</style>"
    return (
        f'<svg xmlns="{NAMESPACE}" class="lisa" role="img" aria-label="{escape(label)}" '
        f'viewBox="0 0 {size[0]} {size[1]}" width="{size[0]}" height="{size[1]}">{style}'
        f'<rect class="background" width="100%" height="100%"/>{markup}</svg>'
    )
