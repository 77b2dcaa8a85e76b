"""A trainer whose trainings can be killed and recovered, and its checkpointer."""

import json
import os
import random
from collections import deque
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import numpy
import torch
from allennlp.data.data_loaders import MultiProcessDataLoader
from allennlp.modules.token_embedders import Embedding
from allennlp.training.checkpointer import Checkpointer
from allennlp.training.gradient_descent_trainer import GradientDescentTrainer
from allennlp.training.trainer import Trainer, TrainerCheckpoint

from lisa_allennlp.common.complete_files import PARTIAL, complete_file
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.models_on_disk.archives.storage import write_best_weights
from lisa_allennlp.models_on_disk.archives.stored_files import store_files_of_training
from lisa_allennlp.models_on_disk.pretrained import CONFIG_NAME

FROM_NUMBER_OF_EPOCHS = ("num_epochs", "num_steps_per_epoch", "total_steps")
"""Attributes of learning-rate schedules that depend on the number of epochs."""


def random_states() -> Dict[str, Any]:
    """Returns the states of all generators in use, readable by `torch.load` as weights."""
    _, keys, *others = numpy.random.get_state(legacy=True)
    return {
        "python": random.getstate(),
        "numpy": {"keys": torch.tensor(numpy.asarray(keys, dtype="int64")), "others": others},
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state() if torch.cuda.is_initialized() else None,
    }


def set_random_states(states: Dict[str, Any]) -> None:
    random.setstate(states["python"])
    saved = states["numpy"]
    numpy.random.set_state(("MT19937", saved["keys"].numpy().astype("uint32"), *saved["others"]))
    torch.set_rng_state(states["torch"])
    if states["cuda"] is not None and torch.cuda.is_initialized():
        torch.cuda.set_rng_state(states["cuda"])


@Checkpointer.register("complete")
class CompleteCheckpointer(Checkpointer):
    """
    AllenNLP's checkpointer, but a file has a temporary name until it is complete: a kill while
    AllenNLP's writes leaves an unreadable file, which is the newest.
    """

    def save_checkpoint(self, trainer: Any) -> None:
        checkpoint = trainer.get_checkpoint_state()
        # Only the first worker of a distributed training has the state.
        if checkpoint is not None:
            weights, state = checkpoint
            # What a training left that was killed while it saved.
            for left in Path(self._serialization_dir).glob(f"*_state_*{PARTIAL}"):
                left.unlink()
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


