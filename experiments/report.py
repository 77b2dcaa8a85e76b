"""The report of a reproduction, as Markdown for people and as JSON for programs."""

import dataclasses
import json
import statistics
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence

NOTHING = "–"
"""Stands for a missing figure."""


@dataclass(frozen=True)
class ReportRow:
    """
    # Parameters

    labels : `List[str]`
    values : `List[Optional[List[float]]]`
        Our figures by column, one per seed; `None` where there are none.
    published : `Dict[str, List[Optional[float]]]`
        By corpus, the paper's figures by column.
    notes : `List[str]`
        Why figures are missing.
    """

    labels: List[str]
    values: List[Optional[List[float]]]
    published: Dict[str, List[Optional[float]]]
    notes: List[str]


@dataclass(frozen=True)
class ReportTable:
    """
    # Parameters

    number : `int`
    title : `str`
    headings : `List[str]`
    columns : `List[str]`
    rows : `List[ReportRow]`
    """

    number: int
    title: str
    headings: List[str]
    columns: List[str]
    rows: List[ReportRow]


@dataclass(frozen=True)
class Report:
    """
    # Parameters

    paper : `str`
        Its title.
    data : `str`
        The corpus of our figures, as `LISA_DATA` names it.
    corpora : `Dict[str, str]`
        The names of corpora for people.
    size : `str`
    seeds : `List[int]`
    overrides : `Dict[str, Any]`
        Of the configs, by network; those of all are under `""`.
    tables : `List[ReportTable]`
    """

    paper: str
    data: str
    corpora: Dict[str, str]
    size: str
    seeds: List[int]
    overrides: Dict[str, Any]
    tables: List[ReportTable]

    def to_json(self) -> str:
        """
        # Returns

        `str`
            The whole report, as `from_json` reads it.
        """
        return json.dumps(dataclasses.asdict(self), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "Report":
        """
        # Parameters

        text : `str`
            What `to_json` made.

        # Returns

        `Report`
        """
        content = json.loads(text)
        tables = [
            ReportTable(**{**table, "rows": [ReportRow(**row) for row in table["rows"]]})
            for table in content["tables"]
        ]
        return cls(**{**content, "tables": tables})

    def to_markdown(self) -> str:
        """
        # Returns

        `str`
            The tables. Beside each of our columns are those of the paper, which name their corpus
            where it is not the one of our figures.
        """
        lines = [f"# {self.paper}", "", *self._heading()]
        for table in self.tables:
            lines += ["", f"## Table {table.number}: {table.title}", ""]
            lines += self._table(table)
            notes = dict.fromkeys(note for row in table.rows for note in row.notes)
            if notes:
                lines += ["", *(f"- {note}" for note in notes)]
        return "\n".join(lines) + "\n"

    def _heading(self) -> List[str]:
        lines = [f"Our figures: {self.corpora[self.data]}, configs of {self.size} size."]
        published = {name for t in self.tables for row in t.rows for name in row.published}
        if self.data not in published and published:
            names = " and ".join(self.corpora[name] for name in sorted(published))
            lines.append(f"The paper's figures are of another corpus, {names}.")
        if self.seeds:
            lines.append(f"Mean over the seeds {', '.join(map(str, self.seeds))}; (each).")
        for network, overrides in self.overrides.items():
            if overrides:
                where = f"`{network}`" if network else "all configs"
                lines.append(f"Changed in {where}: `{json.dumps(overrides)}`.")
        return lines

    def _table(self, table: ReportTable) -> List[str]:
        """The lines of a table in Markdown."""
        sources = self._sources(table)
        header = list(table.headings)
        for column, corpora in zip(table.columns, sources, strict=True):
            header.append(column)
            for corpus in corpora:
                of = "" if corpus == self.data else f" ({self.corpora[corpus]})"
                header.append(f"{column}, paper{of}")
        lines = [header, ["---"] * len(header)]
        for row in table.rows:
            cells = list(row.labels)
            for position, corpora in enumerate(sources):
                cells.append(format_values(row.values[position]))
                for corpus in corpora:
                    figures = row.published.get(corpus)
                    cells.append(format_value(figures[position] if figures else None))
            lines.append(cells)
        return [f"| {' | '.join(cells)} |" for cells in lines]

    def _sources(self, table: ReportTable) -> List[List[str]]:
        """By column, the corpora whose published figures stand beside ours."""
        corpora = list(dict.fromkeys(corpus for row in table.rows for corpus in row.published))
        if self.data in corpora:
            corpora = [self.data]
        return [
            [c for c in corpora if any(_figure(row, c, position) for row in table.rows)]
            for position in range(len(table.columns))
        ]


def _figure(row: ReportRow, corpus: str, position: int) -> bool:
    return corpus in row.published and row.published[corpus][position] is not None


def format_value(value: Optional[float]) -> str:
    """
    # Returns

    `str`
        Two decimals, or a dash.
    """
    return NOTHING if value is None else f"{value:.2f}"


def format_values(values: Optional[Sequence[float]]) -> str:
    """
    # Returns

    `str`
        The figure, or of several seeds their mean and each.
    """
    if not values:
        return NOTHING
    if len(values) == 1:
        return format_value(values[0])
    each = ", ".join(map(format_value, values))
    return f"{format_value(statistics.mean(values))} ({each})"
