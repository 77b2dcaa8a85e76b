"""Selects tables, rows and figures of a paper."""

import dataclasses
from typing import List, Optional, Sequence, TypeVar

from experiments.systems import Figure, Paper, Table
from lisa_allennlp.common.errors import ConfigurationError

Item = TypeVar("Item", Table, Figure)

LABELS_IN_ERRORS = 5
"""How many labels of rows an error names."""


def select_tables(
    paper: Paper, numbers: Optional[str], rows: Optional[List[str]], data: str
) -> List[Table]:
    """
    # Parameters

    paper : `Paper`
    numbers : `str`, optional
        Numbers separated by commas. `None` for all tables with published figures on the corpus; if
        there are none, for all tables.
    rows : `List[str]`, optional
        The texts of which a row's labels must contain one; `None` for all rows.
    data : `str`
        The corpus.

    # Raises

    `ConfigurationError`
        If a table does not exist, or no row is left.
    """
    if numbers is None:
        tables = [t for t in paper.tables if any(data in row.published for row in t.rows)]
        return select_rows(tables or paper.tables, rows)
    return select_rows(_by_number("--tables", paper, paper.tables, numbers), rows)


def select_figures(paper: Paper, numbers: Optional[str]) -> List[Figure]:
    """
    # Parameters

    paper : `Paper`
    numbers : `str`, optional
        Numbers separated by commas; `None` for all figures.

    # Raises

    `ConfigurationError`
        If a figure does not exist.
    """
    if numbers is None:
        return paper.figures
    return _by_number("--figures", paper, paper.figures, numbers)


def _by_number(option: str, paper: Paper, items: Sequence[Item], numbers: str) -> List[Item]:
    by_number = {str(item.number): item for item in items}
    wanted = [number.strip() for number in numbers.split(",")]
    for number in wanted:
        if number not in by_number:
            expected = f"some of {','.join(by_number)}" if by_number else "no number"
            raise ConfigurationError(
                f"{option}: found '{number}'; expected {expected}, for '{paper.title}'"
            )
    return [by_number[number] for number in dict.fromkeys(wanted)]


def select_rows(tables: List[Table], texts: Optional[List[str]]) -> List[Table]:
    """
    # Parameters

    tables : `List[Table]`
    texts : `List[str]`, optional
        The texts of which a row's labels must contain one; `None` for all rows.

    # Returns

    `List[Table]`
        The tables that have such rows, without their other rows.

    # Raises

    `ConfigurationError`
        If no row is left.
    """
    if texts is None:
        return tables
    chosen = []
    for table in tables:
        rows = [r for r in table.rows if any(t.lower() in r.label.lower() for t in texts)]
        if rows:
            chosen.append(dataclasses.replace(table, rows=rows))
    if not chosen:
        labels = list(dict.fromkeys(f"'{row.label}'" for table in tables for row in table.rows))
        shown, others = labels[:LABELS_IN_ERRORS], len(labels) - LABELS_IN_ERRORS
        more = f" or of {others} more labels" if others > 0 else ""
        raise ConfigurationError(
            f"--rows: found {texts}; expected a part of {', '.join(shown)}{more}"
        )
    return chosen
