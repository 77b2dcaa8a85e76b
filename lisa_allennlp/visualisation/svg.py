"""
Pictures of sentences as SVG.

    >>> svg = sentence_svg(Sentence(["Go", "!"], ["VB", "."]), "light")
    >>> svg[:4], 'aria-label="2 words. Go !."' in svg, "http" in svg.replace(NAMESPACE, "")
    ('<svg', True, False)
"""

from typing import List, Optional, Sequence

from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.visualisation.description import describe
from lisa_allennlp.visualisation.drawing import MARGIN, Drawing, draw, escape, number
from lisa_allennlp.visualisation.font import text_width
from lisa_allennlp.visualisation.theme import stylesheet

NAMESPACE = "http://www.w3.org/2000/svg"
"""The XML namespace of SVG, which is only a name: nothing is fetched."""

_TITLE = 24.0
_NAME_SIZE = 12.0


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


def titled(drawing: Drawing, title: str) -> Drawing:
    """A drawing below a title."""
    text = (
        f'<text class="name" x="{number(MARGIN)}" y="{number(_TITLE - 6)}">{escape(title)}</text>'
    )
    width = text_width(title, _NAME_SIZE, bold=True) + 2 * MARGIN
    return below([Drawing(text, width, _TITLE), drawing])


def below(drawings: Sequence[Drawing]) -> Drawing:
    """Drawings below each other."""
    parts: List[str] = []
    top = 0.0
    for drawing in drawings:
        parts.append(_moved(drawing, 0, top))
        top += drawing.height
    width = max((drawing.width for drawing in drawings), default=0)
    return Drawing("".join(parts), width, top)


def beside(left: Drawing, right: Drawing) -> Drawing:
    """Two drawings beside each other."""
    markup = left.markup + _moved(right, left.width, 0)
    return Drawing(markup, left.width + right.width, max(left.height, right.height))


def _moved(drawing: Drawing, x: float, y: float) -> str:
    if not (x or y):
        return drawing.markup
    return f'<g transform="translate({number(x)} {number(y)})">{drawing.markup}</g>'


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
    markup, *size = below(drawings)
    width, height = map(number, size)
    style = "" if theme is None else f"<style>{stylesheet(theme)}</style>"
    return (
        f'<svg xmlns="{NAMESPACE}" class="lisa" role="img" aria-label="{escape(label)}" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}">{style}'
        f'<rect class="background" width="100%" height="100%"/>{markup}</svg>'
    )
