"""
Makes the tables of RESULTS.md and docs/, and the list of commands docs/results/commands.md, from
the records in docs/results.

A table is between `<!-- table: NAME -->` and `<!-- end -->`. NAME is a layout of
benchmarks/tables.json or a record; a record is shown with all its rows and figures.

    python -m benchmarks.tables [--check]
"""

import argparse
import json
import os
import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence

from benchmarks.records import (
    CONDITIONS,
    RELATIONS,
    RESULTS,
    ROOT,
    Figure,
    Record,
    RecordError,
    Row,
    checked_keys,
)

LAYOUTS = Path(__file__).with_name("tables.json")
COMMANDS_PAGE = RESULTS / "commands.md"
OPENING = re.compile(r"^<!-- table: ", re.MULTILINE)
MARKER = re.compile(
    r"^(<!-- table: (?P<name>\S+) -->\n)(?P<table>.*?)^(<!-- end -->)$", re.DOTALL | re.MULTILINE
)

Records = Dict[str, Record]


@dataclass
class Entry:
    """
    A row of a table.

    # Parameters

    records : `List[str]`
        The names of the records with its commands.
    row : `Row`
        The figures of all pooled rows, with complete conditions.
    metric : `str`, optional (default = `None`)
        The metric of columns that name none.
    """

    label: str
    records: List[str]
    row: Row
    metric: Optional[str] = None


def read_records(folder: Path) -> Records:
    """All records of a folder, by file name."""
    return {path.stem: Record.read(path) for path in sorted(folder.glob("*.json"))}


def find_rows(source: str, records: Records, place: str) -> List[Row]:
    """
    # Parameters

    source : `str`
        `RECORD` for all rows of a record, `RECORD/SYSTEM` for the rows of one system.
    place : `str`
        The place of `source`, for errors.

    # Returns

    `List[Row]`
        The rows, with the conditions and commands of the record unless they have their own.

    # Raises

    `RecordError`
        If there is no such record or system.
    """
    name, _, system = source.partition("/")
    if name not in records:
        raise RecordError(f"{place}: found no record {name!r} in docs/results")
    record = records[name]
    rows = [
        replace(
            row,
            conditions={**record.conditions, **row.conditions},
            commands=row.commands or list(record.commands),
        )
        for row in record.rows
        if system in ("", row.system)
    ]
    if not rows:
        raise RecordError(f"{place}: found no system {system!r} in {name}.json")
    return rows


def pooled(label: str, rows: Sequence[Row], place: str) -> Row:
    """
    One row with the runs of several rows of the same system.

    # Raises

    `RecordError`
        If they differ in a bar or in the paper's figures.
    """
    figures: Dict[str, List[Figure]] = {}
    bars, paper = {}, {}
    for row in rows:
        for metric, figure in row.figures.items():
            figures.setdefault(metric, []).append(figure)
        for merged, added in ((bars, row.bars), (paper, row.paper)):
            for metric, value in added.items():
                if merged.setdefault(metric, value) != value:
                    raise RecordError(
                        f"{place}, {label}: found {merged[metric]} and {value} for {metric}; "
                        "expected the same in all rows"
                    )
    conditions = {
        key: ", ".join(dict.fromkeys(r.conditions[key] for r in rows if key in r.conditions))
        for key in CONDITIONS
    }
    commands = list(dict.fromkeys(command for row in rows for command in row.commands))
    merged_figures = {metric: Figure.pooled(parts) for metric, parts in figures.items()}
    return Row(label, merged_figures, bars, paper, commands, conditions)


def make_entries(specs: Sequence[Any], records: Records, place: str) -> List[Entry]:
    """
    The rows of a layout. Each spec is `RECORD`, `RECORD/SYSTEM`, or an object with a `label`, the
    sources `from` which to pool figures, and optionally a `metric`.
    """
    entries = []
    for spec in specs:
        if isinstance(spec, str):
            record = spec.partition("/")[0]
            entries += [Entry(row.system, [record], row) for row in find_rows(spec, records, place)]
            continue
        keys = ("label", "from", "metric")
        checked_keys(spec, keys, place, required=("label", "from"))
        rows = [row for source in spec["from"] for row in find_rows(source, records, place)]
        names = list(dict.fromkeys(source.partition("/")[0] for source in spec["from"]))
        metric = spec.get("metric")
        if metric is not None:
            rows = [row for row in rows if metric in row.figures]
            if not rows:
                raise RecordError(f"{place}, {spec['label']}: found no figure {metric!r}")
        label = spec["label"]
        entries.append(Entry(label, names, pooled(label, rows, place), metric))
    return entries


