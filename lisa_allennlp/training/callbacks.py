"""Callbacks: the counts of role labels, a limit of time, and a splitter of sentences."""

import json
import logging
import os
import time
from pathlib import Path
from typing import Any, Dict, Iterable, Optional

import torch
from allennlp.common.util import is_distributed, lazy_groups_of
from allennlp.data import Instance
from allennlp.nn.util import dist_reduce_sum
from allennlp.training.callbacks import TrainerCallback

from lisa_allennlp.common.complete_files import complete_file
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.fields import FramesField
from lisa_allennlp.english.languages import ENGLISH
from lisa_allennlp.modules.role_decoders import RoleDecoder
from lisa_allennlp.text.sentence_splitter import NAMESPACE
from lisa_allennlp.training.output_folder import VOCABULARY_NAME
from lisa_allennlp.training.sentence_splitter import train_on_treebank

logger = logging.getLogger(__name__)

TIME_LIMIT_NAME = "time_limit.json"
"""The file of a training that the limit has ended."""

MAX_HOURS = "LISA_MAX_HOURS"
"""The environment variable with the limit in hours; empty for no limit."""

_GROUP_SIZE = 1000


@TrainerCallback.register("role_statistics")
class RoleStatistics(TrainerCallback):
    """
    Counts the transitions of the training data's role labels for the model's role decoder when
    training starts, also when it is recovered. Each sentence counts once, whatever the number of
    epochs. In distributed training, the counts of all workers are added up. Models without a role
    decoder are left alone.
    """

    def on_start(self, trainer: Any, is_primary: bool = True, **kwargs: Any) -> None:
        super().on_start(trainer, is_primary, **kwargs)
        for module in trainer.model.modules():
            if isinstance(module, RoleDecoder):
                count_roles(trainer.data_loader.iter_instances(), module)


def count_roles(instances: Iterable[Instance], decoder: RoleDecoder) -> None:
    """Sets a decoder's counts to those of indexed instances; if distributed, of this worker's."""
    counts = (decoder.transition_counts, decoder.start_counts)
    for count in counts:
        count.zero_()
    found = (instance.fields.get("frames") for instance in instances)
    fields = (field for field in found if isinstance(field, FramesField))
    for group in lazy_groups_of(fields, _GROUP_SIZE):
        longest = {"num_tokens": max(f.sequence_field.sequence_length() for f in group)}
        roles = torch.cat([field.as_tensor(longest)["roles"] for field in group])
        # Padding has no label, so it needs no mask.
        mask = torch.ones_like(roles, dtype=torch.bool)
        decoder.observe(roles.to(counts[0].device), mask.to(counts[0].device))
    if is_distributed():
        for count in counts:
            torch.distributed.all_reduce(count)


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
    hours has ended. Until the training is complete, `time_limit.json` in the serialization
    directory has the limit and the number of epochs that were trained.
    """

    def __init__(self, serialization_dir: str) -> None:
        super().__init__(serialization_dir)
        self._file = Path(serialization_dir) / TIME_LIMIT_NAME
        self._max_hours = _hours(os.environ.get(MAX_HOURS, ""))
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
            f"{MAX_HOURS}: found '{text}'; expected a positive number of hours, or nothing"
        )
    return limit


@TrainerCallback.register("sentence_splitter")
class SentenceSplitterTraining(TrainerCallback):
    """
    Trains a sentence splitter on the training data, unless the language is English, and adds it to
    the vocabulary, where labelling finds it. That takes half a minute for 170,000 words. A model
    that has one, such as one that the training continues from, keeps it.
    """

    def on_start(self, trainer: Any, is_primary: bool = True, **kwargs: Any) -> None:
        super().on_start(trainer, is_primary, **kwargs)
        model = trainer.model
        language = getattr(model, "language", ENGLISH)
        if not is_primary or language == ENGLISH or NAMESPACE in model.vocab.get_namespaces():
            return
        found = (i["metadata"]["sentence"] for i in trainer.data_loader.iter_instances())
        # A sentence with several frames may be several instances.
        sentences = list({id(sentence.words): sentence for sentence in found}.values())
        try:
            splitter = train_on_treebank(sentences, language)
        except ConfigurationError as error:
            logger.warning("raw text cannot be split into sentences: %s", error.message)
            return
        model.vocab.add_token_to_namespace(splitter, NAMESPACE)
        path = Path(self.serialization_dir, VOCABULARY_NAME, f"{NAMESPACE}.txt")
        path.write_text(splitter + "\n", encoding="utf-8", newline="\n")
