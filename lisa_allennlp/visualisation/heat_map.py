"""
The attention of LISA's syntactic head as a heat map in SVG: a row per token, a column per possible
head. The heads of the sentence's tree are outlined.

    >>> import numpy
    >>> from lisa_allennlp.data.sentence import Parse
    >>> parse = Parse([0, 0], ["root", "punct"])
    >>> drawing = heat_map(Sentence(["Go", "!"], parse=parse, attention=numpy.eye(2)))
    >>> drawing.markup.count('class="head"')
    2
"""

from typing import Iterator, List, Optional, Tuple

from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.visualisation.attention import own_attention
from lisa_allennlp.visualisation.drawing import Drawing, escape, number
from lisa_allennlp.visualisation.font import text_width
from lisa_allennlp.visualisation.layout import MARGIN
from lisa_allennlp.visualisation.printable import printable

_CELL = 17.0
_SIZE = 10.5
_SHOWN = 0.01


def heat_map(sentence: Sentence, other: Optional[Sentence] = None) -> Drawing:
    """
    # Parameters

    sentence : `Sentence`
        With `arc_scores` or `attention`. The heads of its tree, if there is one, are outlined.
    other : `Sentence`, optional
        Another reading, such as gold. Heads that differ have dashed outlines.

    # Raises

    `ConfigurationError`
        If there is no attention.
    """
    weights = own_attention(sentence)
    words = [printable(word) for word in sentence.words]
    side = max((text_width(word, _SIZE) for word in words), default=0) + 10
    left, top = MARGIN + side, MARGIN + side
    size = _CELL * len(words)
    parts = [_rect(left, top, size, size, "panel")]
    for token, word in enumerate(words):
        middle = number(_CELL * token + _CELL / 2 + 3.5 + top)
        parts.append(_label(f'x="{number(left - 5)}" y="{middle}"', "axis side", word))
        corner = f"{number(left + _CELL * token + 12)} {number(top - 5)}"
        turned = f'transform="translate({corner})rotate(-90)"'
        parts.append(_label(turned, "axis start", word))
        for head, weight in enumerate(weights[token].tolist()):
            if weight >= _SHOWN:
                title = f"{word} → {words[head] if head != token else '(root)'}: {weight:.2f}"
                place = left + _CELL * head, top + _CELL * token, _CELL, _CELL
                heat = _rect(*place, "heat", f' fill-opacity="{weight:.2f}"')
                parts.append(f"<g><title>{escape(title)}</title>{heat}</g>")
    for token, head, classes in _outlined(sentence, other):
        x, y = left + _CELL * head + 1.5, top + _CELL * token + 1.5
        parts.append(_rect(x, y, _CELL - 3, _CELL - 3, classes))
    return Drawing("".join(parts), left + size + MARGIN, top + size + MARGIN)


def _outlined(sentence: Sentence, other: Optional[Sentence]) -> Iterator[Tuple[int, int, str]]:
    """The token, the head and the classes of each outline."""
    own = sentence.parse.head_indices if sentence.parse is not None else []
    for token, head in enumerate(own):
        yield token, head, "head"
    if other is not None and other.parse is not None:
        for token, head in enumerate(other.parse.head_indices):
            if not own or own[token] != head:
                yield token, head, "head other"


def describe_attention(sentence: Sentence) -> str:
    """The text alternative: the head with the largest weight for each token."""
    weights = own_attention(sentence)
    words = [printable(word) for word in sentence.words]
    best: List[str] = []
    for token, word in enumerate(words):
        head = int(weights[token].argmax())
        name = words[head] if head != token else "(root)"
        best.append(f"{word}: {name} {weights[token, head]:.2f}")
    return f"Attention. {'; '.join(best)}."


def _label(place: str, classes: str, text: str) -> str:
    return f'<text class="{classes}" {place}>{escape(text)}</text>'


def _rect(x: float, y: float, width: float, height: float, classes: str, more: str = "") -> str:
    return (
        f'<rect class="{classes}" x="{number(x)}" y="{number(y)}" width="{number(width)}" '
        f'height="{number(height)}"{more}/>'
    )
