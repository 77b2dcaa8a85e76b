"""
The `print-results` command: shows the results of several trainings as a table.

```
lisa print-results out/lisa out/sa
```
"""

import argparse
import json
import re
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence

from allennlp.commands.print_results import PrintResults
from allennlp.common.checks import ConfigurationError
from allennlp.models.archival import CONFIG_NAME

from lisa_allennlp.commands.arguments import print_results as print_results_arguments
from lisa_allennlp.commands.replaced import takes_the_place_of
from lisa_allennlp.common.tables import format_table
from lisa_allennlp.training.run_metrics import (
    MAIN_SCORES,
    METRICS_NAME,
    duration,
    format_metric,
    tracked_metrics,
)

MISSING = "-"
"""What is shown for a metric that a training does not have."""


@takes_the_place_of("print-results")
class LisaPrintResults(PrintResults):
    """
    AllenNLP's `print-results` command with these changes:

    - It takes any number of folders.
    - Without `--keys` it shows the scores of the best epoch. AllenNLP's raises an error.
    - It prints an aligned table.
    - It also shows trainings that have not ended.
    """

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        """Adds the arguments of the command."""
        subparser = print_results_arguments.add_parser(parser)
        subparser.set_defaults(func=print_results)
        return subparser


class Run(NamedTuple):
    """A training: its folder, and the last metrics that it wrote."""

    folder: Path
    metrics: Dict[str, Any]


def print_results(args: argparse.Namespace) -> None:
    """
    Runs the command.

    # Raises

    `ConfigurationError`
        If there is no training in one of the folders, or a metrics file is damaged.
    """
    runs = [run for path in args.path for run in find_runs(Path(path), args.metrics_filename)]
    if args.keys:
        headings = args.keys
        rows = [[_shown(run.metrics.get(key)) for key in args.keys] for run in runs]
    else:
        scores = _scores_of(runs)
        headings = ["epochs", "best", *scores, "time"]
        rows = [_default_row(run.metrics, scores) for run in runs]
    names = [[str(run.folder)] for run in runs]
    cells = [name + row for name, row in zip(names, rows, strict=True)]
    print(format_table(cells, ["", *headings], align_right=True))


def find_runs(path: Path, metrics_name: str = METRICS_NAME) -> List[Run]:
    """
    The trainings in a folder and its subfolders, sorted by folder.

    # Raises

    `ConfigurationError`
        If there is none, or a metrics file is damaged.
    """
    found = {file.parent: file for file in _epoch_files(path)}
    found.update((file.parent, file) for file in path.rglob(metrics_name))
    if not found:
        raise ConfigurationError(
            f"{path}: found no {metrics_name}; expected the output folder of a training, or a "
            "folder with some"
        )
    return [Run(folder, _read(found[folder])) for folder in sorted(found)]


def _epoch_files(path: Path) -> Iterator[Path]:
    """The metrics files of epochs, those of a folder in the order of the epochs."""
    files = [(re.fullmatch(r"metrics_epoch_(\d+)\.json", f.name), f) for f in path.rglob("*.json")]
    numbered = [(int(match[1]), file) for match, file in files if match]
    yield from (file for _, file in sorted(numbered))


def _read(file: Path) -> Dict[str, Any]:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ConfigurationError(
            f"{file}: found no valid JSON ({error}); expected metrics"
        ) from error


def _scores_of(runs: Sequence[Run]) -> List[str]:
    """The metrics that the trainings chose their best epochs by, and the main scores of any."""
    chosen = [name for run in runs for name in _chosen_metrics(run.folder)]
    wanted = dict.fromkeys([*chosen, *MAIN_SCORES])
    return [name for name in wanted if any(_best(run.metrics, name) is not None for run in runs)]


def _chosen_metrics(folder: Path) -> List[str]:
    file = folder / CONFIG_NAME
    config = _read(file) if file.is_file() else {}
    return tracked_metrics(config.get("trainer", {}).get("validation_metric"))


def _default_row(metrics: Dict[str, Any], scores: Sequence[str]) -> List[str]:
    epoch, best = metrics.get("epoch"), metrics.get("best_epoch")
    return [
        MISSING if epoch is None else str(epoch + 1),
        MISSING if best is None else str(best + 1),
        *(_shown(_best(metrics, name)) for name in scores),
        duration(metrics.get("training_duration")) or MISSING,
    ]


def _best(metrics: Dict[str, Any], name: str) -> Optional[float]:
    return metrics.get(f"best_validation_{name}")


def _shown(value: Any) -> str:
    if value is None:
        return MISSING
    return format_metric(value) if isinstance(value, float) else str(value)
