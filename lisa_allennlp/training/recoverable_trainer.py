"""A trainer whose trainings, if they are killed and recovered, end as if nothing had happened."""

import json
import os
from collections import deque
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import DataLoader, TensorDict
from allennlp.data.data_loaders import MultiProcessDataLoader
from allennlp.models import Model
from allennlp.modules.token_embedders import Embedding
from allennlp.nn.util import dist_reduce_sum
from allennlp.training import util as training_util
from allennlp.training.checkpointer import Checkpointer
from allennlp.training.gradient_descent_trainer import GradientDescentTrainer
from allennlp.training.trainer import Trainer, TrainerCheckpoint

from lisa_allennlp.common.signatures import takes_parameters_of
from lisa_allennlp.training.callbacks.epoch_progress import EpochProgress, unchanged_metrics
from lisa_allennlp.training.equal_batches import EqualBatches, WeightedBatch
from lisa_allennlp.training.random_states import (
    random_states,
    set_host_states,
    set_random_states,
    set_torch_states,
)
from lisa_allennlp.training.state_files import save_state

BEST_MODEL = "best.th"
"""The name that AllenNLP's trainer gives to the file of the best model."""

NAN_LOSS = "nan loss encountered"
"""The message of the error that AllenNLP's trainer raises."""

FROM_NUMBER_OF_EPOCHS = ("num_epochs", "num_steps_per_epoch", "total_steps")
"""What AllenNLP's learning-rate schedules compute from the number of epochs, by attribute."""


