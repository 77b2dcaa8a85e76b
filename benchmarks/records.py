"""
Records of measurements: the JSON files of docs/results, whose keys docs/results/README.md
describes. The benchmarks write them with `--json`; `python -m benchmarks.tables` makes the
project's tables.
"""

import datetime
import json
import os
import platform
import shlex
import statistics
import subprocess
from dataclasses import dataclass, field, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs" / "results"
CODE = ("benchmarks", "experiments", "lisa_allennlp", "training_configs")
"""The folders on which figures depend."""

CONDITIONS = ("commit", "date", "seed", "setting", "hardware", "software")
RELATIONS = {">=": "≥", "<=": "≤"}
SIGNIFICANT_DIGITS = 4

PLACEHOLDERS = {
    "--corpus": "DIR",
    "--archive": "MODEL",
    "--vectors": "VECTORS",
    "--ud": "UD",
    "--elmo": "ELMO",
    "--transformer": "TRANSFORMER",
    "--root": "CHECKOUT",
}
"""What replaces the paths of a machine in a recorded command."""

Bar = Tuple[str, float]
"""A relation, `>=` or `<=`, and the value that a figure should reach."""


class RecordError(ValueError):
    """An invalid record or table; the message names the place."""


@dataclass
class Figure:
    """
    A measured quantity.

    # Parameters

    values : `List[float]`
        One per run.
    low, high : `float`, optional (default = `None`)
        The lowest and the highest value, if not every value was kept.
    runs : `int`, optional (default = `None`)
        The number of runs, if not every value was kept.
    """

    values: List[float]
    low: Optional[float] = None
    high: Optional[float] = None
    runs: Optional[int] = None

    @classmethod
    def from_json(cls, data: Any, place: str) -> "Figure":
        """
        # Raises

        `RecordError`
            If `data` is neither a number, nor a list of numbers, nor an object with these fields.
        """
        if _is_number(data):
            return cls([data])
        if isinstance(data, list) and data and all(map(_is_number, data)):
            return cls(data)
        if isinstance(data, dict):
            figure = cls(**{"values": [], **checked_keys(data, _names(cls), place)})
            if figure.low is not None and figure.high is not None:
                return figure
        raise RecordError(
            f"{place}: found {json.dumps(data)}; expected a number, a list of numbers, or an "
            "object with low and high"
        )

    def to_json(self) -> Any:
        """The shortest form that `from_json` reads."""
        if self.low is None and self.high is None and self.runs is None:
            return self.values[0] if len(self.values) == 1 else self.values
        return {name: value for name, value in vars(self).items() if value not in (None, [])}

    @classmethod
    def pooled(cls, figures: Sequence["Figure"]) -> "Figure":
        """One figure with the runs of several."""
        values = [value for figure in figures for value in figure.values]
        if all(figure.low is None for figure in figures):
            return cls(values)
        extremes = [pair for figure in figures if (pair := figure.extremes()) is not None]
        runs = [figure.num_runs for figure in figures]
        return cls(
            values,
            min(low for low, _ in extremes),
            max(high for _, high in extremes),
            None if None in runs else sum(runs),
        )

    @property
    def num_runs(self) -> Optional[int]:
        """The number of runs; `None` if it was not kept."""
        return len(self.values) if self.low is None else self.runs

    def median(self) -> Optional[float]:
        """The median of the values that were kept."""
        return statistics.median(self.values) if self.values else None

    def meets(self, bar: Bar) -> bool:
        """Whether the median reaches a bar. A figure without a median misses none."""
        relation, limit = bar
        median = self.median()
        if median is None:
            return True
        return median >= limit if relation == ">=" else median <= limit

    def extremes(self) -> Optional[Tuple[float, float]]:
        """The lowest and the highest value."""
        known = self._known()
        return (min(known), max(known)) if known else None

    @property
    def decimals(self) -> int:
        """The largest number of decimal places in its values."""
        return max((_decimals(value) for value in self._known()), default=0)

    def _known(self) -> List[float]:
        return [*self.values, *(x for x in (self.low, self.high) if x is not None)]