@Trainer.register("recoverable", constructor="from_partial_objects")
class RecoverableTrainer(GradientDescentTrainer):
    """
    AllenNLP's trainer, but a training that is killed and recovered continues from the end of the
    last epoch, and ends with the same weights and metrics as one that is not, on the same CPU with
    the same number of threads.

    The best weights are written as safetensors too, which are read without PyTorch. In
    `network.json` and `graphs` is how the model labels without PyTorch, and `model_files` has the
    files that its config names.

    AllenNLP's own reads all completed epochs again, draws other random numbers, averages copies of
    the weights that no longer change, continues after its patience has ended, and writes no metrics
    of a training that had ended. More epochs extend a training: a learning-rate schedule that
    depends on their number is then that of the new number, from the current step on. A loss that is
    not a number is a `ConfigurationError`.

    Registered as a `Trainer` with name "recoverable", with the options of AllenNLP's trainer.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._recovered: Dict[str, Any] = {}
        # The random states at the start of each epoch, if the data loader continues where it was.
        self._passes: List[Dict[str, Any]] = []
        if self._distributed:
            # PyTorch cannot add up sparse gradients of several workers.
            for module in self.model.modules():
                if isinstance(module, Embedding):
                    module.sparse = False

    def get_checkpoint_state(self) -> Optional[TrainerCheckpoint]:
        """As AllenNLP's, with a key `recovery`. All workers of a training have to call it."""
        own = {
            "random_states": random_states(),
            "passes": self._passes,
            "total_batches": self._total_batches_completed,
            "should_validate": self._should_validate_this_epoch,
        }
        workers: List[Any] = [own] * self._world_size
        if self._distributed:
            torch.distributed.all_gather_object(workers, own)
        checkpoint = super().get_checkpoint_state()
        if checkpoint is not None:
            state = checkpoint.trainer_state
            state["recovery"] = workers
            if self._moving_average is not None:
                # Without two copies of the weights, which are made again.
                state["moving_average"].update(parameters=[], backups={})
        return checkpoint

    def _maybe_restore_checkpoint(self) -> None:
        average, schedule = self._moving_average, self._learning_rate_scheduler
        own = {} if average is None else average.state_dict()
        numbers = {k: getattr(schedule, k) for k in FROM_NUMBER_OF_EPOCHS if hasattr(schedule, k)}
        super()._maybe_restore_checkpoint()
        checkpoint = None if self._checkpointer is None else self._checkpointer.load_checkpoint()
        if checkpoint is None:
            return
        if average is not None:
            # The average is one of this model's weights, on their device.
            for name, shadow in own["shadows"].items():
                shadow.copy_(checkpoint.trainer_state["moving_average"]["shadows"][name])
            average.load_state_dict(own)
        if schedule is not None:
            vars(schedule).update(numbers)
        workers = checkpoint.trainer_state.get("recovery", [])
        if len(workers) == self._world_size:
            self._recovered = workers[torch.distributed.get_rank() if self._distributed else 0]
            self._passes = self._recovered["passes"]
            self._save_best_model_again()

    def _save_best_model_again(self) -> None:
        """Saves the best weights if they are the checkpoint's: a kill may have come between."""
        best = os.path.join(self._serialization_dir, "best.th")
        is_best = self._recovered["should_validate"] and self._metric_tracker.is_best_so_far()
        if is_best or self._best_model_filename is not None:
            # The folder may have been moved.
            self._best_model_filename = best
        if is_best and self._primary:
            if self._moving_average is not None:
                self._moving_average.assign_average_value()
            self._save_model_state(best)
            if self._moving_average is not None:
                self._moving_average.restore()

    def _finalize_best_model_state(self) -> None:
        super()._finalize_best_model_state()
        write_best_weights(Path(self._serialization_dir))

    def _try_train(self) -> Tuple[Dict[str, Any], int]:
        if self._primary:
            loaders = [self._validation_data_loader, self.data_loader]
            loader = next(loader for loader in loaders if loader is not None)
            folder = Path(self._serialization_dir)
            model: Any = self.model
            # Models of other packages do not have the method.
            if hasattr(model, "write_network"):
                model.write_network(getattr(loader, "reader", None), folder)
            if (folder / CONFIG_NAME).exists():
                store_files_of_training(folder)
        if self._recovered:
            self._should_validate_this_epoch = self._recovered["should_validate"]
            # The trainer counts the batches of a begun epoch again.
            begun = self._start_after_batches_in_epoch_completed
            self._total_batches_completed = self._recovered["total_batches"] - begun
        if self._start_after_epochs_completed and self._metric_tracker.should_stop_early():
            self._num_epochs = self._start_after_epochs_completed
        metrics, epoch = super()._try_train()
        if self._start_after_epochs_completed == self._num_epochs:
            # The training had ended before it was recovered.
            file = Path(self._serialization_dir, f"metrics_epoch_{self._num_epochs - 1}.json")
            metrics = {**json.loads(file.read_text(encoding="utf-8")), **metrics}
        return metrics, epoch

    def _train_epoch(self, epoch: int) -> Dict[str, float]:
        loader = self.data_loader
        keeps_position = (
            not isinstance(loader, MultiProcessDataLoader) or loader.batches_per_epoch is not None
        )
        if self._recovered and epoch < self._start_after_epochs_completed:
            if keeps_position:
                set_random_states(self._passes[epoch])
                deque(loader, maxlen=0)
            return {}
        if self._primary:
            # AllenNLP has just saved those of the epoch before, if they are the best.
            write_best_weights(Path(self._serialization_dir))
        if self._recovered and epoch == self._start_after_epochs_completed:
            set_random_states(self._recovered["random_states"])
        if keeps_position:
            self._passes[epoch:] = [random_states()]
        try:
            return super()._train_epoch(epoch)
        except ValueError as error:
            if str(error) != "nan loss encountered":
                raise
            # Epochs are counted from 1, as in the table of epochs.
            place = f"epoch {epoch + 1}, batch {self._batches_in_epoch_completed + 1}"
            raise ConfigurationError(
                f"{place}: found a loss that is not a number (nan); expected a finite loss. A "
                "smaller trainer.optimizer.lr or gradient clipping (trainer.grad_norm) usually "
                "helps"
            ) from error
