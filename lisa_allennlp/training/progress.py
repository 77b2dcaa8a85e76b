"""Shows a training: a line of progress, a table with a row per epoch, and short metrics."""

import datetime
import math
import os
import time
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import rich
from allennlp.common import logging as common_logging
from allennlp.training.callbacks import TrainerCallback
from rich.live import Live
from rich.text import Text

from lisa_allennlp.training.recoverable_trainer import random_states, set_random_states

METRICS_NAME = "metrics.json"

MAIN_SCORES = ("uas", "las", "accuracy")

DEFAULT_VALIDATION_METRIC = "-loss"
"""AllenNLP's default."""

FILE_FRIENDLY_INTERVAL = 10.0

INTERVAL = 0.2

BEST = "*"

NO_BARS = "TQDM_DISABLE"
"""The variable that turns AllenNLP's progress bars off, if it is set before tqdm is imported."""

_LEAST_WIDTH = 8


class ProgressLine:
    """
    A line that is replaced by the next, below other output. Without a terminal nothing is shown.
    With AllenNLP's `--file-friendly-logging`, each text is a line of its own.
    """

    def __init__(self) -> None:
        self._live: Optional[Live] = None
        self._next = 0.0

    def is_due(self) -> bool:
        return time.monotonic() >= self._next

    def show(self, text: str) -> None:
        console = rich.get_console()
        if common_logging.FILE_FRIENDLY_LOGGING:
            self._next = time.monotonic() + FILE_FRIENDLY_INTERVAL
            console.print(text, markup=False, highlight=False, soft_wrap=True)
            return
        self._next = time.monotonic() + INTERVAL
        if not console.is_terminal or console.is_dumb_terminal:
            return
        if self._live is None:
            self._live = Live(console=console, auto_refresh=False, transient=True)
            self._live.start()
            # A program that is killed cannot show it again.
            console.show_cursor(True)
        self._live.update(Text(text, no_wrap=True, overflow="ellipsis"), refresh=True)

    def clear(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None


LINE = ProgressLine()


@TrainerCallback.register("progress")
class Progress(TrainerCallback):
    """
    Shows a training. After each epoch, a row of a table is printed: the epoch, the losses, the
    validation scores, the time of the epoch, and a mark if it is the best epoch so far. Epochs
    are counted from 1. On a terminal without AllenNLP's progress bars (`NO_BARS`), the last line
    has the epoch, the batch, the mean loss of the epoch and the time left, if the training uses all
    its epochs; during validation, the scores so far.

    `lisa train` adds it to every training. For `allennlp train`, it is one of the trainer's
    `callbacks`: `{ type: 'progress' }`.
    """

    def __init__(self, serialization_dir: str) -> None:
        super().__init__(serialization_dir)
        self._totals: Dict[bool, Optional[int]] = {}
        self._left = TimeLeft()
        self._table: Optional[EpochTable] = None
        self._scores: List[str] = []
        self._epoch_started = 0.0

    def on_start(self, trainer: Any, is_primary: bool = True, **kwargs: Any) -> None:
        super().on_start(trainer, is_primary, **kwargs)
        if not is_primary:
            return
        per_step = trainer._num_gradient_accumulation_steps
        self._totals = {
            True: _num_batches(trainer.data_loader, per_step),
            False: _num_batches(trainer._validation_data_loader),
        }
        self._scores = [name for _, name in trainer._metric_tracker.tracked_metrics]
        self._epoch_started = time.monotonic()

    def on_batch(
        self,
        trainer: Any,
        batch_inputs: Any,
        batch_outputs: Any,
        batch_metrics: Dict[str, Any],
        epoch: int,
        batch_number: int,
        is_training: bool,
        is_primary: bool = True,
        batch_grad_norm: Optional[float] = None,
        **kwargs: Any,
    ) -> None:
        if not (is_primary and os.environ.get(NO_BARS)):
            return
        total = self._totals[is_training]
        if is_training:
            done = epoch + (batch_number / total if total else 0.0)
            self._left.update(done, time.monotonic())
        if not LINE.is_due():
            return
        parts = [f"epoch {epoch + 1}/{trainer._num_epochs}"]
        count = f"{batch_number}/{total}" if total else str(batch_number)
        if is_training:
            parts += [f"batch {count}", f"loss {format_metric(batch_metrics['loss'])}"]
        else:
            parts.append(f"validation {count}")
            names = shown_scores(self._scores, batch_metrics)
            parts += [f"{name} {format_metric(batch_metrics[name])}" for name in names]
        seconds = self._left.seconds(trainer._num_epochs)
        if seconds is not None:
            parts.append(f"{format_seconds(seconds)} left")
        LINE.show("  ".join(parts))

    def on_epoch(
        self,
        trainer: Any,
        metrics: Dict[str, Any],
        epoch: int,
        is_primary: bool = True,
        **kwargs: Any,
    ) -> None:
        if not is_primary:
            return
        now = time.monotonic()
        if self._table is None:
            self._table = EpochTable(metrics, self._scores)
            _print(self._table.header())
        _print(self._table.row(metrics, epoch, now - self._epoch_started))
        self._epoch_started = now

    def on_end(self, *args: Any, is_primary: bool = True, **kwargs: Any) -> None:
        if is_primary:
            LINE.clear()


class TimeLeft:
    """Estimates the time left, from the progress since the training was started or recovered."""

    def __init__(self) -> None:
        self._first: Optional[Tuple[float, float]] = None
        self._last = (0.0, 0.0)

    def update(self, epochs_done: float, now: float) -> None:
        self._last = (epochs_done, now)
        self._first = self._first or self._last

    def seconds(self, num_epochs: int) -> Optional[float]:
        """Returns the seconds until a number of epochs is done; `None` before any progress."""
        (first, started), (last, now) = self._first or self._last, self._last
        if last <= first:
            return None
        return (now - started) / (last - first) * (num_epochs - last)


class EpochTable:
    """
    Formats the rows of a table, with columns for the metrics of the first shown epoch. `chosen` are
    the validation metrics that choose the best epoch.
    """

    def __init__(self, metrics: Mapping[str, Any], chosen: Sequence[str]) -> None:
        self._keys = {"train loss": "training_loss"}
        if "validation_loss" in metrics:
            self._keys["val loss"] = "validation_loss"
        for name in shown_scores(chosen, metrics, "validation_"):
            self._keys[name] = f"validation_{name}"

    def header(self) -> str:
        return self._join(["epoch", *self._keys, "time", ""])

    def row(self, metrics: Mapping[str, Any], epoch: int, seconds: float) -> str:
        values = [metrics.get(key) for key in self._keys.values()]
        cells = ["-" if value is None else format_metric(value) for value in values]
        is_validated = any(key.startswith("validation_") for key in self._keys.values())
        mark = BEST if is_validated and metrics.get("best_epoch") == epoch else ""
        return self._join([str(epoch + 1), *cells, format_seconds(seconds), mark])

    def _join(self, cells: Sequence[str]) -> str:
        first, *others, mark = cells
        widths = [max(len(name), _LEAST_WIDTH) for name in [*self._keys, "time"]]
        columns = [cell.rjust(width) for cell, width in zip(others, widths, strict=True)]
        return "  ".join([first.rjust(5), *columns, mark]).rstrip()


def _num_batches(loader: Any, per_step: int = 1) -> Optional[int]:
    # A batch sampler may count its batches by drawing some.
    states = random_states()
    try:
        return math.ceil(len(loader) / per_step)
    except TypeError:
        return None
    finally:
        set_random_states(states)


def _print(text: str) -> None:
    rich.get_console().print(text, markup=False, highlight=False, soft_wrap=True)


def tracked_metrics(validation_metric: Union[str, Sequence[str], None]) -> List[str]:
    chosen = validation_metric or DEFAULT_VALIDATION_METRIC
    return [name.lstrip("+-") for name in ([chosen] if isinstance(chosen, str) else chosen)]


def format_metric(value: float) -> str:
    return f"{value:.2f}" if abs(value) >= 1 or value == 0 else f"{value:.4f}"


def format_seconds(seconds: float) -> str:
    text = str(datetime.timedelta(seconds=round(seconds)))
    return text.removeprefix("0:").removeprefix("0") if seconds < 3600 else text


def duration(text: Optional[str]) -> Optional[str]:
    """Rounds the `training_duration` of `metrics.json` to seconds."""
    if not text:
        return None
    days, _, clock = text.rpartition(", ")
    hours, minutes, seconds = map(float, clock.split(":"))
    whole = 3600 * hours + 60 * minutes + seconds
    return format_seconds(whole + (86400 * int(days.split()[0]) if days else 0))


def shown_scores(
    chosen: Sequence[str], metrics: Mapping[str, object], prefix: str = ""
) -> List[str]:
    """Returns the scores to show: those that choose the best epoch, then `MAIN_SCORES`."""
    names = dict.fromkeys([*chosen, *MAIN_SCORES])
    return [name for name in names if prefix + name in metrics and name != "loss"]