@dataclass
class Row:
    """
    The figures of one system under the same conditions.

    # Parameters

    figures : `Dict[str, Figure]`
        By metric.
    bars : `Dict[str, Bar]`
        By metric.
    paper : `Dict[str, float]`
        The paper's figures by metric.
    commands : `List[str]`
        The names of the commands in the record that give these figures.
    conditions : `Dict[str, str]`
        The `CONDITIONS` that differ from the record's.
    """

    system: str
    figures: Dict[str, Figure]
    bars: Dict[str, Bar] = field(default_factory=dict)
    paper: Dict[str, float] = field(default_factory=dict)
    commands: List[str] = field(default_factory=list)
    conditions: Dict[str, str] = field(default_factory=dict)
    notes: str = ""

    @classmethod
    def from_json(cls, data: Dict[str, Any], place: str) -> "Row":
        """
        # Raises

        `RecordError`
            If a key is unknown or missing, or has a value of the wrong type.
        """
        known = ("system", "figures", "bars", "paper", "commands", "notes", *CONDITIONS)
        checked_keys(data, known, place, required=("system", "figures"))
        place = f"{place}, {data['system']}"
        bars = {
            metric: _read_bar(bar, place, metric) for metric, bar in data.get("bars", {}).items()
        }
        return cls(
            system=data["system"],
            figures={
                metric: Figure.from_json(figure, f"{place}, {metric}")
                for metric, figure in data["figures"].items()
            },
            bars=bars,
            paper=data.get("paper", {}),
            commands=data.get("commands", []),
            conditions={key: data[key] for key in CONDITIONS if key in data},
            notes=data.get("notes", ""),
        )

    def to_json(self) -> Dict[str, Any]:
        """What `from_json` reads."""
        figures = {metric: figure.to_json() for metric, figure in self.figures.items()}
        rest = {"bars": self.bars, "paper": self.paper, "commands": self.commands}
        rest = {**rest, **self.conditions, "notes": self.notes}
        return {"system": self.system, "figures": figures, **_without_empty(rest)}


@dataclass
class Record:
    """
    The figures of one comparison.

    # Parameters

    data : `str`
        The corpus, its part, and the amount of data.
    commands : `Dict[str, str]`
        Command lines by name; `DIR` is the corpus folder.
    conditions : `Dict[str, str]`
        The `CONDITIONS` that were recorded.
    paper : `str`
        The source and the corpus of the paper's figures.
    """

    title: str
    data: str
    commands: Dict[str, str]
    rows: List[Row]
    conditions: Dict[str, str] = field(default_factory=dict)
    paper: str = ""
    notes: List[str] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path) -> "Record":
        """
        # Raises

        `RecordError`
            If the file is not a record.
        """
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise RecordError(f"{path.name}: found no JSON ({error})") from error
        known = ("title", "data", "commands", "rows", "paper", "notes", *CONDITIONS)
        checked_keys(data, known, path.name, required=("title", "data", "commands", "rows"))
        record = cls(
            title=data["title"],
            data=data["data"],
            commands=data["commands"],
            rows=[
                Row.from_json(row, f"{path.name}, row {number}")
                for number, row in enumerate(data["rows"], 1)
            ],
            conditions={key: data[key] for key in CONDITIONS if key in data},
            paper=data.get("paper", ""),
            notes=data.get("notes", []),
        )
        for row in record.rows:
            checked_keys(dict.fromkeys(row.commands), record.commands, f"{path.name}, {row.system}")
        return record

    def write(self, path: Path) -> None:
        """Writes what `read` reads."""
        rest = {**self.conditions, "paper": self.paper, "notes": self.notes}
        data = {
            "title": self.title,
            "data": self.data,
            "commands": self.commands,
            **_without_empty(rest),
            "rows": [row.to_json() for row in self.rows],
        }
        text = json.dumps(data, indent=2, ensure_ascii=False)
        path.write_text(text + "\n", encoding="utf-8")


