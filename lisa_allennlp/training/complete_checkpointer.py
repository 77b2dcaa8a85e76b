"""Checkpoints that a killed training cannot damage."""

from typing import Any

import torch
from allennlp.training.checkpointer import Checkpointer

from lisa_allennlp.common.complete_files import complete_file


@Checkpointer.register("complete")
class CompleteCheckpointer(Checkpointer):
    """
    AllenNLP's checkpointer, but a file has a temporary name until it is complete. AllenNLP's own
    writes in place, so that a kill leaves an unreadable file, which is then the newest.

    Its options are those of AllenNLP's checkpointer.

    Registered as a `Checkpointer` with name "complete".

    >>> from allennlp.common import Params
    >>> params = Params({"type": "complete", "keep_most_recent_by_count": 1})
    >>> checkpointer = Checkpointer.from_params(params, serialization_dir="OUT")
    """

    def save_checkpoint(self, trainer: Any) -> None:
        """Saves both files, or neither under its name."""
        checkpoint = trainer.get_checkpoint_state()
        # Only the first worker of a distributed training has the state.
        if checkpoint is not None:
            weights, state = checkpoint
            moment = (state["epochs_completed"], state["batches_in_epoch_completed"])
            # AllenNLP looks for the file of the weights, so it comes last.
            for path, content in (
                (self._training_state_path(*moment), state),
                (self._model_state_path(*moment), weights),
            ):
                with complete_file(path) as partial:
                    torch.save(content, partial)
        # Finds the files, and removes old checkpoints.
        super().save_checkpoint(trainer)
