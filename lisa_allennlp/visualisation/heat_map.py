"""
The attention of LISA's syntactic head, as a heat map in SVG and in words. It is the model's own
even if the sentence has an injected tree, to which the head attends instead (LISA section 2.2).
"""

import io
import re
from typing import List, Optional

import numpy

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.decoding.trees import softmax
from lisa_allennlp.visualisation.layout import LABEL_SIZE, MARGIN
from lisa_allennlp.visualisation.svg import Drawing, number, text
from lisa_allennlp.visualisation.texts import printable, text_width

# The size of a cell in pixels, and full attention on light and on dark backgrounds.
_CELL, _BLUE = 17.0, (0.18, 0.51, 0.84)


def own_attention(sentence: Sentence) -> numpy.ndarray:
    """
    Returns the weights of all tokens as heads, from `arc_scores` or `attention`, which
    `details=True` adds to answers; raises a `ConfigurationError` without them. The shape is
    `(length, length)`: row `t` has the distribution over the heads of token `t`, and a root attends
    to itself.
    """
    if not sentence.words:
        return numpy.zeros((0, 0))
    if sentence.arc_scores is not None:
        return softmax(numpy.asarray(sentence.arc_scores, dtype=float))
    if sentence.attention is None:
        raise ConfigurationError(
            "attention: found a sentence without `attention` and `arc_scores`; expected the "
            "answer of a LISA model, with details"
        )
    return numpy.asarray(sentence.attention, dtype=float)


def largest_weights(sentence: Sentence) -> List[str]:
    """For each token, up to three heads (1-based, 0 for the root) with their weights."""
    found = []
    for token, weights in enumerate(own_attention(sentence)):
        best = [head for head in numpy.argsort(-weights)[:3] if weights[head] >= 0.05]
        heads = (f"{0 if head == token else head + 1} {weights[head]:.2f}" for head in best)
        found.append(", ".join(heads))
    return found


def describe_attention(sentence: Sentence) -> str:
    """The text alternative of the heat map."""
    pairs = zip(map(printable, sentence.words), largest_weights(sentence), strict=True)
    return "; ".join(f"{word}: {weights}" for word, weights in pairs) + "."


def heat_map(
    sentence: Sentence, other: Optional[Sentence] = None, width: Optional[float] = None
) -> Drawing:
    """
    Draws a row per token and a column per possible head. The heads of the sentence's tree are
    outlined; those of another reading that differ have dashed outlines. A map that is wider than
    `width` is made smaller.
    """
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    weights, words = own_attention(sentence), list(map(printable, sentence.words))
    if not words:
        return Drawing("", 0, 0)
    # One of Matplotlib's points, 72 to an inch, is a pixel of its SVG.
    side = _CELL * len(words)
    figure = Figure((side / 72, side / 72))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, len(words)), ylim=(len(words), 0))
    axes.axis("off")
    for token, head in numpy.argwhere(weights >= 0.01):
        colour = (*_BLUE, min(1, weights[token, head]))
        axes.add_artist(Rectangle((head, token), 1, 1, facecolor=colour, clip_on=False))
    for reading, style in ((other, "--"), (sentence, "-")):
        if reading is not None and reading.parse is not None:
            for token, head in enumerate(reading.parse.head_indices):
                outline = Rectangle((head + 0.1, token + 0.1), 0.8, 0.8, fill=False, clip_on=False)
                outline.set(linestyle=style, linewidth=1.6)
                axes.add_artist(outline)
    file = io.StringIO()
    figure.savefig(file, format="svg", transparent=True)
    # Without the document around it, and without identifiers, which a page may have only once.
    (_, cells) = re.sub(' id="[^"]*"', "", file.getvalue()).rsplit("</defs>", 1)
    cells = cells.replace("</svg>", "").replace("#000000", "currentColor")
    edge = MARGIN + max(text_width(word, LABEL_SIZE) for word in words) + 10
    parts = [
        f'<g transform="translate({number(edge)} {number(edge)})">'
        f'<rect class="panel" width="{number(side)}" height="{number(side)}"/>{cells}</g>'
    ]
    for token, word in enumerate(words):
        middle = edge + _CELL * (token + 0.5) + 3.5
        turned = f"translate({number(middle)} {number(edge - 5)})rotate(-90)"
        parts.append(text(edge - 5, middle, "axis side", word))
        parts.append(f'<g transform="{turned}">{text(0, 0, "axis", word)}</g>')
    size = edge + side + MARGIN
    scale = 1 if width is None else min(1, width / size)
    markup = f'<g class="attention" transform="scale({scale:.4f})">{"".join(parts)}</g>'
    return Drawing(markup, size * scale, size * scale)
