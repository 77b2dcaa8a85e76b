"""
`lisa print-results`: shows the results of several trainings as a table.

```
lisa print-results out/lisa out/sa
```
"""

import argparse
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List

from lisa_allennlp.commands import options
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.training import run_metrics

if TYPE_CHECKING:
    from lisa_allennlp.common.tables import Cell

_BEST = "best_validation_"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "A training that has not ended is shown as of its last epoch."
    text = "the output folder of a training, or a folder to search for them"
    parser.add_argument("path", nargs="+", metavar="OUT", help=text)
    parser.add_argument(
        "-k",
        "--keys",
        nargs="+",
        metavar="KEY",
        help="the keys of the metrics file to show; - for those that a training lacks (default: "
        "the best epoch, its validation scores, and the time)",
    )
    options.add_table_style(parser)


def run(args: argparse.Namespace) -> None:
    """Prints a row per training: the chosen metrics, or the scores of the best epoch."""
    from lisa_allennlp.common.tables import Table, write_table

    trainings = {
        folder: metrics for path in args.path for folder, metrics in _find(Path(path)).items()
    }
    headings = args.keys
    rows = [[_cell(found.get(key)) for key in args.keys or []] for found in trainings.values()]
    if not args.keys:
        scores = _scores_of(trainings)
        headings = ["epochs", "best", *scores, "time"]
        rows = [_default_row(found, scores) for found in trainings.values()]
    cells = [[str(folder), *row] for folder, row in zip(trainings, rows, strict=True)]
    print(write_table(Table(["", *headings], cells), args.table_style, run_metrics.format_metric))


def _find(path: Path) -> Dict[Path, Dict[str, Any]]:
    """The last metrics of the trainings in a folder and its subfolders, by their folder."""
    epochs = [(re.fullmatch(r"metrics_epoch_(\d+)\.json", f.name), f) for f in path.rglob("*.json")]
    numbered = sorted((int(match[1]), file) for match, file in epochs if match)
    found = {file.parent: file for _, file in numbered}
    found.update((file.parent, file) for file in path.rglob(run_metrics.METRICS_NAME))
    if not found:
        raise ConfigurationError(
            f"{path}: found no {run_metrics.METRICS_NAME}; expected the output folder of a "
            "training, or a folder with some"
        )
    return {folder: _read(found[folder]) for folder in sorted(found)}


def _read(file: Path) -> Dict[str, Any]:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        found = f"found no valid JSON ({error})"
        raise ConfigurationError(f"{file}: {found}; expected metrics") from error


def _scores_of(trainings: Dict[Path, Dict[str, Any]]) -> List[str]:
    """The metrics that the trainings chose their best epochs by, and the main scores of any."""
    wanted: List[str] = []
    for folder in trainings:
        file = folder / "config.json"
        config = _read(file) if file.is_file() else {}
        metric = config.get("trainer", {}).get("validation_metric")
        wanted.extend(run_metrics.tracked_metrics(metric))
    names = dict.fromkeys([*wanted, *run_metrics.MAIN_SCORES])
    return [n for n in names if any(_BEST + n in metrics for metrics in trainings.values())]


def _default_row(metrics: Dict[str, Any], scores: List[str]) -> List["Cell"]:
    epoch, best = metrics.get("epoch"), metrics.get("best_epoch")
    return [
        None if epoch is None else epoch + 1,
        None if best is None else best + 1,
        *(_cell(metrics.get(_BEST + name)) for name in scores),
        run_metrics.duration(metrics.get("training_duration")),
    ]


def _cell(value: Any) -> "Cell":
    return value if value is None or isinstance(value, (int, float, str)) else str(value)