def number(value: Optional[float], decimals: int) -> str:
    """The text of a cell."""
    return "" if value is None else f"{value:,.{decimals}f}"


def show_value(row: Row, metric: str, decimals: int) -> str:
    """The median."""
    figure = row.figures.get(metric)
    return "" if figure is None else number(figure.median(), decimals)


def show_each(row: Row, metric: str, decimals: int) -> str:
    """All values."""
    figure = row.figures.get(metric)
    return "" if figure is None else ", ".join(number(value, decimals) for value in figure.values)


def show_range(row: Row, metric: str, decimals: int) -> str:
    """The lowest and the highest value of several runs."""
    figure = row.figures.get(metric)
    extremes = None if figure is None or figure.num_runs == 1 else figure.extremes()
    return "" if extremes is None else " to ".join(number(end, decimals) for end in extremes)


def show_runs(row: Row, metric: str, decimals: int) -> str:
    """The number of runs."""
    runs = row.figures[metric].num_runs if metric in row.figures else None
    return "" if runs is None else str(runs)


def show_bar(row: Row, metric: str, decimals: int) -> str:
    """The bar, and whether the median misses it."""
    if metric not in row.bars:
        return ""
    relation, bar = row.bars[metric]
    is_met = row.figures[metric].meets((relation, bar))
    return f"{RELATIONS[relation]} {bar:g}" + ("" if is_met else ", missed")


def show_paper(row: Row, metric: str, decimals: int) -> str:
    """The paper's figure."""
    return number(row.paper.get(metric), 2)


SHOWN: Dict[str, Callable[[Row, str, int], str]] = {
    "value": show_value,
    "each": show_each,
    "range": show_range,
    "runs": show_runs,
    "bar": show_bar,
    "paper": show_paper,
}


def make_cell(entry: Entry, column: str, decimals: int, page: str) -> str:
    """
    # Parameters

    column : `str`
        `label`, `command`, one of `CONDITIONS`, or one of `SHOWN`, followed by `:METRIC` unless it
        shows the entry's own metric. Of several metrics, separated by `|`, the first is shown that
        the row has.
    page : `str`
        The path of the list of commands, relative to the file with the table.
    """
    if column == "label":
        return entry.label
    if column == "command":
        return ", ".join(f"[command]({page}#{record})" for record in entry.records)
    if column in CONDITIONS:
        return entry.row.conditions.get(column, "")
    kind, _, metrics = column.partition(":")
    metric = find_metric(entry, metrics)
    return SHOWN[kind](entry.row, metric, decimals)


def find_metric(entry: Entry, metrics: str) -> str:
    """The first of the metrics that the row has."""
    named = metrics.split("|") if metrics else [entry.metric or ""]
    return next((metric for metric in named if metric in entry.row.figures), named[0])


def column_decimals(entries: Sequence[Entry], column: str) -> List[int]:
    """
    The decimal places of a column's cells. They follow each row's values, but are equal in a column
    that shows one value of the same metric per row.
    """
    kind, _, metrics = column.partition(":")
    own = [
        entry.row.figures[metric].decimals if metric in entry.row.figures else 0
        for entry in entries
        for metric in [find_metric(entry, metrics)]
    ]
    is_uniform = bool(metrics) and kind != "each"
    return [max(own, default=0)] * len(own) if is_uniform else own


def default_columns(entries: Sequence[Entry]) -> Dict[str, str]:
    """One column per metric."""
    metrics = dict.fromkeys(metric for entry in entries for metric in entry.row.figures)
    return {metric: f"value:{metric}" for metric in metrics}


def check_columns(columns: Iterable[str], entries: Sequence[Entry], place: str) -> None:
    """
    # Raises

    `RecordError`
        If a column is unknown, or no row has its metric.
    """
    for column in columns:
        kind, _, metrics = column.partition(":")
        if kind not in (*SHOWN, *CONDITIONS):
            raise RecordError(
                f"{place}: found the column {column!r}; expected one of "
                f"{', '.join((*SHOWN, *CONDITIONS))}"
            )
        if metrics and not any(find_metric(e, metrics) in e.row.figures for e in entries):
            raise RecordError(f"{place}: found no figure {metrics!r} in its rows")


