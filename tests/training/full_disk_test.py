"""Trainings on a full disk, for which a limit on the size of files stands in."""

import multiprocessing
import resource
from pathlib import Path
from typing import Any, Callable, List

import allennlp.commands.train
import allennlp.common.util
import pytest
from allennlp.data import Vocabulary

from lisa_allennlp.common.log_files import raised_log_errors
from lisa_allennlp.common.user_errors import user_message
from lisa_allennlp.training import complete_checkpointer, recoverable_trainer
from tests.training.trainings import results, train

pytestmark = pytest.mark.medium


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> List[Any]:
    """The results of a training with enough space."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    train(folder)
    return results(folder)


def full_at(owner: Any, name: str, number: int, size: int) -> Callable[[], None]:
    """From a call of a function on, files cannot grow beyond a size in bytes."""

    def arrange() -> None:
        original, calls = getattr(owner, name), []

        def counted(*args: Any, **kwargs: Any) -> Any:
            calls.append(name)
            if len(calls) == number:
                resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            return original(*args, **kwargs)

        setattr(owner, name, counted)

    return arrange


def train_on_full_disk(folder: Path, arrange: Callable[[], None]) -> str:
    """Trains in another process; returns the message of the error that ends it."""
    receiver, sender = multiprocessing.Pipe(duplex=False)

    def run() -> None:
        arrange()
        try:
            with raised_log_errors():
                train(folder)
        except Exception as error:
            sender.send(user_message(error))

    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    process.join()
    assert receiver.poll(), "the training did not fail"
    return str(receiver.recv())


SAVES = (complete_checkpointer, "save_state")


@pytest.mark.parametrize(
    "name, arrange",
    [
        # The vocabulary's files are in its folder.
        ("vocabulary/", full_at(Vocabulary, "save_to_files", 1, 100)),
        ("model_state_e1_b0.th", full_at(*SAVES, 1, 20_000)),
        ("model_state_e2_b0.th", full_at(*SAVES, 3, 20_000)),
        ("training_state_e2_b0.th", full_at(*SAVES, 4, 60_000)),
        ("best.th", full_at(recoverable_trainer, "save_state", 1, 20_000)),
        ("metrics_epoch_1.json", full_at(allennlp.common.util, "dump_metrics", 2, 500)),
        ("metrics.json", full_at(allennlp.common.util, "dump_metrics", 4, 500)),
        ("model.tar.gz", full_at(allennlp.commands.train, "archive_model", 1, 2000)),
        ("out.log", full_at(recoverable_trainer.RecoverableTrainer, "train", 1, 10)),
    ],
)
def test_it_is_said_and_the_training_can_be_recovered(
    name: str,
    arrange: Callable[[], None],
    whole: List[Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if name != "out.log":
        # The log stays below the limits.
        monkeypatch.setenv("ALLENNLP_LOG_LEVEL", "ERROR")
    message = train_on_full_disk(tmp_path / "run", arrange)
    assert message.startswith(str(tmp_path / "run" / name)), message
    assert message.endswith(": File too large")
    assert not list((tmp_path / "run").glob("*.partial"))
    train(tmp_path / "run", recover=True)
    assert results(tmp_path / "run") == whole
