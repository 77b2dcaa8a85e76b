"""The losses and counts of an epoch so far, for checkpoints within an epoch."""

import copy
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Optional, Tuple

import torch
from allennlp.training.callbacks import TrainerCallback
from allennlp.training.metrics import Metric

LOSSES = {"loss": "batch_loss", "reg_loss": "batch_reg_loss"}
"""The sums of losses in an epoch, and the losses of a batch of which they are the sums."""


class EpochProgress(TrainerCallback):
    """
    Adds up the losses of an epoch as AllenNLP's trainer does, and finds the model's metrics, so
    that an epoch can be continued at a batch. `RecoverableTrainer` has one; configs do not name it.

    >>> progress = EpochProgress("OUT")
    >>> progress.begin_epoch()
    >>> metrics = {"batch_loss": 3.0}
    >>> progress.on_batch(None, [], [], metrics, epoch=0, batch_number=1, is_training=True)
    >>> progress.total("loss")
    3.0
    """

    def __init__(self, serialization_dir: str) -> None:
        super().__init__(serialization_dir)
        self._totals: Dict[str, float] = {}
        self._has_begun = False
        self._saved: Optional[Dict[str, Any]] = None

    def begin_epoch(self) -> None:
        """Forgets the epoch before."""
        self._totals = dict.fromkeys(LOSSES, 0.0)
        self._has_begun = False

    def continue_epoch(self, model: torch.nn.Module) -> None:
        """Takes up what a checkpoint has of the epoch, and restores the model's metrics."""
        if self._saved is not None:
            self._totals = dict(self._saved["totals"])
            for place, metric in find_metrics(model):
                restore_metric(metric, self._saved["metrics"].get(place, {}))

    def total(self, name: str) -> float:
        """The sum of the losses of the epoch's batches: `loss` or `reg_loss`."""
        return self._totals[name]

    def on_batch(
        self,
        trainer: Any,
        batch_inputs: List[Any],
        batch_outputs: List[Dict[str, Any]],
        batch_metrics: Dict[str, Any],
        epoch: int,
        batch_number: int,
        is_training: bool,
        is_primary: bool = True,
        batch_grad_norm: Optional[float] = None,
        **kwargs: Any,
    ) -> None:
        if is_training:
            self._has_begun = True
            for name, of_batch in LOSSES.items():
                self._totals[name] += batch_metrics.get(of_batch, 0.0)

    def on_epoch(self, *args: Any, **kwargs: Any) -> None:
        self._has_begun = False

    def state_dict(self) -> Dict[str, Any]:
        if not self._has_begun or self.trainer is None:
            return {}
        metrics = {place: metric_state(m) for place, m in find_metrics(self.trainer.model)}
        return {"totals": dict(self._totals), "metrics": metrics}

    def load_state_dict(self, state_dict: Dict[str, Any]) -> None:
        self._saved = state_dict or None


def find_metrics(owner: Any, place: str = "") -> Iterator[Tuple[str, Metric]]:
    """
    The metrics of a model, with their places in it, such as `_pos_accuracy`.

    # Parameters

    owner : `Any`
        A model, a metric, or a dictionary or list of either.
    """
    items: Any
    if isinstance(owner, Metric):
        yield place, owner
        items = vars(owner).items()
    elif isinstance(owner, torch.nn.Module):
        items = [*vars(owner).items(), *owner.named_children()]
    elif isinstance(owner, dict):
        items = owner.items()
    elif isinstance(owner, (list, tuple)):
        items = enumerate(owner)
    else:
        return
    for name, item in items:
        if name not in ("_parameters", "_buffers", "_modules"):
            yield from find_metrics(item, f"{place}.{name}" if place else str(name))


def metric_state(metric: Metric) -> Dict[str, Any]:
    """The attributes of a metric that are numbers, tensors, strings, or collections of them."""
    return {name: _copy(value) for name, value in vars(metric).items() if _is_plain(value)}


def restore_metric(metric: Metric, state: Dict[str, Any]) -> None:
    """Gives a metric the attributes of a state. Dictionaries of special types keep their type."""
    for name, value in state.items():
        current = getattr(metric, name, None)
        if isinstance(current, dict):
            current.clear()
            current.update(value)
        else:
            setattr(metric, name, value)


@contextmanager
def unchanged_metrics(model: torch.nn.Module) -> Iterator[None]:
    """What the block adds to the metrics of a model is not counted."""
    before = [(metric, copy.deepcopy(metric_state(metric))) for _, metric in find_metrics(model)]
    yield
    for metric, state in before:
        restore_metric(metric, state)


def _copy(value: Any) -> Any:
    return dict(value) if isinstance(value, dict) else value


def _is_plain(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_is_plain(item) for pair in value.items() for item in pair)
    if isinstance(value, (list, tuple)):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, (bool, int, float, str, torch.Tensor))