def checked_keys(data: Any, known: Any, place: str, required: Sequence[str] = ()) -> Dict[str, Any]:
    """
    # Returns

    `Dict[str, Any]`
        `data`.

    # Raises

    `RecordError`
        If `data` is not an object, has a key that is not `known`, or lacks a `required` one.
    """
    if not isinstance(data, dict):
        raise RecordError(f"{place}: found {json.dumps(data)}; expected an object")
    for key in data:
        if key not in known:
            raise RecordError(f"{place}: found {key!r}; expected one of {', '.join(known)}")
    for key in required:
        if key not in data:
            raise RecordError(f"{place}: found no {key!r}")
    return data


def rounded(value: float) -> float:
    """The value with `SIGNIFICANT_DIGITS` digits; whole numbers stay as they are."""
    if value == int(value):
        return int(value)
    shortened = float(f"{value:.{SIGNIFICANT_DIGITS}g}")
    return int(shortened) if shortened.is_integer() else shortened


def readable(value: float, decimals: Optional[int] = None) -> str:
    """A number for a table; without `decimals`, rounded to significant digits."""
    if decimals is None:
        value = rounded(value)
        decimals = _decimals(value)
    return f"{value:,.{decimals}f}"


def command_of(benchmark: str, arguments: Sequence[str]) -> str:
    """A benchmark's command line without the paths of this machine and without its outputs."""
    words: List[str] = []
    rest = iter(arguments)
    for word in rest:
        option, equals, _ = word.partition("=")
        if option == "--check":
            continue
        if option == "--json" or option in PLACEHOLDERS:
            if not equals:
                next(rest, None)
            words += [option, PLACEHOLDERS[option]] if option in PLACEHOLDERS else []
            continue
        words.append(word)
    return shlex.join(["python", "-m", f"benchmarks.{benchmark}", *words])


def conditions_here(setting: str, accelerator: Optional[str] = None) -> Dict[str, str]:
    """
    The conditions of a measurement made now, on this machine, from this checkout.

    # Parameters

    setting : `str`
        Threads, processes and clock.
    accelerator : `str`, optional (default = `None`)
        The name of the GPU that was used.
    """
    commit = current_commit(ROOT)
    hardware = f"{processor()}, {os.cpu_count()} cores"
    packages = ["torch", "allennlp"]
    versions = [f"{name} {version(name).partition('+')[0]}" for name in packages]
    return {
        **({} if commit is None else {"commit": commit}),
        "date": datetime.date.today().isoformat(),
        "setting": setting,
        "hardware": hardware if accelerator is None else f"{hardware}, {accelerator}",
        "software": ", ".join([f"Python {platform.python_version()}", *versions]),
    }


def current_commit(checkout: Path) -> Optional[str]:
    """The current commit, and whether the code differs from it; `None` outside git."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(checkout), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    try:
        commit = git("rev-parse", "--short", "HEAD")
        changed = git("status", "--porcelain", "--", *CODE)
    except (OSError, subprocess.CalledProcessError):
        return None
    return f"{commit} with uncommitted changes" if changed else commit


def processor(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """The model of the processor, or its architecture if there is no /proc."""
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.machine()


def _read_bar(bar: Any, place: str, metric: str) -> Bar:
    if isinstance(bar, list) and len(bar) == 2 and bar[0] in RELATIONS and _is_number(bar[1]):
        return (bar[0], bar[1])
    raise RecordError(
        f'{place}, bar of {metric}: found {json.dumps(bar)}; expected [">=" or "<=", a number]'
    )


def _names(cls: Any) -> List[str]:
    return [entry.name for entry in fields(cls)]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _decimals(value: float) -> int:
    return len(repr(value).partition(".")[2]) if isinstance(value, float) else 0


def _without_empty(data: Dict[str, Any]) -> Dict[str, Any]:
    return {key: value for key, value in data.items() if value not in ("", [], {})}
