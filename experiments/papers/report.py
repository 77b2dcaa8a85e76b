"""
Writes a report, a dictionary that `report.json` has for programs, as Markdown, and its tables in
LaTeX and CSV.
"""

import json
import statistics
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from lisa_allennlp.common.tables import Cell, Table, write_table

Report = Mapping[str, Any]
"""
- `paper`, its title; `data`, the corpus; `corpora`, the names of corpora to print; `size`; `seeds`;
- `overrides` of configs by network, where `""` has those of all configs;
- `tables`, each with `number`, `title`, `headings` of the rows' labels, `columns`, `rows` and
  `differences` from the paper's protocol. A row has `labels`, `values` (by column a list with a
  figure per seed, or `None`), `published` (the paper's figures by corpus and column) and `notes`,
  the reasons for missing figures; and, as `add_significance` says, `against` and `p_values`;
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
        lines += write_table(_table(table, report, each=True), "markdown").split("\n")
        lines += _significance(table)
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
        numbers = ", ".join(map(str, seeds))
        lines.append(
            f"Mean ± standard deviation over the seeds {numbers} (with the figure of each)."
        )
    for network, overrides in report["overrides"].items():
        if overrides:
            where = f"`{network}`" if network else "all configs"
            lines.append(f"Changed in {where}: `{json.dumps(overrides)}`.")
    return lines


def _networks(report: Report) -> List[str]:
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
        lines.append(write_table(Table(header, report["trainings"]), "markdown"))
    return lines


def table_files(report: Report) -> Dict[str, str]:
    """
    Returns each table as files in LaTeX, with mean and standard deviation, and in CSV, with
    unrounded figures, their standard deviations and their p-values in columns of their own.
    """
    files = {}
    for table in report["tables"]:
        as_latex = write_table(_table(table, report, each=False), "latex")
        files[f"table{table['number']}.tex"] = as_latex + "\n"
        files[f"table{table['number']}.csv"] = write_table(_unrounded(table, report), "csv") + "\n"
    return files


def _table(table: Mapping[str, Any], report: Report, each: bool) -> Table:
    """A table to read; with `each`, means are followed by the figures of all seeds."""
    sources = _sources(table, report["data"])
    header = list(table["headings"])
    for column, corpora in zip(table["columns"], sources, strict=True):
        header += [column, *_paper_headings(column, corpora, report)]
    rows: List[List[Cell]] = []
    for row in table["rows"]:
        cells: List[Cell] = list(row["labels"])
        for position, corpora in enumerate(sources):
            cells.append(format_values(row["values"][position], each))
            cells += [_published(row, corpus, position) for corpus in corpora]
        rows.append(cells)
    return Table(header, rows, len(table["headings"]))


def _unrounded(table: Mapping[str, Any], report: Report) -> Table:
    sources = _sources(table, report["data"])
    header = list(table["headings"])
    for column, corpora in zip(table["columns"], sources, strict=True):
        own = [column, f"{column}, standard deviation", f"{column}, seeds", f"{column}, p"]
        header += [*own, *_paper_headings(column, corpora, report)]
    rows: List[List[Cell]] = []
    for row in table["rows"]:
        cells: List[Cell] = list(row["labels"])
        for position, corpora in enumerate(sources):
            values = row["values"][position] or []
            cells.append(statistics.fmean(values) if values else None)
            cells.append(statistics.stdev(values) if len(values) > 1 else None)
            cells += [len(values), row["p_values"][position]]
            cells += [_published(row, corpus, position) for corpus in corpora]
        rows.append([*cells, row["against"]])
    return Table([*header, "against"], rows)


def _paper_headings(column: str, corpora: Sequence[str], report: Report) -> Iterator[str]:
    for corpus in corpora:
        of = "" if corpus == report["data"] else f" ({report['corpora'][corpus]})"
        yield f"{column}, paper{of}"


def add_significance(report: Report) -> None:
    """
    Adds to each row of a report with two or more seeds `against`, the label of the first such row
    of the same data and words, and `p_values`, by column those of `welch_p_value` between the two;
    `None` where there is nothing to compare.
    """
    for table in report["tables"]:
        first: Dict[Tuple[str, ...], Mapping[str, Any]] = {}
        for row in table["rows"]:
            row["against"], row["p_values"] = None, [None] * len(table["columns"])
            if not any(values and len(values) > 1 for values in row["values"]):
                continue
            *group, _ = row["labels"]
            # The words of the user's own rows are unknown.
            others = [r for key, r in first.items() if key[: len(group) - 1] == tuple(group[:-1])]
            is_own = len(group) > 1 and not group[-1]
            other = (others or [row])[0] if is_own else first.setdefault(tuple(group), row)
            if other is not row:
                row["against"] = ", ".join(filter(None, other["labels"]))
                pairs = zip(row["values"], other["values"], strict=True)
                row["p_values"] = [welch_p_value(one or [], two or []) for one, two in pairs]


def welch_p_value(first: Sequence[float], second: Sequence[float]) -> Optional[float]:
    """
    Returns the two-sided p-value of Welch's t-test (Welch 1947) between the scores of two systems
    with several seeds each; `None` with less than two seeds, or if no system varies. It does not
    assume that both vary equally, and keeps its error rate with few seeds (Colas et al. 2018, "How
    Many Random Seeds?").
    """
    from scipy.stats import ttest_ind

    if min(len(first), len(second)) < 2 or len({*first}) == len({*second}) == 1:
        return None
    return float(ttest_ind(first, second, equal_var=False).pvalue)


def _significance(table: Mapping[str, Any]) -> List[str]:
    rows: List[List[Cell]] = [
        [", ".join(filter(None, row["labels"])), row["against"], *map(_p_value, row["p_values"])]
        for row in table["rows"]
        if row["against"] is not None
    ]
    if not rows:
        return []
    said = (
        "p-values of the difference over seeds, by Welch's t-test, two-sided, not corrected for "
        "the number of tests:"
    )
    headings = ["", "against", *table["columns"]]
    return ["", said, "", *write_table(Table(headings, rows), "markdown").split("\n")]


def _p_value(value: Optional[float]) -> Optional[str]:
    return None if value is None else f"{value:.4f}"


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


def format_values(values: Optional[Sequence[float]], each: bool = True) -> Optional[str]:
    """
    Returns the figure of one seed; of several, their mean and standard deviation, and with `each`
    their figures.
    """
    if not values:
        return None
    if len(values) == 1:
        return f"{values[0]:.2f}"
    spread = f"{statistics.fmean(values):.2f} ± {statistics.stdev(values):.2f}"
    return f"{spread} ({', '.join(f'{value:.2f}' for value in values)})" if each else spread
