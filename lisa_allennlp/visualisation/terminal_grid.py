"""
A row per token for terminals: its number, the lines of the tree, and columns. Long cells are
folded.

    >>> columns = [[Cell("Go", "bold"), Cell("home")], [Cell("VB"), Cell("RB")]]
    >>> rows = token_rows([2, 0], columns, 40)
    >>> print(*(row.plain for row in rows), sep="\\n")
    1  ╭──►  Go    VB
    2  ╰───  home  RB
"""

from typing import List, NamedTuple, Optional, Sequence

from rich.cells import cell_len, chop_cells
from rich.text import Text

from lisa_allennlp.visualisation.terminal_tree import TreeLines, tree_lines

NARROWEST = 40
"""The smallest width of pictures, in columns of the terminal."""

_GAP = 2
_NARROWEST_COLUMN = 4


class Cell(NamedTuple):
    """A text with a style of rich. It has no control characters."""

    text: str
    style: str = ""


def token_rows(
    heads: Optional[Sequence[int]], columns: Sequence[Sequence[Cell]], width: int
) -> List[Text]:
    """
    # Parameters

    heads : `Sequence[int]`, optional
        1-based, 0 for a root. Without them, no lines are drawn; nor if there is too little room.
    columns : `Sequence[Sequence[Cell]]`
        At least one, with a cell per token.
    width : `int`
        The largest width, at least `NARROWEST`.

    # Returns

    `List[Text]`
        One line or more per token.
    """
    length = len(columns[0])
    digits = len(str(length))
    natural = [max((cell_len(cell.text) for cell in column), default=0) for column in columns]
    room = width - digits - _GAP * len(columns)
    lines = _tree_that_fits(heads, natural, room) or TreeLines([""] * length, [""] * length)
    if lines.width:
        room -= _GAP + lines.width
    widths = _shrunk(natural, room)
    rows: List[Text] = []
    for token in range(length):
        cells = [column[token] for column in columns]
        folded = [_folded(cell.text, size) for cell, size in zip(cells, widths, strict=True)]
        for number in range(max(map(len, folded))):
            row = Text().append((str(token + 1) if number == 0 else "").rjust(digits), "dim")
            if lines.width:
                drawn = lines.rows[token] if number == 0 else lines.below[token]
                row.append(" " * _GAP).append(drawn, "cyan")
            for cell, parts, size in zip(cells, folded, widths, strict=True):
                part = parts[number] if number < len(parts) else ""
                row.append(" " * _GAP).append(part, cell.style)
                row.append(" " * (size - cell_len(part)))
            row.rstrip()
            rows.append(row)
    return rows


def _tree_that_fits(
    heads: Optional[Sequence[int]], natural: Sequence[int], room: int
) -> Optional[TreeLines]:
    """The widest tree that leaves the columns their natural width, or else at least the least."""
    if heads is None:
        return None
    least = sum(min(size, 2 * _NARROWEST_COLUMN) for size in natural)
    trees = [tree_lines(heads, pitch) for pitch in (2, 1)]
    for needed in (sum(natural), least):
        for lines in trees:
            if lines.width and _GAP + lines.width + needed <= room:
                return lines
    return None


def _shrunk(natural: Sequence[int], room: int) -> List[int]:
    """The widths of the columns, where the widest ones give way until all fit."""
    widths = [max(1, size) for size in natural]
    while sum(widths) > room and max(widths) > _NARROWEST_COLUMN:
        widths[widths.index(max(widths))] -= 1
    return widths


def _folded(text: str, size: int) -> List[str]:
    """The lines of a text, broken at blanks where that is possible."""
    lines = [""]
    for part in text.split(" "):
        joined = f"{lines[-1]} {part}" if lines[-1] else part
        if cell_len(joined) <= size:
            lines[-1] = joined
            continue
        pieces = chop_cells(part, size)
        lines = [*lines, *pieces] if lines[-1] else [*lines[:-1], *pieces]
    return lines
