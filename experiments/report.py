"""Writes a report, a dictionary that `report.json` has for programs, as Markdown."""

import json
import statistics
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

NOTHING = "–"
"""The text for a missing figure."""

Report = Mapping[str, Any]
"""
- `paper`, its title; `data`, the corpus; `corpora`, the names of corpora to print; `size`; `seeds`;
- `overrides` of configs by network, where `""` has those of all configs;
- `tables`, each with `number`, `title`, `headings` of the rows' labels, `columns`, `rows` and
  `differences` from the paper's protocol. A row has `labels`, `values` (by column a list with a
  figure per seed, or `None`), `published` (the paper's figures by corpus and column) and `notes`,
  the reasons for missing figures;
- `figures`, each with `number`, `title`, `file`, `notes` and `differences`;
- `networks`, by name the keys of each config that differ from the paper's;
- `trainings`, each a row of name, epochs, best epoch and duration.
"""


def to_markdown(report: Report) -> str:
    """
    Returns the report as Markdown. Each of our columns is followed by the paper's columns, which
    name their corpus if it differs from ours.
    """
    lines = [f"# {report['paper']}", "", *_heading(report)]
    for table in report["tables"]:
        lines += ["", f"## Table {table['number']}: {table['title']}", ""]
        lines += _table(table, report)
        notes = dict.fromkeys(note for row in table["rows"] for note in row["notes"])
        lines += _listed("Missing scores:", list(notes))
        lines += _listed("Differences from the paper's protocol:", table["differences"])
    for figure in report["figures"]:
        lines += ["", f"## Figure {figure['number']}: {figure['title']}"]
        if figure["file"] is not None:
            lines += ["", f"![Figure {figure['number']}]({figure['file']})"]
        lines += _listed("Missing:", figure["notes"])
        lines += _listed("Differences from the paper's protocol:", figure["differences"])
    return "\n".join([*lines, *_networks(report)]) + "\n"


def _heading(report: Report) -> List[str]:
    corpora, data, seeds = report["corpora"], report["data"], report["seeds"]
    lines = [f"Our figures: {corpora[data]}, configs of {report['size']} size."]
    published = {name for t in report["tables"] for row in t["rows"] for name in row["published"]}
    if data not in published and published:
        names = " and ".join(corpora[name] for name in sorted(published))
        lines.append(f"The paper's figures are on another corpus, {names}.")
    if seeds:
        lines.append(f"Mean over the seeds {', '.join(map(str, seeds))} (with the figure of each).")
    for network, overrides in report["overrides"].items():
        if overrides:
            where = f"`{network}`" if network else "all configs"
            lines.append(f"Changed in {where}: `{json.dumps(overrides)}`.")
    return lines


def _networks(report: Report) -> List[str]:
    """Returns the sections on networks and trainings."""
    # Networks of one kind often have the same changes.
    alike: Dict[Tuple[str, ...], List[str]] = {}
    for name, changes in report["networks"].items():
        alike.setdefault(tuple(changes), []).append(f"`{name}`")
    lines = ["", "## Networks"] if any(alike) else []
    for common, names in alike.items():
        lines += _listed(f"{', '.join(names)}:", common)
    if report["trainings"]:
        lines += ["", "## Trainings", ""]
        header = ["training", "epochs", "best epoch", "time (of its last run)"]
        lines += _markdown([header, *report["trainings"]])
    return lines


def _table(table: Mapping[str, Any], report: Report) -> List[str]:
    sources = _sources(table, report["data"])
    header = list(table["headings"])
    for column, corpora in zip(table["columns"], sources, strict=True):
        header.append(column)
        for corpus in corpora:
            of = "" if corpus == report["data"] else f" ({report['corpora'][corpus]})"
            header.append(f"{column}, paper{of}")
    lines = [header]
    for row in table["rows"]:
        cells = list(row["labels"])
        for position, corpora in enumerate(sources):
            cells.append(format_values(row["values"][position]))
            cells += [format_value(_published(row, corpus, position)) for corpus in corpora]
        lines.append(cells)
    return _markdown(lines)


def _sources(table: Mapping[str, Any], data: str) -> List[List[str]]:
    """Returns, by column, the corpora with published figures to show: ours, if it has any."""
    rows = table["rows"]
    corpora = list(dict.fromkeys(corpus for row in rows for corpus in row["published"]))
    corpora = [data] if data in corpora else corpora
    return [
        [c for c in corpora if any(_published(row, c, position) is not None for row in rows)]
        for position in range(len(table["columns"]))
    ]


def _published(row: Mapping[str, Any], corpus: str, position: int) -> Optional[float]:
    return row["published"][corpus][position] if corpus in row["published"] else None


def _listed(heading: str, lines: Sequence[str]) -> List[str]:
    return ["", heading, "", *(f"- {line}" for line in lines)] if lines else []


def _markdown(rows: Sequence[Sequence[str]]) -> List[str]:
    """Returns the lines of a table, of which the first row is the header."""
    header, *others = rows
    return [f"| {' | '.join(cells)} |" for cells in (header, ["---"] * len(header), *others)]


def format_value(value: Optional[float]) -> str:
    """Returns a figure with two decimals, or a dash."""
    return NOTHING if value is None else f"{value:.2f}"


def format_values(values: Optional[Sequence[float]]) -> str:
    """Returns the figure of one seed, or the mean and the figures of several seeds."""
    if not values or len(values) == 1:
        return format_value(values[0] if values else None)
    each = ", ".join(map(format_value, values))
    return f"{format_value(statistics.mean(values))} ({each})"
