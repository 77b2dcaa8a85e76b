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
import statistics
import sys
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence

from benchmarks.records import CONDITIONS, FOLDER, ROOT

LAYOUTS = Path(__file__).with_name("tables.json")
MARKER = re.compile(
    r"^(<!-- table: (?P<name>\S+) -->\n)(?P<table>.*?)^(<!-- end -->)$", re.DOTALL | re.MULTILINE
)

Records = Dict[str, Dict[str, Any]]
"""The records by the names of their files."""


class Figure(NamedTuple):
    """The values of the runs; those that are known if not every value was kept, with `ends`."""

    values: List[float]
    ends: List[float]
    runs: Optional[int]

    @classmethod
    def pooled(cls, figures: Sequence[Any]) -> "Figure":
        """Pools figures of records: each is a number, a list of them, or an object."""
        lists = [f if isinstance(f, (dict, list)) else [f] for f in figures]
        parts = [f if isinstance(f, dict) else {"values": f, "runs": len(f)} for f in lists]
        values = [value for part in parts for value in part.get("values", [])]
        ends = [part[end] for part in parts for end in ("low", "high") if end in part]
        runs = [part.get("runs") for part in parts]
        return cls(values, ends, None if None in runs else sum(map(int, runs)))

    @property
    def decimals(self) -> int:
        """The largest number of decimal places in its values."""
        known = [value for value in (*self.values, *self.ends) if isinstance(value, float)]
        return max((len(repr(value).partition(".")[2]) for value in known), default=0)

    def cell(self, kind: str, bar: Sequence[Any], decimals: int) -> str:
        """Shows the median, each value, the range of several runs, their number, or the bar."""
        median = statistics.median(self.values) if self.values else None
        if kind == "runs":
            return "" if self.runs is None else str(self.runs)
        if kind == "bar" and bar:
            is_missed = median is not None and not meets(median, bar)
            return f"{'≥' if bar[0] == '>=' else '≤'} {bar[1]:g}{', missed' * is_missed}"
        known = [*self.values, *self.ends]
        extremes = [min(known), max(known)] if self.runs != 1 else []
        medians = [] if median is None else [median]
        shown = {"value": medians, "each": self.values, "range": extremes}.get(kind, [])
        return (" to " if kind == "range" else ", ").join(f"{x:,.{decimals}f}" for x in shown)


def meets(value: float, bar: Sequence[Any]) -> bool:
    """Whether a value reaches a bar, `>=` or `<=` and a number."""
    return value >= bar[1] if bar[0] == ">=" else value <= bar[1]


class Entry(NamedTuple):
    """A row of a table, from rows of records, and the metric of columns that name none."""

    label: str
    records: Sequence[str]
    rows: Sequence[Dict[str, Any]]
    metric: str = ""

    def metric_of(self, column: str) -> str:
        """The first of a column's metrics, `KIND:METRIC|METRIC`, that the row has."""
        named = (column.partition(":")[2] or self.metric).split("|")
        return next((m for m in named if any(m in row["figures"] for row in self.rows)), named[0])

    def figure(self, column: str) -> Optional[Figure]:
        metric = self.metric_of(column)
        found = [row["figures"][metric] for row in self.rows if metric in row["figures"]]
        return Figure.pooled(found) if found else None

    def value(self, key: str, metric: str) -> Any:
        """The bar or the paper's figure of a metric."""
        found = (row.get(key, {}).get(metric) for row in self.rows)
        return next((value for value in found if value is not None), None)

    def cell(self, column: str, decimals: int, folder: str) -> str:
        if column == "label":
            return self.label
        if column == "record":
            return ", ".join(f"[record]({folder}/{record}.json)" for record in self.records)
        if column in CONDITIONS:
            return ", ".join(dict.fromkeys(r[column] for r in self.rows if r.get(column)))
        kind, metric, figure = column.partition(":")[0], self.metric_of(column), self.figure(column)
        if kind == "paper":
            value = self.value("paper", metric)
            return "" if value is None else f"{value:,.2f}"
        bar = self.value("bars", metric) or ()
        return "" if figure is None else figure.cell(kind, bar, decimals)


def read_records(folder: Path) -> Records:
    paths = sorted(folder.glob("*.json"))
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}


def make_entries(specs: Sequence[Any], records: Records) -> Iterator[Entry]:
    """
    Yields the rows of a layout. Each spec is `RECORD`, `RECORD/SYSTEM`, or an object with a
    `label`, the sources `from` which to pool figures, and optionally a `metric`.
    """
    for spec in specs:
        sources = [spec] if isinstance(spec, str) else spec["from"]
        metric = "" if isinstance(spec, str) else spec.get("metric", "")
        names = list(dict.fromkeys(source.partition("/")[0] for source in sources))
        rows = [
            {**{key: records[name].get(key) for key in CONDITIONS}, **row}
            for name, _, system in (source.partition("/") for source in sources)
            for row in records[name]["rows"]
            if system in ("", row["system"]) and (not metric or metric in row["figures"])
        ]
        if not rows:
            raise ValueError(f"{LAYOUTS.name}: found no row of {spec}")
        if isinstance(spec, str):
            yield from (Entry(row["system"], names, [row]) for row in rows)
        else:
            yield Entry(spec["label"], names, rows, metric)


def make_table(name: str, layouts: Dict[str, Any], records: Records, folder: str) -> str:
    """Returns a table as Markdown: a layout, or a record with a column per metric."""
    layout = layouts.get(name, {"rows": [name]})
    entries = list(make_entries(layout["rows"], records))
    metrics = dict.fromkeys(m for entry in entries for row in entry.rows for m in row["figures"])
    columns = layout.get("columns") or {metric: f"value:{metric}" for metric in metrics}
    columns = {layout.get("head", "system"): "label", **columns, "how": "record"}
    cells = []
    for column in columns.values():
        figures = [entry.figure(column) for entry in entries]
        decimals = [0 if figure is None else figure.decimals for figure in figures]
        if ":" in column and not column.startswith("each:"):
            # A column that shows one value of the same metric per row.
            decimals = [max(decimals)] * len(decimals)
        pairs = zip(entries, decimals, strict=True)
        cells.append([entry.cell(column, own, folder) for entry, own in pairs])
    rows = [list(columns), ["---"] * len(columns), *map(list, zip(*cells, strict=True))]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def stale_files(root: Path = ROOT) -> Dict[Path, str]:
    """Returns the updated texts of the files whose tables differ from the records."""
    records = read_records(root / FOLDER)
    layouts = json.loads(LAYOUTS.read_text(encoding="utf-8"))
    stale = {}
    for path in documents(root):
        text, folder = path.read_text(encoding="utf-8"), os.path.relpath(root / FOLDER, path.parent)
        filled = fill(text, layouts, records, folder)
        if filled != text:
            stale[path] = filled
    return stale


def fill(text: str, layouts: Dict[str, Any], records: Records, folder: str) -> str:
    def updated(found: "re.Match[str]") -> str:
        return found[1] + make_table(found["name"], layouts, records, folder) + found[4]

    return MARKER.sub(updated, text)


def documents(root: Path) -> List[Path]:
    folders = (root, root / "docs", root / "docs" / "results")
    return [path for folder in folders for path in sorted(folder.glob("*.md"))]


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
