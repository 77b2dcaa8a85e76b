"""
The attention of LISA's syntactic head in the terminal: a row per token, a column per possible head,
in shades. The heads of the sentence's tree are in brackets.

    >>> import numpy
    >>> from lisa_allennlp.data.sentence import Parse
    >>> parse = Parse([1, 1, 1], ["nsubj", "root", "obj"])
    >>> weights = numpy.array([[0, 1, 0], [0.1, 0.9, 0], [0.3, 0.5, 0.2]])
    >>> sentence = Sentence(["We", "saw", "it"], parse=parse, attention=weights)
    >>> print(render_heat_map(sentence).plain)
              1  2  3
    1  We    · [█] ·
    2  saw   ░ [█] ·
    3  it    ▒ [▓] ░

Where this is too wide, each row has the heads with the largest weights:

    >>> long = Sentence(["w"] * 20, attention=numpy.eye(20))
    >>> print(render_heat_map(long, width=40).plain.split("\\n")[1])
     2  w  root 1.00
"""

from typing import List, Sequence

import numpy
from rich.cells import cell_len, set_cell_size
from rich.text import Text

from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.visualisation.attention import own_attention
from lisa_allennlp.visualisation.printable import printable
from lisa_allennlp.visualisation.terminal_grid import NARROWEST, Cell, token_rows

SHADES = "·░▒▓█"
"""The shades, from the smallest weight."""

_LONGEST = 16
_CELL = 3
_MOST_HEADS = 3


def render_heat_map(sentence: Sentence, width: int = 80) -> Text:
    """
    # Parameters

    sentence : `Sentence`
        With `arc_scores` or `attention`.
    width : `int`, optional (default = `80`)
        The width of the terminal, at least `NARROWEST`.

    # Raises

    `ConfigurationError`
        If there is no attention.
    """
    weights = own_attention(sentence)
    words = [printable(word) for word in sentence.words]
    width = max(width, NARROWEST)
    side = min(_LONGEST, max(map(cell_len, words), default=0))
    digits = len(str(len(words)))
    before = digits + 2 + side + 2
    if before + _CELL * len(words) > width:
        return _largest(sentence, words, weights, width)
    heads = None if sentence.parse is None else sentence.parse.head_indices
    numbers = "".join(str(n).rjust(_CELL) for n in range(1, len(words) + 1))
    lines = [Text(" " * before + numbers, "dim")]
    for token, word in enumerate(words):
        line = Text(f"{token + 1:>{digits}}  {set_cell_size(word, side)}  ")
        for head, weight in enumerate(weights[token].tolist()):
            is_head = heads is not None and heads[token] == head
            shade = SHADES[_shade(weight)]
            line.append(f"[{shade}]" if is_head else f" {shade} ", "bold" if is_head else "")
        line.rstrip()
        lines.append(line)
    return Text("\n").join(lines)


def _shade(weight: float) -> int:
    """All weights from a twentieth on can be told from none."""
    return 0 if weight < 0.05 else min(len(SHADES) - 1, 1 + int(weight * (len(SHADES) - 1)))


def _largest(sentence: Sentence, words: Sequence[str], weights: numpy.ndarray, width: int) -> Text:
    """The tree, and for each token the heads with the largest weights."""
    columns: List[List[Cell]] = [[Cell(word, "bold") for word in words], []]
    for token, row in enumerate(weights):
        best = [head for head in numpy.argsort(-row)[:_MOST_HEADS] if row[head] >= 0.05]
        named = ("root" if head == token else f"{words[head]} ({head + 1})" for head in best)
        shown = (f"{name} {row[head]:.2f}" for name, head in zip(named, best, strict=True))
        columns[1].append(Cell(", ".join(shown)))
    return Text("\n").join(token_rows(sentence.heads, columns, width))
