"""Checkpoints that a killed training or a full disk cannot damage."""

import glob
import logging
import os
from typing import Any, Dict, Optional, Set, Tuple

from allennlp.common.checks import ConfigurationError
from allennlp.training.checkpointer import Checkpointer
from allennlp.training.trainer import TrainerCheckpoint

from lisa_allennlp.common.complete_files import PARTIAL
from lisa_allennlp.training.state_files import DAMAGED, load_state, save_state

logger = logging.getLogger(__name__)


@Checkpointer.register("complete")
class CompleteCheckpointer(Checkpointer):
    """
    AllenNLP's checkpointer, but every file has a temporary name until it is complete, and a
    training is recovered from the newest checkpoint of which both files can be read. AllenNLP's
    own writes in place, so that a kill leaves an unreadable file, which is then the newest.

    The plug-in makes it the default. Its options are those of AllenNLP's checkpointer.

    Registered as a `Checkpointer` with name "complete".

    >>> from allennlp.common import Params
    >>> params = Params({"type": "complete", "keep_most_recent_by_count": 1})
    >>> checkpointer = Checkpointer.from_params(params, serialization_dir="OUT")
    """

    def save_checkpoint(self, trainer: Any) -> None:
        """
        # Raises

        `OSError`
            If the disk is full. Earlier checkpoints are kept.
        """
        checkpoint = trainer.get_checkpoint_state()
        # Only the first worker of a distributed training has the state.
        if checkpoint is not None:
            state = checkpoint.trainer_state
            moment = (state["epochs_completed"], state["batches_in_epoch_completed"])
            save_state(checkpoint.model_state, self._model_state_path(*moment))
            save_state(state, self._training_state_path(*moment))
        # AllenNLP finds both files, and removes old checkpoints.
        super().save_checkpoint(trainer)
        if checkpoint is None:
            # Otherwise this worker would save again at the next batch, unlike the first one.
            self._last_save_num_epochs_completed = trainer._epochs_completed
            self._last_save_num_batches_in_epoch_completed = trainer._batches_in_epoch_completed

    def load_checkpoint(self) -> Optional[TrainerCheckpoint]:
        """
        # Returns

        `TrainerCheckpoint`, optional
            The newest complete checkpoint; `None` if none has been saved. Damaged files of newer
            checkpoints, which other checkpointers leave, get names that end in `.damaged`.

        # Raises

        `ConfigurationError`
            If there are checkpoints, but all are damaged.
        """
        if self._is_primary:
            self._remove_partial_files()
        damaged: Dict[str, str] = {}
        for moment in sorted(self._find_all_checkpoints(), reverse=True):
            paths = (self._model_state_path(*moment), self._training_state_path(*moment))
            try:
                checkpoint = TrainerCheckpoint(*map(load_state, paths))
            except DAMAGED as error:
                damaged.update(dict.fromkeys(paths, str(error) or "an empty file"))
            else:
                self._set_aside(damaged)
                return checkpoint
        if damaged:
            path, reason = next(iter(damaged.items()))
            raise ConfigurationError(
                f"{path} or its training_state: found damaged data ({reason}); expected a complete "
                "checkpoint. Use --force instead of --recover to begin anew"
            )
        return None

    def _set_aside(self, damaged: Dict[str, str]) -> None:
        """Renames the damaged files, which would otherwise count as the newest checkpoint."""
        for path, reason in damaged.items():
            logger.warning("%s belongs to a damaged checkpoint (%s)", path, reason)
            if self._is_primary:
                os.replace(path, f"{path}.damaged")

    def _find_all_checkpoints(self) -> Set[Tuple[int, int]]:
        """The checkpoints of which both files exist."""
        moments = super()._find_all_checkpoints()
        return {m for m in moments if os.path.isfile(self._training_state_path(*m))}

    def _remove_partial_files(self) -> None:
        """Removes what a killed training was writing."""
        folder = glob.escape(self._serialization_dir)
        for path in glob.iglob(os.path.join(folder, f"*.th{PARTIAL}")):
            os.remove(path)
