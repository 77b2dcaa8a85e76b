"""
Records of measurements: the JSON files of the folder `records`, whose keys its README.md describes.
The benchmarks write them with `--json`; `python -m benchmarks.tables` makes the project's tables.
"""

import datetime
import json
import os
import platform
import shlex
import statistics
import subprocess
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

ROOT = Path(__file__).resolve().parent.parent
FOLDER = "benchmarks/records"
CODE = ("benchmarks", f":!{FOLDER}", "experiments", "lisa_allennlp", "training_configs")
"""The folders on which figures depend, as git names them."""

CONDITIONS = ("commit", "date", "seed", "setting", "hardware", "software")
RELATIONS = {">=": "≥", "<=": "≤"}
SIGNIFICANT_DIGITS = 4

PLACEHOLDERS = {
    "--corpus": "DIR",
    "--against": "CHECKOUT",
    "--archive": "MODEL",
    "--models": "MODELS",
    "--vectors": "VECTORS",
    "--frames": "FRAMES",
    "--ud": "UD",
    "--elmo": "ELMO",
    "--transformer": "TRANSFORMER",
    "--root": "CHECKOUT",
    "--out": "OUT",
}
"""What replaces the paths of a machine in a recorded command."""

Bar = Tuple[str, float]
"""A relation, `>=` or `<=`, and the value that a figure should reach."""


@dataclass
class Figure:
    """A measured quantity: a value per run, or the extremes if not every value was kept."""

    values: List[float]
    low: Optional[float] = None
    high: Optional[float] = None
    runs: Optional[int] = None

    @classmethod
    def from_json(cls, data: Any) -> "Figure":
        """Reads a number, a list of numbers, or an object with `low` and `high`."""
        if isinstance(data, dict):
            return cls(**{"values": [], **data})
        return cls(data if isinstance(data, list) else [data])

    def to_json(self) -> Any:
        """Returns the shortest form that `from_json` reads."""
        if self.low is None and self.high is None and self.runs is None:
            return self.values[0] if len(self.values) == 1 else self.values
        return {name: value for name, value in vars(self).items() if value not in (None, [])}

    @classmethod
    def pooled(cls, figures: Sequence["Figure"]) -> "Figure":
        values = [value for figure in figures for value in figure.values]
        if all(figure.low is None for figure in figures):
            return cls(values)
        extremes = [end for figure in figures for end in figure.extremes() or ()]
        runs = [figure.num_runs for figure in figures]
        known = [number for number in runs if number is not None]
        total = sum(known) if len(known) == len(runs) else None
        return cls(values, min(extremes), max(extremes), total)

    @property
    def num_runs(self) -> Optional[int]:
        """The number of runs; `None` if it was not kept."""
        return len(self.values) if self.low is None else self.runs

    def median(self) -> Optional[float]:
        return statistics.median(self.values) if self.values else None

    def meets(self, bar: Bar) -> bool:
        """Returns whether the median reaches a bar. A figure without a median misses none."""
        relation, limit = bar
        median = self.median()
        if median is None:
            return True
        return median >= limit if relation == ">=" else median <= limit

    def extremes(self) -> Optional[Tuple[float, float]]:
        known = self._known()
        return (min(known), max(known)) if known else None

    @property
    def decimals(self) -> int:
        """The largest number of decimal places in its values."""
        return max(map(_decimals, self._known()), default=0)

    def _known(self) -> List[float]:
        return [*self.values, *(x for x in (self.low, self.high) if x is not None)]


