"""
Pictures of sentences as SVG.

    >>> svg = sentence_svg(Sentence(["Go", "!"], ["VB", "."]), "light")
    >>> svg[:4], 'aria-label="2 words. Go !."' in svg, "http" in svg.replace(NAMESPACE, "")
    ('<svg', True, False)
"""

import re
from typing import List, Optional, Sequence

from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.visualisation.description import describe
from lisa_allennlp.visualisation.drawing import Drawing, draw, escape, number
from lisa_allennlp.visualisation.font import text_width
from lisa_allennlp.visualisation.layout import MARGIN, lay_out
from lisa_allennlp.visualisation.printable import printable
from lisa_allennlp.visualisation.theme import stylesheet

NAMESPACE = "http://www.w3.org/2000/svg"
"""The XML namespace of SVG, which is only a name: nothing is fetched."""

_TITLE = 24.0
_NAME_SIZE = 12.0


def sentence_svg(
    sentence: Sentence,
    theme: Optional[str] = "auto",
    width: Optional[float] = None,
) -> str:
    """
    # Parameters

    sentence : `Sentence`
        What it lacks is left out.
    theme : `str`, optional (default = `"auto"`)
        One of `THEMES`, or `None` for a page that has the stylesheet.
    width : `float`, optional (default = one line)
        Of the picture, in pixels: the words of a sentence that is wider are broken into lines.

    # Returns

    `str`
        An element `svg`, also a file of its own. Its text alternative has words, heads and roles.
    """
    layout = lay_out(sentence, width=width)
    return svg([draw(sentence, layout)], describe(sentence), theme)


def titled(drawing: Drawing, title: str, width: Optional[float] = None) -> Drawing:
    """A drawing below a title, which is broken into lines if it is wider than `width`."""
    lines = [title] if width is None else _broken(printable(title), width - 2 * MARGIN)
    return below([*map(_title, lines), drawing])


def _title(text: str) -> Drawing:
    x, y = number(MARGIN), number(_TITLE - 6)
    width = text_width(text, _NAME_SIZE, bold=True) + 2 * MARGIN
    return Drawing(f'<text class="name" x="{x}" y="{y}">{escape(text)}</text>', width, _TITLE)


def _broken(text: str, width: float) -> List[str]:
    """Lines of a title, which may have no blanks, such as the path of a file."""
    lines = [""]
    for word in re.findall(r"\s*\S+", text):
        for piece in [word] if _fits(word.strip(), width) else word:
            if not lines[-1] or _fits(lines[-1] + piece, width):
                lines[-1] += piece
            else:
                lines.append(piece.lstrip())
    return lines


def _fits(title: str, width: float) -> bool:
    return text_width(title, _NAME_SIZE, bold=True) <= width


def narrowed(drawing: Drawing, width: Optional[float]) -> Drawing:
    """A drawing that is made smaller if it is wider than `width`."""
    if width is None or drawing.width <= width:
        return drawing
    scale = width / drawing.width
    markup = f'<g transform="scale({scale:.4f})">{drawing.markup}</g>'
    return Drawing(markup, width, drawing.height * scale)


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
