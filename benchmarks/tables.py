"""
Makes the tables of RESULTS.md and docs/ from the records in benchmarks/records.

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
from typing import Any, Callable, Dict, List, Optional, Sequence

from benchmarks.records import CONDITIONS, FOLDER, RELATIONS, ROOT, Figure, Record, Row

LAYOUTS = Path(__file__).with_name("tables.json")
OPENING = re.compile(r"^<!-- table: ", re.MULTILINE)
MARKER = re.compile(
    r"^(<!-- table: (?P<name>\S+) -->\n)(?P<table>.*?)^(<!-- end -->)$", re.DOTALL | re.MULTILINE
)

Records = Dict[str, Record]


@dataclass
class Entry:
    """A row of a table."""

    label: str
    # The names of the records that it is from.
    records: List[str]
    # The figures of all pooled rows, with complete conditions.
    row: Row
    # The metric of columns that name none.
    metric: str = ""

    def find_metric(self, metrics: str) -> str:
        """Returns the first of the metrics, separated by `|`, that the row has."""
        named = metrics.split("|") if metrics else [self.metric]
        return next((metric for metric in named if metric in self.row.figures), named[0])

    def cell(self, column: str, decimals: int, folder: str) -> str:
        """
        Returns the text of a cell. `column` is `label`, `record`, one of `CONDITIONS`, or one of
        `SHOWN`, followed by `:METRIC` or, if it shows the entry's own metric, by nothing. `folder`
        is the path of the records.
        """
        if column == "label":
            return self.label
        if column == "record":
            return ", ".join(f"[record]({folder}/{record}.json)" for record in self.records)
        if column in CONDITIONS:
            return self.row.conditions.get(column, "")
        kind, _, metrics = column.partition(":")
        metric = self.find_metric(metrics)
        if kind == "paper":
            return number(self.row.paper.get(metric), 2)
        if metric not in self.row.figures:
            return ""
        return SHOWN[kind](self.row.figures[metric], self.row, metric, decimals)


def read_records(folder: Path) -> Records:
    return {path.stem: Record.read(path) for path in sorted(folder.glob("*.json"))}


def find_rows(source: str, records: Records, place: str) -> List[Row]:
    """
    Returns the rows of `RECORD`, or those of one system (`RECORD/SYSTEM`), with the conditions of
    the record unless they have their own.
    """
    name, _, system = source.partition("/")
    record = records[name]
    rows = [
        replace(row, conditions={**record.conditions, **row.conditions})
        for row in record.rows
        if system in ("", row.system)
    ]
    if not rows:
        raise ValueError(f"{place}: found no system {system!r} in {name}.json")
    return rows


def pooled(label: str, rows: Sequence[Row], place: str) -> Row:
    """Returns one row with the runs of several rows of the same system."""
    figures: Dict[str, List[Figure]] = {}
    bars, paper = {}, {}
    for row in rows:
        for metric, figure in row.figures.items():
            figures.setdefault(metric, []).append(figure)
        for merged, added in ((bars, row.bars), (paper, row.paper)):
            for metric, value in added.items():
                if merged.setdefault(metric, value) != value:
                    raise ValueError(f"{place}, {label}: found different bars of {metric}")
    conditions = {
        key: ", ".join(dict.fromkeys(r.conditions[key] for r in rows if key in r.conditions))
        for key in CONDITIONS
    }
    merged_figures = {metric: Figure.pooled(parts) for metric, parts in figures.items()}
    return Row(label, merged_figures, bars, paper, conditions=conditions)


def make_entries(specs: Sequence[Any], records: Records, place: str) -> List[Entry]:
    """
    Returns the rows of a layout. Each spec is `RECORD`, `RECORD/SYSTEM`, or an object with a
    `label`, the sources `from` which to pool figures, and optionally a `metric`.
    """
    entries = []
    for spec in specs:
        if isinstance(spec, str):
            record = spec.partition("/")[0]
            entries += [Entry(row.system, [record], row) for row in find_rows(spec, records, place)]
            continue
        label, metric = spec["label"], spec.get("metric", "")
        rows = [row for source in spec["from"] for row in find_rows(source, records, place)]
        rows = [row for row in rows if not metric or metric in row.figures]
        if not rows:
            raise ValueError(f"{place}, {label}: found no figure {metric!r}")
        names = list(dict.fromkeys(source.partition("/")[0] for source in spec["from"]))
        entries.append(Entry(label, names, pooled(label, rows, place), metric))
    return entries


def number(value: Optional[float], decimals: int) -> str:
    return "" if value is None else f"{value:,.{decimals}f}"


def show_range(figure: Figure, row: Row, metric: str, decimals: int) -> str:
    """Returns the lowest and the highest value of several runs."""
    extremes = None if figure.num_runs == 1 else figure.extremes()
    return "" if extremes is None else " to ".join(number(end, decimals) for end in extremes)


def show_bar(figure: Figure, row: Row, metric: str, decimals: int) -> str:
    """Returns the bar, and whether the median misses it."""
    if metric not in row.bars:
        return ""
    relation, bar = row.bars[metric]
    return f"{RELATIONS[relation]} {bar:g}" + ("" if figure.meets((relation, bar)) else ", missed")


SHOWN: Dict[str, Callable[[Figure, Row, str, int], str]] = {
    "value": lambda figure, row, metric, decimals: number(figure.median(), decimals),
    "each": lambda figure, row, metric, decimals: ", ".join(
        number(value, decimals) for value in figure.values
    ),
    "range": show_range,
    "runs": lambda figure, row, metric, decimals: number(figure.num_runs, 0),
    "bar": show_bar,
}


def column_decimals(entries: Sequence[Entry], column: str) -> List[int]:
    """
    Returns the decimal places of a column's cells. They follow each row's values, but are equal in
    a column that shows one value of the same metric per row.
    """
    kind, _, metrics = column.partition(":")
    found = (entry.row.figures.get(entry.find_metric(metrics)) for entry in entries)
    own = [0 if figure is None else figure.decimals for figure in found]
    return [max(own, default=0)] * len(own) if metrics and kind != "each" else own


def check_columns(columns: Sequence[str], entries: Sequence[Entry], place: str) -> None:
    """Raises `ValueError` if no row has the metric of a column."""
    for column in columns:
        metrics = column.partition(":")[2]
        if metrics and not any(e.find_metric(metrics) in e.row.figures for e in entries):
            raise ValueError(f"{place}: found no figure {metrics!r} in its rows")


def make_table(name: str, layouts: Dict[str, Any], records: Records, folder: str) -> str:
    """Returns a table as Markdown: a layout, or a record with a column per metric."""
    layout = layouts.get(name, {"rows": [name]})
    place = f"{LAYOUTS.name}, {name}"
    entries = make_entries(layout["rows"], records, place)
    metrics = dict.fromkeys(metric for entry in entries for metric in entry.row.figures)
    columns = layout.get("columns") or {metric: f"value:{metric}" for metric in metrics}
    check_columns(list(columns.values()), entries, place)
    columns = {layout.get("head", "system"): "label", **columns, "how": "record"}
    cells = [
        [
            entry.cell(column, decimals, folder)
            for entry, decimals in zip(entries, column_decimals(entries, column), strict=True)
        ]
        for column in columns.values()
    ]
    rows = [list(columns), ["---"] * len(columns), *map(list, zip(*cells, strict=True))]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def fill(
    path: Path, text: str, layouts: Dict[str, Any], records: Records, root: Path = ROOT
) -> str:
    """Returns the text of a file with its tables updated."""
    folder = os.path.relpath(root / FOLDER, path.parent)
    filled, count = MARKER.subn(
        lambda found: found[1] + make_table(found["name"], layouts, records, folder) + found[4],
        text,
    )
    begun = len(OPENING.findall(text))
    if count != begun:
        raise ValueError(f"{path.name}: found {begun} tables that begin, {count} of them complete")
    return filled


def documents(root: Path) -> List[Path]:
    """Lists the files that may contain tables."""
    folders = (root, root / "docs", root / "docs" / "results")
    return [path for folder in folders for path in sorted(folder.glob("*.md"))]


def stale_files(root: Path = ROOT) -> Dict[Path, str]:
    """Returns the updated texts of the files that differ from the records."""
    records = read_records(root / FOLDER)
    layouts = json.loads(LAYOUTS.read_text(encoding="utf-8"))
    expected = {
        path: fill(path, path.read_text(encoding="utf-8"), layouts, records, root)
        for path in documents(root)
    }
    return {p: text for p, text in expected.items() if p.read_text(encoding="utf-8") != text}


def main(arguments: Optional[Sequence[str]] = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit with 1 if a table is stale"
    )
    args = parser.parse_args(arguments)
    stale = stale_files(root)
    for path, text in stale.items():
        if not args.check:
            path.write_text(text, encoding="utf-8")
        print(f"{path.relative_to(root)}: {'stale' if args.check else 'written'}")
    return int(args.check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
