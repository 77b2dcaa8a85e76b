"""Trainings that are killed and recovered, against trainings that are not."""

import functools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Dict, List

import allennlp.commands.train
import allennlp.common.util
import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.training.callbacks import TrainerCallback
from allennlp.training.checkpointer import Checkpointer
from allennlp.training.trainer import Trainer

from lisa_allennlp.training import complete_checkpointer, recoverable_trainer
from lisa_allennlp.training.complete_checkpointer import CompleteCheckpointer
from lisa_allennlp.training.recoverable_trainer import RecoverableTrainer
from lisa_allennlp.training.recovery import prepare_recovery
from lisa_allennlp.training.state_files import load_state
from tests.training.trainings import LISA, config, kill_itself, results, train, train_and_kill

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
        "trainer__momentum_scheduler": {
            "type": "inverted_triangular",
            "cool_down": 1,
            "warm_up": 1,
        },
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


SLOW = ("accumulated gradients", "lazily read data", "several schedules", "rare validation")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in TRAININGS],
)
def test_states_of_all_parts_are_recovered(name: str, tmp_path: Path) -> None:
    changes = {**CALLBACKS, **TRAININGS[name]}
    train(tmp_path / "whole", **changes)
    train_and_kill(tmp_path / "run", at_batch(2, 2), **changes)
    train(tmp_path / "run", recover=True, **changes)
    for run, expected in zip(results(tmp_path / "run"), results(tmp_path / "whole"), strict=True):
        assert run.keys() == expected.keys()
        assert {key for key in expected if run[key] != expected[key]} == set()


@pytest.mark.slow
def test_a_training_in_another_process_is_the_same(whole: List[Any], tmp_path: Path) -> None:
    Params(LISA).to_file(str(tmp_path / "config.json"))
    command = [sys.executable, "-m", "lisa_allennlp", "train", str(tmp_path / "config.json")]
    # Strings have other hashes there, so sets have another order.
    environment = {**os.environ, "PYTHONHASHSEED": "17"}
    subprocess.run([*command, "-s", str(tmp_path / "run")], check=True, env=environment)
    assert results(tmp_path / "run") == whole


NOAM = {"type": "noam", "model_size": 1, "factor": 0.02, "warmup_steps": 4}


def test_more_epochs_extend_a_training(tmp_path: Path) -> None:
    changes = {"trainer__learning_rate_scheduler": NOAM}
    train(tmp_path / "whole", **changes)
    train(tmp_path / "run", trainer__num_epochs=1, **changes)
    prepare_recovery(config(**changes), tmp_path / "run")
    train(tmp_path / "run", recover=True, **changes)
    assert results(tmp_path / "run") == results(tmp_path / "whole")
    with pytest.raises(ConfigurationError, match="found 2; expected at least 3, the number of epo"):
        fewer = {"trainer__num_epochs": 2, **changes}
        prepare_recovery(config(**fewer), tmp_path / "run")
        train(tmp_path / "run", recover=True, **fewer)


def test_a_schedule_over_all_epochs_is_that_of_the_new_number(tmp_path: Path) -> None:
    train(tmp_path / "run", trainer__num_epochs=1)
    prepare_recovery(config(trainer__num_epochs=2), tmp_path / "run")
    train(tmp_path / "run", recover=True, trainer__num_epochs=2)
    schedule = load_state(tmp_path / "run" / "training_state_e2_b0.th")["learning_rate_scheduler"]
    assert schedule["steps"] == schedule["total_steps"] > 4


def test_a_training_that_had_run_out_of_patience_has_ended(tmp_path: Path) -> None:
    still = {"trainer__optimizer__lr": 0.0, "trainer__patience": 1}
    train(tmp_path / "whole", **still)
    train_and_kill(tmp_path / "run", MOMENTS["before archiving"], **still)
    train(tmp_path / "run", recover=True, **still)
    assert results(tmp_path / "run") == results(tmp_path / "whole")
    assert results(tmp_path / "run")[0]["epoch"] == 1


def test_a_checkpoint_of_allennlp_is_recovered(tmp_path: Path) -> None:
    theirs = {"trainer__type": "gradient_descent", "trainer__checkpointer": {"type": "default"}}
    train(tmp_path / "run", trainer__num_epochs=1, **theirs)
    config().to_file(str(tmp_path / "run" / "config.json"))
    train(tmp_path / "run", recover=True)
    metrics, weights = results(tmp_path / "run")
    assert metrics["epoch"] == 2 and weights


def test_there_is_at_least_one_epoch(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="trainer.num_epochs: found 0; expected at least"):
        train(tmp_path / "run", trainer__num_epochs=0)


def test_a_loss_that_is_not_a_number(tmp_path: Path) -> None:
    expected = (
        r"epoch 1, batch \d+: found a loss that is not a number .* smaller trainer.optimizer.lr"
    )
    with pytest.raises(ConfigurationError, match=expected):
        train(tmp_path / "run", trainer__optimizer__lr=1e30)


def test_it_is_the_default() -> None:
    recoverable_trainer.use_by_default()
    assert Trainer.by_name(Trainer.default_implementation).__self__ is RecoverableTrainer
    checkpointer = Checkpointer.from_params(Params({}), serialization_dir="OUT")
    assert isinstance(checkpointer, CompleteCheckpointer)
