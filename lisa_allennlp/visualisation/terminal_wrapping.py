"""
Wraps styled text by the width that its characters have in a terminal.

    >>> for line in wrapped([Unit("An"), Unit("old", "bold"), Unit("猫")], 6):
    ...     print(line.plain)
    An old
      猫
"""

from typing import List, NamedTuple, Sequence

from rich.cells import cell_len, chop_cells
from rich.text import Text

_INDENT = "  "


class Unit(NamedTuple):
    """
    A text that is broken only if it is wider than a line.

    # Parameters

    style : `str`
        A style of rich.
    joins : `bool`
        Whether the blank before it has its style.
    """

    text: str
    style: str = ""
    joins: bool = False


def wrapped(units: Sequence[Unit], width: int) -> List[Text]:
    """Lines of units with blanks between them. All but the first line are indented."""
    lines: List[Text] = [Text()]
    used = 0
    for unit in units:
        size = cell_len(unit.text)
        if lines[-1]:
            if used + 1 + size <= width:
                lines[-1].append(" ", unit.style if unit.joins else None)
                lines[-1].append(unit.text, unit.style)
                used += 1 + size
                continue
            lines.append(Text(_INDENT))
        parts = chop_cells(unit.text, width - len(_INDENT)) or [""]
        for part in parts[:-1]:
            lines[-1].append(part, unit.style)
            lines.append(Text(_INDENT))
        lines[-1].append(parts[-1], unit.style)
        used = cell_len(lines[-1].plain)
    return lines