def make_table(name: str, layouts: Dict[str, Any], records: Records, page: str) -> str:
    """
    A table as Markdown.

    # Raises

    `RecordError`
        If `name` is neither a layout nor a record, or the layout names missing rows or metrics.
    """
    if name not in layouts and name not in records:
        raise RecordError(
            f"found the table {name!r}; expected a layout of {LAYOUTS.name} or a record of "
            "docs/results"
        )
    layout = layouts.get(name, {"rows": [name]})
    place = f"{LAYOUTS.name}, {name}"
    checked_keys(layout, ("head", "columns", "rows"), place, required=("rows",))
    entries = make_entries(layout["rows"], records, place)
    columns = layout.get("columns") or default_columns(entries)
    check_columns(columns.values(), entries, place)
    columns = {layout.get("head", "system"): "label", **columns, "how": "command"}
    cells = [
        [
            make_cell(entry, column, decimals, page)
            for entry, decimals in zip(entries, column_decimals(entries, column), strict=True)
        ]
        for column in columns.values()
    ]
    rows = [list(columns), ["---"] * len(columns), *map(list, zip(*cells, strict=True))]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def fill(path: Path, text: str, layouts: Dict[str, Any], records: Records) -> str:
    """
    The text of a file with its tables updated.

    # Raises

    `RecordError`
        If a table is unknown or has no end.
    """
    page = Path(os.path.relpath(COMMANDS_PAGE, path.parent)).as_posix()

    def table(match: re.Match) -> str:
        if OPENING.search(match["table"]):
            raise RecordError(f"{path.name}: found no <!-- end --> for the table {match['name']!r}")
        return match[1] + make_table(match["name"], layouts, records, page) + match[4]

    filled, count = MARKER.subn(table, text)
    begun = len(OPENING.findall(text))
    if count != begun:
        raise RecordError(f"{path.name}: found {begun} tables that begin, {count} of them complete")
    return filled


def make_commands_page(records: Records) -> str:
    """A page with the commands, conditions and notes of all records."""
    parts = [
        "# Commands of the results\n",
        "Made from the records in this folder by `python -m benchmarks.tables`; see "
        "[README.md](README.md). `DIR` is the corpus folder.\n",
    ]
    for name, record in records.items():
        parts += [f"## {name}\n", f"{record.title} ([record]({name}.json)). Data: {record.data}.\n"]
        parts += [f"{_conditions(record.conditions)}\n"] if record.conditions else []
        if record.paper:
            parts.append(f"The paper's figures: {record.paper}.\n")
        for key, command in record.commands.items():
            lines = "\n".join(f"    {line}" for line in command.splitlines())
            parts.append(f"{key}:\n\n{lines}\n")
        notes = [*record.notes, *_notes_of_rows(record.rows)]
        parts += ["".join(f"- {note}\n" for note in notes)] if notes else []
    return "\n".join(parts)


def _notes_of_rows(rows: Sequence[Row]) -> List[str]:
    """Notes, and conditions that differ from the record's, each with its systems."""
    systems: Dict[str, List[str]] = {}
    for row in rows:
        text = "; ".join(f"{key} {value}" for key, value in row.conditions.items())
        for note in filter(None, [text, row.notes]):
            systems.setdefault(note, []).append(row.system)
    return [f"{', '.join(dict.fromkeys(names))}: {note}" for note, names in systems.items()]


def _conditions(conditions: Dict[str, str]) -> str:
    return "; ".join(f"{key}: {value}" for key, value in conditions.items()) + "."


def documents(root: Path) -> List[Path]:
    """The files that may contain tables."""
    folders = (root, root / "docs", root / "docs" / "results")
    return [path for folder in folders for path in sorted(folder.glob("*.md"))]


def stale_files(root: Path = ROOT) -> Dict[Path, str]:
    """
    # Returns

    `Dict[Path, str]`
        The updated texts of the files that differ from the records.
    """
    records = read_records(root / "docs" / "results")
    layouts = json.loads(LAYOUTS.read_text(encoding="utf-8"))
    expected = {
        path: fill(path, path.read_text(encoding="utf-8"), layouts, records)
        for path in documents(root)
        if path.name != COMMANDS_PAGE.name
    }
    expected[root / COMMANDS_PAGE.relative_to(ROOT)] = make_commands_page(records)
    return {
        path: text
        for path, text in expected.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    }


def main(arguments: Optional[Sequence[str]] = None, root: Path = ROOT) -> int:
    """Writes the tables; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit with 1 if a table is stale"
    )
    args = parser.parse_args(arguments)
    try:
        stale = stale_files(root)
    except RecordError as error:
        print(f"benchmarks.tables: {error}", file=sys.stderr)
        return 1
    for path, text in stale.items():
        if not args.check:
            path.write_text(text, encoding="utf-8")
        print(f"{path.relative_to(root)}: {'stale' if args.check else 'written'}")
    return int(args.check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
