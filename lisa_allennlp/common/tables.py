"""Writes tables as text, Markdown, LaTeX and CSV."""

import csv
import io
import re
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Sequence, Union

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

Cell = Union[str, int, float, None]


class Table(NamedTuple):
    """Headings, and rows of `num_names` names and then numbers; `None` is a missing figure."""

    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    num_names: int = 1


def write_table(
    table: Table, style: str = "text", number: Callable[[float], str] = "{:.2f}".format
) -> str:
    """
    Writes a table in one of the `STYLES`, without a final line break. `number` formats floats, but
    CSV has them unrounded. LaTeX needs the package booktabs.

    >>> table = Table(["", "F1"], [["LISA & D&M", 84.987], ["SA", None]])
    >>> print(write_table(table, "latex"))
    \\begin{tabular}{lr}
    \\toprule
     & F1 \\\\
    \\midrule
    LISA \\& D\\&M & 84.99 \\\\
    SA & -- \\\\
    \\bottomrule
    \\end{tabular}
    """
    if style == "csv":
        return _csv(table)
    missing, write = STYLES[style]
    rows = [
        [
            missing if cell is None else number(cell) if isinstance(cell, float) else str(cell)
            for cell in row
        ]
        for row in table.rows
    ]
    return write(table.headings, rows, table.num_names)


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
    table = RichTable(
        box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=headings is not None
    )
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


def _text(headings: Sequence[str], rows: List[List[str]], _: int) -> str:
    return format_table(rows, headings, align_right=True)


def _markdown(headings: Sequence[str], rows: List[List[str]], _: int) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


_LATEX_CHARACTERS = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "–": "--",
    # After a line break, it would begin the break's option.
    "[": "{[}",
}


def latex_text(text: str) -> str:
    return re.sub(
        f"[{re.escape(''.join(_LATEX_CHARACTERS))}]", lambda m: _LATEX_CHARACTERS[m[0]], text
    )


def _latex(headings: Sequence[str], rows: List[List[str]], num_names: int) -> str:
    def line(cells: Sequence[str]) -> str:
        return f"{' & '.join(map(latex_text, cells))} \\\\"

    columns = "l" * num_names + "r" * (len(headings) - num_names)
    return "\n".join(
        [
            f"\\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            line(headings),
            r"\midrule",
            *map(line, rows),
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def _csv(table: Table) -> str:
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow(table.headings)
    writer.writerows(["" if cell is None else cell for cell in row] for row in table.rows)
    return file.getvalue().rstrip("\n")


STYLES: Dict[str, Any] = {
    "text": ("-", _text),
    "markdown": ("–", _markdown),
    "latex": ("--", _latex),
    "csv": ("", None),
}
"""The text of a missing figure, and the writer, by style."""
