"""The output folder of a training: its preparation, and a summary at the end."""

import json
import re
import shutil
from pathlib import Path
from typing import Any, Dict, Iterator, List

from allennlp.common import Params
from allennlp.models.archival import CONFIG_NAME

from lisa_allennlp.common.complete_files import complete_file
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.models_on_disk.model_folder import STORED_NAME
from lisa_allennlp.models_on_disk.pretrained import GRAPHS_NAME, NETWORK_NAME
from lisa_allennlp.training.progress import (
    METRICS_NAME,
    duration,
    format_metric,
    shown_scores,
    tracked_metrics,
)

ARCHIVE_NAME, VOCABULARY_NAME = "model.tar.gz", "vocabulary"

NUM_EPOCHS = "trainer.num_epochs"
"""The only key of a config that may change when a training is recovered."""

_WITHOUT_WEIGHTS = re.compile(
    rf"{CONFIG_NAME}|meta\.json|metrics\.json|metrics_epoch_\d+\.json|out\.log|out_worker\d+\.log|"
    rf"{VOCABULARY_NAME}|{NETWORK_NAME}|{GRAPHS_NAME}|{STORED_NAME}|log|gates\.jsonl|.*\.partial"
)

_WEIGHTS = re.compile(r"model_state.*\.th|best.*\.(th|safetensors)|model\.tar\.gz|weights\..*")


def prepare_folder(folder: Path, params: Params, recover: bool) -> bool:
    """
    Prepares the output folder of a training; returns whether to continue one. Empties the folder of
    a training that failed before its first checkpoint; any other content is a `ConfigurationError`.
    The config of a training to recover may have another number of epochs, and is written again.
    """
    if folder.is_file():
        raise ConfigurationError(f"--serialization-dir: found the file {folder}; expected a folder")
    names = sorted(entry.name for entry in folder.iterdir()) if folder.is_dir() else []
    weights = [name for name in names if _WEIGHTS.fullmatch(name)]
    if recover and weights:
        _write_config(folder / CONFIG_NAME, params)
        return True
    if weights:
        raise ConfigurationError(
            f"--serialization-dir: found a training with weights in {folder} ({weights[0]}); "
            "expected a new folder, --recover to continue the training, or --force to delete it"
        )
    for name in names:
        if not _WITHOUT_WEIGHTS.fullmatch(name):
            raise ConfigurationError(
                f"--serialization-dir: found {name} in {folder}, which is no file of a training; "
                "expected a new or empty folder, or --force to delete everything in it"
            )
    for name in names:
        entry = folder / name
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    return False


def with_progress(config: Dict[str, Any]) -> Dict[str, Any]:
    trainer = config["trainer"]
    callbacks = trainer.get("callbacks") or []
    if "progress" in callbacks or {"type": "progress"} in callbacks:
        return config
    return {**config, "trainer": {**trainer, "callbacks": [*callbacks, "progress"]}}


def _write_config(file: Path, params: Params) -> None:
    # `allennlp train` may have begun it.
    new, old = (
        Params(with_progress(found.as_dict(quiet=True))).as_flat_dict()
        for found in (params, Params.from_file(file))
    )
    for key in sorted(new.keys() | old.keys()):
        if key != NUM_EPOCHS and new.get(key) != old.get(key):
            raise ConfigurationError(
                f"{key}: found {json.dumps(new.get(key))}; expected {json.dumps(old.get(key))}, as "
                f"in {file}: --recover continues the same training. Only {NUM_EPOCHS} may change"
            )
    with complete_file(file) as partial:
        params.to_file(str(partial))


def describe(folder: Path, dry_run: bool = False) -> List[str]:
    """Summarises a training in a few lines; in a `dry_run`, nothing was trained."""
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
