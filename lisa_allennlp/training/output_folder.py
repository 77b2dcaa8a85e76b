"""
The output folder of a training.

>>> import tempfile
>>> folder = tempfile.TemporaryDirectory()
>>> _ = (Path(folder.name) / "config.json").write_text("{}")
>>> clear_unfinished(folder.name)
>>> os.listdir(folder.name)
[]
>>> folder.cleanup()
"""

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any, Dict, Iterator, List, Union

from allennlp.common.checks import ConfigurationError
from allennlp.models.archival import CONFIG_NAME

from lisa_allennlp.training.run_metrics import (
    METRICS_NAME,
    duration,
    format_metric,
    shown_scores,
    tracked_metrics,
)

ARCHIVE_NAME = "model.tar.gz"

VOCABULARY_NAME = "vocabulary"

_WITHOUT_WEIGHTS = re.compile(
    rf"{CONFIG_NAME}|meta\.json|metrics\.json|metrics_epoch_\d+\.json|out\.log|out_worker\d+\.log|"
    rf"{VOCABULARY_NAME}|log|gates\.jsonl|.*\.partial"
)
"""What a training writes before its first checkpoint."""

_WEIGHTS = re.compile(r"(model_state|training_state|best).*\.th|model\.tar\.gz|weights\..*")


def clear_unfinished(folder: Union[str, os.PathLike]) -> None:
    """
    Empties a folder that has only what a training wrote which failed before its first checkpoint:
    config, vocabulary and logs. A folder that does not exist is left alone.

    # Raises

    `ConfigurationError`
        If the folder has weights or anything else.
    """
    path = Path(folder)
    if path.is_file():
        raise ConfigurationError(f"--serialization-dir: found the file {path}; expected a folder")
    if not path.is_dir():
        return
    found = sorted(entry.name for entry in path.iterdir())
    weights = _weights(path)
    if weights:
        raise ConfigurationError(
            f"--serialization-dir: found a training with weights in {path} ({weights[0]}); "
            "expected a new folder, --recover to continue the training, or --force to delete it"
        )
    for name in found:
        if not _WITHOUT_WEIGHTS.fullmatch(name):
            raise ConfigurationError(
                f"--serialization-dir: found {name} in {path}, which is no file of a training; "
                "expected a new or empty folder, or --force to delete everything in it"
            )
    for name in found:
        entry = path / name
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


def has_weights(folder: Union[str, os.PathLike]) -> bool:
    """Whether a training in a folder has saved weights."""
    return bool(_weights(Path(folder)))


def _weights(folder: Path) -> List[str]:
    found = sorted(entry.name for entry in folder.iterdir()) if folder.is_dir() else []
    return [name for name in found if _WEIGHTS.fullmatch(name)]


def describe(folder: Path, dry_run: bool = False) -> List[str]:
    """
    What a training has made, in a few lines.

    # Parameters

    folder : `Path`
    dry_run : `bool`, optional (default = `False`)
        Whether nothing was trained.
    """
    if dry_run:
        return list(_describe_vocabulary(folder / VOCABULARY_NAME))
    metrics = _read(folder / METRICS_NAME)
    chosen = tracked_metrics(_read(folder / CONFIG_NAME)["trainer"].get("validation_metric"))
    best = "best_validation_"
    names = shown_scores(chosen, metrics, best) or ["loss"]
    scores = [f"{n} {format_metric(metrics[best + n])}" for n in names if best + n in metrics]
    # A training that had ended before it was recovered has no last epoch.
    last = f" of {metrics['epoch'] + 1}" if "epoch" in metrics else ""
    lines = []
    # Without validation data, AllenNLP's best epoch means nothing.
    if scores:
        lines.append(f"best epoch: {metrics['best_epoch'] + 1}{last}, {', '.join(scores)}")
    lines.append(f"model: {folder / ARCHIVE_NAME}")
    time = duration(metrics.get("training_duration"))
    return [*lines, f"time: {time}"] if time else lines


def _describe_vocabulary(folder: Path) -> Iterator[str]:
    yield f"dry run: the data and the model can be built; the vocabulary is in {folder}"
    for file in sorted(folder.glob("*.txt")):
        if file.name != "non_padded_namespaces.txt":
            with open(file, encoding="utf-8") as lines:
                yield f"  {file.stem}: {sum(1 for _ in lines):,} entries"


def _read(file: Path) -> Dict[str, Any]:
    return json.loads(file.read_text(encoding="utf-8"))
