"""Trainings that are killed and recovered, against trainings that are not."""

import functools
import json
from pathlib import Path
from typing import Any, Callable, Dict, List

import allennlp.commands.train
import allennlp.common.util
import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.training.callbacks import TrainerCallback

from lisa_allennlp.training import complete_checkpointer, recoverable_trainer
from tests.training.trainings import kill_itself, results, train, train_and_kill

pytestmark = pytest.mark.medium


@TrainerCallback.register("kill_at", exist_ok=True)
class KillAt(TrainerCallback):
    """Kills the process after a batch, if the training has not been recovered."""

    moment: Any = None

    def on_batch(self, *args: Any, **kwargs: Any) -> None:
        if (*args[4:6], kwargs["is_training"]) == self.moment:
            kill_itself()


def at_batch(epoch: int, batch: int, is_training: bool = True) -> Callable[[], None]:
    return functools.partial(setattr, KillAt, "moment", (epoch, batch, is_training))


def at_call(module: Any, name: str, number: int = 1, after: bool = False) -> Callable[[], None]:
    """Kills the process at, or just after, a call of a function."""

    def arrange() -> None:
        original, calls = getattr(module, name), []

        def counted(*args: Any, **kwargs: Any) -> Any:
            calls.append(name)
            if len(calls) < number:
                return original(*args, **kwargs)
            if after:
                original(*args, **kwargs)
            return kill_itself()

        setattr(module, name, counted)

    return arrange


CALLBACKS: Dict[str, Any] = {"trainer__callbacks": ["kill_at"]}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> List[Any]:
    """The results of the training that is not killed."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    train(folder, **CALLBACKS)
    return results(folder)


MOMENTS = {
    "before the first checkpoint": at_batch(0, 2),
    "in an epoch": at_batch(1, 2),
    "in a validation": at_batch(2, 1, is_training=False),
    "before the weights are saved": at_call(complete_checkpointer, "save_state", 3),
    "between the files of a checkpoint": at_call(complete_checkpointer, "save_state", 3, True),
    "before the best model is saved": at_call(recoverable_trainer, "save_state"),
    # Three files are saved per epoch: the weights, the training state, the best model.
    "before a training state has its name": at_call(torch, "save", 5, True),
    "before the metrics are written": at_call(allennlp.common.util, "dump_metrics", 4),
    "before archiving": at_call(allennlp.commands.train, "archive_model"),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_recovered_training_equals_an_uninterrupted_one(
    moment: str, whole: List[Any], tmp_path: Path
) -> None:
    train_and_kill(tmp_path / "run", MOMENTS[moment], **CALLBACKS)
    train(tmp_path / "run", recover=True, **CALLBACKS)
    assert results(tmp_path / "run") == whole


LAZY = {
    "batch_sampler": {"type": "max_tokens_sampler", "max_tokens": 90, "padding_noise": 0.3},
    "max_instances_in_memory": 7,
    "batches_per_epoch": 4,
}
SAME_AS_LINEAR = {"type": "linear_with_warmup", "warmup_steps": 2}
COMBINED = {"type": "combined", "schedulers": [[1, SAME_AS_LINEAR], [2, {"type": "constant"}]]}
SGD = {"type": "sgd", "lr": 0.01, "momentum": 0.9}

TRAININGS = {
    "checkpoints within epochs": {"trainer__checkpointer": {"save_every_num_batches": 1}},
    "accumulated gradients": {
        "trainer__checkpointer": {"save_every_num_batches": 1},
        "trainer__num_gradient_accumulation_steps": 2,
    },
    "lazily read data": {"data_loader": LAZY},
    "lazily read data, within epochs": {
        "data_loader": LAZY,
        "trainer__checkpointer": {"save_every_num_batches": 1},
    },
    "data shuffled in place": {
        "data_loader": {"type": "simple", "batch_size": 7, "shuffle": True},
    },
    "slanted triangles and a momentum schedule": {
        "trainer__optimizer": SGD,
        "trainer__learning_rate_scheduler": {"type": "slanted_triangular"},
        "trainer__momentum_scheduler": {"type": "inverted_triangular", "cool_down": 1, "warm_up": 1},
        "trainer__moving_average": None,
    },
    "several schedules": {"trainer__learning_rate_scheduler": COMBINED},
    "a CRF, regularized": {
        "model__role_decoder": {"type": "crf"},
        "model__regularizer": {"regexes": [["weight", {"type": "l2", "alpha": 0.01}]]},
        "trainer__checkpointer": {"save_every_num_batches": 1},
    },
    "rare validation": {
        "trainer__callbacks": [
            "kill_at",
            {"type": "should_validate_callback", "validation_interval": 2},
        ],
    },
}


@pytest.mark.parametrize("name", TRAININGS)
def test_states_of_all_parts_are_recovered(name: str, tmp_path: Path) -> None:
    changes = {**CALLBACKS, **TRAININGS[name]}
    train(tmp_path / "whole", **changes)
    train_and_kill(tmp_path / "run", at_batch(2, 2), **changes)
    train(tmp_path / "run", recover=True, **changes)
    for run, whole in zip(results(tmp_path / "run"), results(tmp_path / "whole"), strict=True):
        assert run.keys() == whole.keys()
        assert {key for key in whole if run[key] != whole[key]} == set()