@Trainer.register("recoverable", constructor="from_partial_objects")
class RecoverableTrainer(GradientDescentTrainer):
    """
    AllenNLP's trainer, but a training that is killed at any moment and recovered ends with the same
    weights and metrics as one that is not, on the same CPU with the same number of threads.

    Beside what AllenNLP saves, checkpoints have the states of all random number generators, the
    position in lazily read data, the number of updates, and for checkpoints within an epoch its
    losses and counts so far. Completed epochs are not read again. The moving average is that of the
    model's weights; AllenNLP's recovered trainer averages copies that no longer change. A recovered
    training that had ended, by its number of epochs or its patience, has all its metrics.

    More epochs extend a training. A learning-rate schedule that depends on the number of epochs is
    then that of the new number, from the current step on.

    In distributed training, an epoch ends when all workers have read all their batches (see
    `EqualBatches`), and each worker has dropout masks of its own. A step is that of one process
    that accumulates the gradients of the workers' batches (`num_gradient_accumulation_steps`).

    The plug-in makes it the default. Its options are those of AllenNLP's trainer.

    Registered as a `Trainer` with name "recoverable".

    >>> Trainer.by_name("recoverable").__self__
    <class 'lisa_allennlp.training.recoverable_trainer.RecoverableTrainer'>

    # Raises

    `ConfigurationError`
        If `num_epochs` is not positive, or a loss is not a number.
    """

    def __init__(
        self,
        model: Model,
        optimizer: torch.optim.Optimizer,
        data_loader: DataLoader,
        *,
        num_epochs: int = 20,
        **kwargs: Any,
    ) -> None:
        check_num_epochs(num_epochs)
        super().__init__(model, optimizer, data_loader, num_epochs=num_epochs, **kwargs)
        if self._distributed and torch.distributed.get_rank() > 0:
            torch.manual_seed(torch.initial_seed() + torch.distributed.get_rank())
        self._progress = EpochProgress(self._serialization_dir)
        self._callbacks.append(self._progress)
        self._epoch_start = random_states()
        # The states of random numbers at each pass over a loader that continues where it stopped.
        self._passes: Dict[str, List[Dict[str, Any]]] = {"training": [], "validation": []}
        self._recovered: Dict[str, Any] = {}
        self._continues_epoch = False

    @classmethod
    @takes_parameters_of(GradientDescentTrainer.from_partial_objects)
    def from_partial_objects(  # type: ignore[override]
        cls,
        model: Model,
        data_loader: DataLoader,
        validation_data_loader: Optional[DataLoader] = None,
        distributed: bool = False,
        **kwargs: Any,
    ) -> Trainer:
        """As AllenNLP's constructor."""
        if distributed:
            _use_dense_gradients(model)
            data_loader = EqualBatches(data_loader, "the training data", is_training=True)
            if validation_data_loader is not None:
                validation_data_loader = EqualBatches(validation_data_loader, "validation data")
        return super().from_partial_objects(
            model=model,
            data_loader=data_loader,
            validation_data_loader=validation_data_loader,
            distributed=distributed,
            **kwargs,
        )

    def get_checkpoint_state(self) -> Optional[TrainerCheckpoint]:
        """
        As in AllenNLP's trainer, with a key `recovery`. The moving average is saved without the two
        copies of the weights that can be made again. In distributed training, all workers have to
        call it; only the first one of each node gets a state.
        """
        recovery = self._recovery_state()
        checkpoint = super().get_checkpoint_state()
        if checkpoint is None:
            return None
        state = checkpoint.trainer_state
        if self._moving_average is not None:
            copies = ("parameters", "backups")
            average = state["moving_average"]
            state["moving_average"] = {k: v for k, v in average.items() if k not in copies}
        state["recovery"] = recovery
        return checkpoint

    def _recovery_state(self) -> Dict[str, Any]:
        state = {
            "callbacks": self._callback_types(),
            "total_batches": self._total_batches_completed,
            "random_states": random_states(),
            "epoch_start": self._epoch_start,
            "passes": {
                # A pass over the training data that has only begun is made again.
                "training": self._passes["training"][: self._epochs_completed],
                "validation": list(self._passes["validation"]),
            },
            "should_validate": self._should_validate_this_epoch,
            "scaler": {} if self._scaler is None else self._scaler.state_dict(),
        }
        if not self._distributed:
            return state
        of_workers: List[Any] = [None] * self._world_size
        own = {**state, "progress": self._progress.state_dict()}
        torch.distributed.all_gather_object(of_workers, own)
        return {"workers": of_workers}

    def _maybe_restore_checkpoint(self) -> None:
        checkpoint = None if self._checkpointer is None else self._checkpointer.load_checkpoint()
        if checkpoint is None:
            return
        state = checkpoint.trainer_state
        if state["epochs_completed"] > self._num_epochs:
            raise ConfigurationError(
                f"trainer.num_epochs: found {self._num_epochs}; expected at least "
                f"{state['epochs_completed']}, the number of epochs that the training in "
                f"{self._serialization_dir} has completed"
            )
        network = self._ddp_wrapped_model or self._pytorch_model
        network.load_state_dict(checkpoint.model_state)
        self.optimizer.load_state_dict(state["optimizer"])
        self._metric_tracker.load_state_dict(state["metric_tracker"])
        # AllenNLP's own checkpoints have none.
        self._recovered = self._own(state.get("recovery", {}))
        self._restore_callbacks(state)
        self._restore_schedules(state)
        self._start_after_epochs_completed = state["epochs_completed"]
        self._start_after_batches_in_epoch_completed = state["batches_in_epoch_completed"]
        if state["best_model_filename"] is not None:
            # The folder may have been moved.
            name = os.path.basename(state["best_model_filename"])
            self._best_model_filename = os.path.join(self._serialization_dir, name)

    def _own(self, recovery: Dict[str, Any]) -> Dict[str, Any]:
        """This worker's part of the key `recovery`; empty if there were fewer or more workers."""
        of_workers = recovery.get("workers", [] if self._distributed else [recovery])
        if len(of_workers) != self._world_size:
            return {}
        own: Dict[str, Any] = of_workers[torch.distributed.get_rank() if self._distributed else 0]
        return own

    def _restore_callbacks(self, state: Dict[str, Any]) -> None:
        """Restores callbacks by their types, because the default ones differ between commands."""
        types = self._recovered.get("callbacks", self._callback_types())
        saved = list(zip(types, state["callbacks"], strict=False))
        for callback, own in zip(self._callbacks, self._callback_types(), strict=True):
            found = next((pair for pair in saved if pair[0] == own), None)
            if found is not None:
                saved.remove(found)
                callback.load_state_dict(found[1])
        if "progress" in self._recovered:
            self._progress.load_state_dict(self._recovered["progress"])

    def _callback_types(self) -> List[str]:
        return [type(callback).__name__ for callback in self._callbacks]

    def _restore_schedules(self, state: Dict[str, Any]) -> None:
        if self._learning_rate_scheduler is not None:
            schedule = self._learning_rate_scheduler
            kept = {k: v for k, v in vars(schedule).items() if k in FROM_NUMBER_OF_EPOCHS}
            schedule.load_state_dict(state["learning_rate_scheduler"])
            vars(schedule).update(kept)
        if self._momentum_scheduler is not None:
            self._momentum_scheduler.load_state_dict(state["momentum_scheduler"])
        if self._moving_average is not None:
            # The average is one of this model's weights, on their device.
            average, saved = self._moving_average, state["moving_average"]
            own = average.state_dict()
            for name, shadow in own["shadows"].items():
                shadow.copy_(saved["shadows"][name])
            average.load_state_dict({**saved, **own})

    def _try_train(self) -> Tuple[Dict[str, Any], int]:
        if self._recovered:
            self._continue_from_checkpoint()
        if self._start_after_epochs_completed and self._metric_tracker.should_stop_early():
            # The training had run out of patience.
            self._num_epochs = self._start_after_epochs_completed
        metrics, epoch = super()._try_train()
        if self._start_after_epochs_completed == self._num_epochs:
            metrics = {**self._metrics_of_last_epoch(), **metrics}
        return metrics, epoch

    def _continue_from_checkpoint(self) -> None:
        """Restores what AllenNLP would restore by repeating all epochs, and does not."""
        loaders = {"training": self.data_loader, "validation": self._validation_data_loader}
        self._passes = self._recovered["passes"]
        for name, passes in self._passes.items():
            for states in passes:
                set_host_states(states)
                deque(loaders[name] or [], maxlen=0)
        self._continues_epoch = self._start_after_batches_in_epoch_completed > 0
        at_start = self._recovered["epoch_start" if self._continues_epoch else "random_states"]
        set_random_states(at_start)
        self._should_validate_this_epoch = self._recovered["should_validate"]
        if self._scaler is not None:
            self._scaler.load_state_dict(self._recovered["scaler"])
        # The trainer counts the batches that it skips.
        batches_to_skip = self._start_after_batches_in_epoch_completed
        self._total_batches_completed = self._recovered["total_batches"] - batches_to_skip
        if not self._continues_epoch:
            self._save_best_model_again()

    def _save_best_model_again(self) -> None:
        """
        Saves the best model if it is the checkpoint's, because the training may have been killed
        between the two.
        """
        is_best = self._should_validate_this_epoch and self._metric_tracker.is_best_so_far()
        if not (is_best and self._serialization_dir):
            return
        self._best_model_filename = os.path.join(self._serialization_dir, BEST_MODEL)
        if self._primary:
            average = self._moving_average
            if average is not None:
                average.assign_average_value()
            self._save_model_state(self._best_model_filename)
            if average is not None:
                average.restore()
        if self._distributed:
            torch.distributed.barrier()

    def _save_model_state(self, path: str) -> None:
        save_state((self._ddp_wrapped_model or self.model).state_dict(), path)

    def _metrics_of_last_epoch(self) -> Dict[str, Any]:
        """The metrics that the trainer wrote after the last epoch."""
        name = f"metrics_epoch_{self._num_epochs - 1}.json"
        file = Path(self._serialization_dir) / name
        if not file.exists():
            return {}
        metrics: Dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return metrics

    def _train_epoch(self, epoch: int) -> Dict[str, float]:
        if self._recovered and self._epochs_completed < self._start_after_epochs_completed:
            return {}
        self._epoch_start = random_states()
        if _keeps_its_position(self.data_loader):
            self._passes["training"].append(self._epoch_start)
        self._progress.begin_epoch()
        try:
            metrics = super()._train_epoch(epoch)
        except ValueError as error:
            if str(error) != NAN_LOSS:
                raise
            raise self._nan_error(epoch) from error
        starts_within = self._start_after_batches_in_epoch_completed > 0
        if self._recovered and starts_within and epoch == self._start_after_epochs_completed:
            metrics = self._metrics_of_whole_epoch(metrics)
        return metrics

    def batch_outputs(self, batch: TensorDict, for_training: bool) -> Dict[str, torch.Tensor]:
        """As in AllenNLP's trainer."""
        if for_training and self._continues_epoch:
            self._continue_epoch()
        if not isinstance(batch, WeightedBatch):
            return super().batch_outputs(batch, for_training)
        if for_training:
            return self._weighted_outputs(batch)
        # Without PyTorch's wrapper, which makes the workers wait for each other.
        return self.model(**batch) if batch.weight else {}

    def _weighted_outputs(self, batch: WeightedBatch) -> Dict[str, torch.Tensor]:
        with nullcontext() if batch.weight else unchanged_metrics(self.model):
            outputs = super().batch_outputs(batch, for_training=True)
        if batch.weight != 1:
            for name in outputs.keys() & {"loss", "reg_loss"}:
                outputs[name] = outputs[name] * batch.weight
        return outputs

    def _continue_epoch(self) -> None:
        """Restores the states at a batch. The batches before it have been read, but not trained."""
        self._continues_epoch = False
        self._progress.continue_epoch(self.model)
        set_torch_states(self._recovered["random_states"])

    def _metrics_of_whole_epoch(self, metrics: Dict[str, float]) -> Dict[str, float]:
        """The metrics of an epoch that was continued at a batch, or after its last batch."""
        number = self._batches_in_epoch_completed
        if self._continues_epoch:
            self._continue_epoch()
            has_penalty = self.model.get_regularization_penalty() is not None
            no_loss = 0.0 if has_penalty else None
            found = training_util.get_metrics(
                self.model, 0.0, no_loss, None, None, number, reset=True
            )
            metrics = {**found, **metrics}
        batches = dist_reduce_sum(number)
        means = {
            n: dist_reduce_sum(self._progress.total(n)) / batches for n in ("loss", "reg_loss")
        }
        return {name: means.get(name, value) for name, value in metrics.items()}

    def _validation_loss(self, epoch: int) -> Tuple[float, Optional[float], int]:
        if _keeps_its_position(self._validation_data_loader):
            self._passes["validation"].append(random_states())
        return super()._validation_loss(epoch)

    def _nan_error(self, epoch: int) -> ConfigurationError:
        rates = sorted({group["lr"] for group in self.optimizer.param_groups})
        # Epochs are counted from 1, as in the table of epochs.
        place = f"epoch {epoch + 1}, batch {self._batches_in_epoch_completed + 1}"
        return ConfigurationError(
            f"{place}: found a loss that is not a number (nan); expected a finite loss. The "
            f"learning rate is {', '.join(f'{rate:g}' for rate in rates)}: a smaller "
            "trainer.optimizer.lr or gradient clipping (trainer.grad_norm) usually helps"
        )


def check_num_epochs(num_epochs: Any) -> None:
    """
    # Raises

    `ConfigurationError`
        If a number of epochs is not positive.
    """
    if num_epochs is None or num_epochs < 1:
        found = json.dumps(num_epochs)
        raise ConfigurationError(f"trainer.num_epochs: found {found}; expected at least 1 epoch")


def use_by_default() -> None:
    """Makes this trainer and its checkpointer those of configs that name no other."""
    Trainer.default_implementation = "recoverable"
    Checkpointer.default_implementation = "complete"


def _use_dense_gradients(model: Model) -> None:
    """PyTorch does not add up the sparse gradients of AllenNLP's embeddings over workers."""
    for module in model.modules():
        if isinstance(module, Embedding):
            module.sparse = False


def _keeps_its_position(loader: Optional[DataLoader]) -> bool:
    """Whether a pass over the data depends on the passes before."""
    if isinstance(loader, EqualBatches):
        loader = loader.loader
    if isinstance(loader, MultiProcessDataLoader):
        return loader.batches_per_epoch is not None
    return loader is not None
