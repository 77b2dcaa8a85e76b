"""Ends a training that has used up its time."""

import json
import logging
import os
import time
from pathlib import Path
from typing import Any, Dict, Optional

from allennlp.nn.util import dist_reduce_sum
from allennlp.training.callbacks import TrainerCallback

from lisa_allennlp.common.complete_files import complete_file
from lisa_allennlp.common.errors import ConfigurationError

FILE_NAME = "time_limit.json"
"""The file in the serialization directory of a training that the limit has ended."""

VARIABLE = "LISA_MAX_HOURS"
"""The environment variable with the limit in hours; empty for no limit."""

logger = logging.getLogger(__name__)


@TrainerCallback.register("time_limit")
class TimeLimit(TrainerCallback):
    """
    Ends a training before the epoch that would exceed a limit of wall-clock time, if it takes as
    long as the last one. The training then ends as if it had run out of patience: the model is that
    of the best epoch. The first epoch is always completed. Reading the data is not counted; the
    time of earlier runs of the same training is.

    The limit is the value of the environment variable `LISA_MAX_HOURS`, not a key of the config,
    because a training can only be continued with the config that it was started with:
    `LISA_MAX_HOURS=20 lisa train CONFIG -s OUT --recover` continues a training that a limit of ten
    hours has ended. `time_limit.json` in the serialization directory tells that, and after how many
    epochs, until the training has been completed.
    """

    def __init__(self, serialization_dir: str) -> None:
        super().__init__(serialization_dir)
        self._file = Path(serialization_dir) / FILE_NAME
        self._max_hours = _hours(os.environ.get(VARIABLE, ""))
        self._before = 0.0
        self._started = self._epoch_started = time.monotonic()
        # Of the last epoch of an earlier run.
        self._epoch_seconds: Optional[float] = None
        self._is_cut = False

    def on_start(self, trainer: Any, is_primary: bool = True, **kwargs: Any) -> None:
        super().on_start(trainer, is_primary, **kwargs)
        self._started = self._epoch_started = time.monotonic()
        if self._epoch_seconds is not None and trainer._start_after_batches_in_epoch_completed == 0:
            # The earlier run may have been killed after the limit had ended it.
            self._maybe_cut(trainer, trainer._start_after_epochs_completed, is_primary)

    def on_epoch(
        self,
        trainer: Any,
        metrics: Dict[str, Any],
        epoch: int,
        is_primary: bool = True,
        **kwargs: Any,
    ) -> None:
        now = time.monotonic()
        self._epoch_seconds, self._epoch_started = now - self._epoch_started, now
        self._maybe_cut(trainer, epoch + 1, is_primary)

    def _maybe_cut(self, trainer: Any, epochs: int, is_primary: bool) -> None:
        seconds, limit = self._seconds(), self._max_hours
        would_exceed = seconds + (self._epoch_seconds or 0.0) > limit * 3600
        ends_anyway = epochs == trainer._num_epochs or trainer._metric_tracker.should_stop_early()
        # The workers of a distributed training have to stop together.
        if ends_anyway or not dist_reduce_sum(int(would_exceed)):
            return
        self._is_cut = True
        trainer._metric_tracker._patience = 0
        if is_primary:
            logger.info("The time limit of %g hours ends the training at epoch %d", limit, epochs)
            record = {"max_hours": limit, "hours": seconds / 3600, "epochs": epochs}
            record["num_epochs"] = trainer._num_epochs
            with complete_file(self._file) as partial:
                partial.write_text(json.dumps(record) + "\n", encoding="utf-8")

    def on_end(
        self, *args: Any, epoch: Optional[int] = None, is_primary: bool = True, **kwargs: Any
    ) -> None:
        # There is no epoch if an error or an interruption ended the training.
        if is_primary and epoch is not None and not self._is_cut:
            self._file.unlink(missing_ok=True)

    def state_dict(self) -> Dict[str, Any]:
        return {"seconds": self._seconds(), "epoch_seconds": self._epoch_seconds}

    def load_state_dict(self, state_dict: Dict[str, Any]) -> None:
        self._before = state_dict["seconds"]
        self._epoch_seconds = state_dict["epoch_seconds"]

    def _seconds(self) -> float:
        return self._before + time.monotonic() - self._started


def _hours(text: str) -> float:
    try:
        limit = float(text or "inf")
    except ValueError:
        limit = -1.0
    if not limit > 0:
        raise ConfigurationError(
            f"{VARIABLE}: found '{text}'; expected a positive number of hours, or nothing"
        )
    return limit
