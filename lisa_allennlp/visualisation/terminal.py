"""
A sentence in the terminal: the tree beside the words, the roles of each predicate below.

    >>> from lisa_allennlp.data.sentence import Frame, Parse
    >>> tags = ["B-ARG0", "B-V", "B-ARG2", "O"]
    >>> parse = Parse([1, 1, 1, 1], ["nsubj", "root", "iobj", "punct"])
    >>> sentence = Sentence(["She", "paid", "him", "."], frames=[Frame(1, tags)], parse=parse)
    >>> print(render(sentence).plain)
    1  ╭──►  She   2  nsubj
    2  ├───  paid  0  root
    3  ├──►  him   2  iobj
    4  ╰──►  .     2  punct
    <BLANKLINE>
    paid: [ARG0 She] [V paid] [ARG2 him] .
"""

from rich.text import Text

from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.visualisation.printable import printable
from lisa_allennlp.visualisation.table import frame_names, gloss_lines, token_columns
from lisa_allennlp.visualisation.terminal_grid import NARROWEST, Cell, token_rows
from lisa_allennlp.visualisation.terminal_roles import role_lines

NO_WORDS = "(an empty sentence)"
"""The picture of a sentence without words."""

STYLES = {"word": "bold", "POS": "green", "head": "dim", "relation": "magenta"}
"""The styles of the columns by their headings."""


def render(sentence: Sentence, width: int = 80) -> Text:
    """
    # Parameters

    sentence : `Sentence`
        What it lacks is left out.
    width : `int`, optional (default = `80`)
        The width of the terminal, at least `NARROWEST`. Lines are not longer.

    # Returns

    `Text`
        Lines without a final line break, to print with `rich.print`. Its attribute `plain` has them
        without colours.
    """
    if not sentence.words:
        return Text(NO_WORDS)
    width = max(width, NARROWEST)
    columns = [
        [Cell(printable(str(cell)), STYLES.get(name, "")) for cell in cells]
        for name, cells in token_columns(sentence)[1:]
    ]
    lines = token_rows(sentence.heads, columns, width)
    frames = sentence.frames or []
    for name, frame in zip(frame_names(frames), frames, strict=True):
        lines += [Text(), *role_lines(frame, name, width)]
    lines += [Text(line, "dim") for line in gloss_lines(frames, width)]
    if sentence.frames == []:
        lines.append(Text("(no predicate found)"))
    return Text("\n").join(lines)
