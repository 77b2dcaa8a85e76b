"""Trainings that are killed and recovered, against trainings that are not."""

import functools
import random
from pathlib import Path
from typing import Any, Callable, Dict, List

import allennlp.commands.train
import numpy
import pytest
import torch
from allennlp.training.callbacks import TrainerCallback

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.training.output_folder import prepare_folder
from lisa_allennlp.training.recoverable_trainer import random_states, set_random_states
from tests.training.trainings import KillAt, config, kill_itself, results, train, train_and_kill

pytestmark = pytest.mark.medium


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> List[Any]:
    """The results of the training that is not killed."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    train(folder)
    return results(folder)


def at_batch(epoch: int, batch: int) -> Callable[[], None]:
    return functools.partial(setattr, KillAt, "moment", (epoch, batch, True))


def at_save(number: int) -> Callable[[], None]:
    """Kills the process when half of a file of a checkpoint, or of the best weights, is written."""

    def arrange() -> None:
        save, calls = torch.save, []

        def counted(content: Any, path: Any) -> None:
            save(content, path)
            calls.append(path)
            if len(calls) == number:
                Path(path).write_bytes(Path(path).read_bytes()[:1000])
                kill_itself()

        torch.save = counted

    return arrange


def before_archiving() -> None:
    allennlp.commands.train.archive_model = kill_itself


MOMENTS = {
    "in an epoch": at_batch(1, 2),
    # Of each epoch, the state of the training, the weights, and the best weights.
    "in the second weights": at_save(5),
    "in the second best weights": at_save(6),
    "before archiving": before_archiving,
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_recovered_training_equals_an_uninterrupted_one(
    moment: str, whole: List[Any], tmp_path: Path
) -> None:
    train_and_kill(tmp_path / "run", MOMENTS[moment])
    train(tmp_path / "run", recover=True)
    assert results(tmp_path / "run") == whole
    # Of the checkpoints, the newest is left, and nothing that was cut off.
    names = {path.name for path in (tmp_path / "run").glob("*_state_*")}
    assert names == {"model_state_e3_b0.th", "training_state_e3_b0.th"}


TRAININGS: Dict[str, Dict[str, Any]] = {
    "lazily read data": {
        "data_loader": {
            "batch_sampler": {"type": "max_tokens_sampler", "max_tokens": 90},
            "max_instances_in_memory": 7,
            "batches_per_epoch": 4,
        },
        "validation_data_loader": {"batch_size": 8},
    },
    "several schedules and rare validation": {
        "trainer__optimizer": {"type": "sgd", "lr": 0.01, "momentum": 0.9},
        "trainer__learning_rate_scheduler": {"type": "slanted_triangular"},
        "trainer__momentum_scheduler": {
            "type": "inverted_triangular",
            "cool_down": 1,
            "warm_up": 1,
        },
        "trainer__moving_average": None,
        "trainer__callbacks": [
            "role_statistics",
            "kill_at",
            {"type": "should_validate_callback", "validation_interval": 2},
        ],
    },
}


@pytest.mark.parametrize("name", TRAININGS)
def test_states_of_all_parts_are_recovered(name: str, tmp_path: Path) -> None:
    train(tmp_path / "whole", **TRAININGS[name])
    train_and_kill(tmp_path / "run", at_batch(2, 2), **TRAININGS[name])
    train(tmp_path / "run", recover=True, **TRAININGS[name])
    for run, expected in zip(results(tmp_path / "run"), results(tmp_path / "whole"), strict=True):
        assert run.keys() == expected.keys()
        assert {key for key in expected if run[key] != expected[key]} == set()


def recover_with(folder: Path, **changes: Any) -> None:
    assert prepare_folder(folder, config(**changes), recover=True)
    train(folder, recover=True, **changes)


@TrainerCallback.register("record_rates")
class RecordRates(TrainerCallback):
    """Records the learning rate of each update."""

    rates: List[float] = []

    def on_batch(self, trainer: Any, *args: Any, is_training: bool, **kwargs: Any) -> None:
        if is_training:
            self.rates.append(trainer.optimizer.param_groups[0]["lr"])


def test_the_first_update_has_the_rate_of_step_1(tmp_path: Path) -> None:
    """The formula of LISA's appendix A.4 (Vaswani et al. 2017, equation 3), across epochs."""
    noam = {"type": "noam", "model_size": 1, "factor": 0.04, "warmup_steps": 3}
    changes: Dict[str, Any] = {
        "trainer__learning_rate_scheduler": noam,
        "trainer__callbacks": ["role_statistics", "record_rates"],
    }
    train(tmp_path, trainer__num_epochs=2, **changes)
    rates = RecordRates.rates
    assert len(rates) > 6
    steps = range(1, len(rates) + 1)
    assert rates == pytest.approx([0.04 * min(t**-0.5, t * 3**-1.5) for t in steps])


def test_more_epochs_extend_a_training(tmp_path: Path) -> None:
    noam = {"type": "noam", "model_size": 1, "factor": 0.02, "warmup_steps": 4}
    changes = {"trainer__learning_rate_scheduler": noam}
    train(tmp_path / "whole", **changes)
    train(tmp_path / "run", trainer__num_epochs=1, **changes)
    recover_with(tmp_path / "run", **changes)
    assert results(tmp_path / "run") == results(tmp_path / "whole")


def test_a_schedule_over_all_epochs_is_that_of_the_new_number(tmp_path: Path) -> None:
    train(tmp_path / "run", trainer__num_epochs=1)
    recover_with(tmp_path / "run", trainer__num_epochs=2)
    state = torch.load(tmp_path / "run" / "training_state_e2_b0.th")
    schedule = state["learning_rate_scheduler"]
    assert schedule["steps"] == schedule["total_steps"] > 4


def test_a_training_that_had_run_out_of_patience_has_ended(tmp_path: Path) -> None:
    still = {"trainer__optimizer__lr": 0.0, "trainer__patience": 1}
    train(tmp_path / "whole", **still)
    train_and_kill(tmp_path / "run", before_archiving, **still)
    train(tmp_path / "run", recover=True, **still)
    assert results(tmp_path / "run") == results(tmp_path / "whole")
    assert results(tmp_path / "run")[0]["epoch"] == 1


def test_a_loss_that_is_not_a_number(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"epoch 1, batch \d+: found a loss that is not"):
        train(tmp_path / "run", trainer__optimizer__lr=1e30)


def draw() -> List[float]:
    # A Gaussian of NumPy's and Python's generators leaves a second one for the next call.
    return [random.gauss(0, 1), numpy.random.randn(), float(torch.randn(()))]


def test_all_generators_continue_where_they_were(tmp_path: Path) -> None:
    draw()
    torch.save(random_states(), tmp_path / "states.th")
    expected = [draw() for _ in range(3)]
    set_random_states(torch.load(tmp_path / "states.th", weights_only=True))
    assert [draw() for _ in range(3)] == expected
