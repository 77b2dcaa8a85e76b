"""Formats aligned tables for terminals."""

import io
from typing import Any, Iterable, Optional, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text


def format_table(
    rows: Iterable[Sequence[object]],
    headings: Optional[Sequence[str]] = None,
    width: Optional[int] = None,
    align_right: bool = False,
) -> str:
    """
    Formats cells as lines without colours, trailing blanks or a final line break. Cells are folded
    if a `width` in characters is given. All columns but the first can be aligned on the right, as
    numbers are.

    >>> print(format_table([["uas", "86.61"], ["srl_f1", "68.42"]]))
    uas     86.61
    srl_f1  68.42
    """
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=headings is not None)
    cells = [[str(cell) for cell in row] for row in rows]
    names = [""] * len(cells[0]) if headings is None else headings
    for number, name in enumerate(names):
        justify: Any = "right" if align_right and number else "left"
        table.add_column(Text(name), justify=justify, overflow="fold", header_style="")
    for row in cells:
        table.add_row(*(Text(cell) for cell in row))
    file = io.StringIO()
    unlimited = sum(max(map(cell_len, column)) + 2 for column in zip(names, *cells, strict=True))
    console = Console(file=file, width=width or max(unlimited, 80), color_system=None)
    console.print(table)
    return "\n".join(line.rstrip() for line in file.getvalue().rstrip("\n").split("\n"))