@dataclass
class Row:
    """The figures of one system under the same conditions; figures and bars by metric."""

    system: str
    figures: Dict[str, Figure]
    bars: Dict[str, Bar] = field(default_factory=dict)
    # The paper's figures by metric.
    paper: Dict[str, float] = field(default_factory=dict)
    # The names of the record's commands that give these figures.
    commands: List[str] = field(default_factory=list)
    # The `CONDITIONS` that differ from the record's.
    conditions: Dict[str, str] = field(default_factory=dict)
    notes: str = ""

    @classmethod
    def from_json(cls, data: Dict[str, Any]) -> "Row":
        data, conditions = _divide(data)
        figures = {metric: Figure.from_json(f) for metric, f in data.pop("figures").items()}
        bars = {metric: (bar[0], bar[1]) for metric, bar in data.pop("bars", {}).items()}
        return cls(figures=figures, bars=bars, conditions=conditions, **data)

    def to_json(self) -> Dict[str, Any]:
        figures = {metric: figure.to_json() for metric, figure in self.figures.items()}
        return {**_flat(self), "figures": figures}


@dataclass
class Record:
    """The figures of one comparison."""

    title: str
    # The corpus, its part, and the amount of data.
    data: str
    # Command lines by name; `DIR` is the corpus folder.
    commands: Dict[str, str]
    rows: List[Row]
    # The `CONDITIONS` that were recorded.
    conditions: Dict[str, str] = field(default_factory=dict)
    # The source and the corpus of the paper's figures.
    paper: str = ""
    notes: List[str] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path) -> "Record":
        data, conditions = _divide(json.loads(path.read_text(encoding="utf-8")))
        rows = list(map(Row.from_json, data.pop("rows")))
        return cls(rows=rows, conditions=conditions, **data)

    def write(self, path: Path) -> None:
        rest = _flat(self)
        del rest["rows"]
        data = {**rest, "rows": [row.to_json() for row in self.rows]}
        text = json.dumps(data, indent=2, ensure_ascii=False)
        path.write_text(text + "\n", encoding="utf-8")


def _divide(data: Dict[str, Any]) -> Tuple[Dict[str, Any], Dict[str, str]]:
    """Separates the conditions from the other keys, beside which they stand in JSON."""
    conditions = {key: data[key] for key in CONDITIONS if key in data}
    return {key: value for key, value in data.items() if key not in CONDITIONS}, conditions


def _flat(item: Any) -> Dict[str, Any]:
    flat = {**vars(item), **item.conditions}
    del flat["conditions"]
    return {key: value for key, value in flat.items() if value not in ("", [], {})}


def rounded(value: float) -> float:
    """Returns the value with `SIGNIFICANT_DIGITS` digits; whole numbers stay as they are."""
    if value == int(value):
        return int(value)
    shortened = float(f"{value:.{SIGNIFICANT_DIGITS}g}")
    return int(shortened) if shortened.is_integer() else shortened


def readable(value: float, decimals: Optional[int] = None) -> str:
    """Returns a number for a table; without `decimals`, rounded to significant digits."""
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
    """Returns the conditions of a measurement made now, on this machine, from this checkout."""
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
    """Returns the current commit, and whether the code differs from it; `None` outside git."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(checkout), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    try:
        commit = git("rev-parse", "--short", "HEAD")
        changed = git("status", "--porcelain", "--", *CODE)
    except (OSError, subprocess.CalledProcessError):
        return None
    return f"{commit} with uncommitted changes" if changed else commit


INSTRUCTIONS = {
    "avx2": "AVX2",
    "avx512f": "AVX-512",
    "avx512_vnni": "VNNI",
    "avx_vnni": "AVX-VNNI",
    "avx512_bf16": "AVX512-BF16",
    "amx_int8": "AMX",
}
"""The names of some flags of processors."""


def processor(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """
    Returns the model of the processor with the instructions that matter for matrix products, or its
    architecture if there is no /proc.
    """
    if not cpuinfo.exists():
        return platform.machine()
    pairs = (line.partition(":") for line in reversed(cpuinfo.read_text().splitlines()))
    found = {key.strip(): value.strip() for key, _, value in pairs}
    flags = found.get("flags", "").split()
    instructions = [name for flag, name in INSTRUCTIONS.items() if flag in flags]
    return ", ".join([found.get("model name", platform.machine()), *instructions])


def _decimals(value: float) -> int:
    return len(repr(value).partition(".")[2]) if isinstance(value, float) else 0
