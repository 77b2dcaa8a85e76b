"""What the terminal shows of the log of a training."""

import logging
import os
from pathlib import Path

import pytest
from allennlp.common import logging as common_logging
from allennlp.training import gradient_descent_trainer

from lisa_allennlp.training import watching
from lisa_allennlp.training.callbacks.progress import Progress
from tests.commands.in_process import in_process  # noqa: F401

EXPECTED = "Worker 0 completed its entire epoch (validation)."


@pytest.mark.parametrize("world_size", [1, 2])
def test_a_worker(
    world_size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
):
    monkeypatch.delenv("ALLENNLP_LOG_LEVEL", raising=False)
    before = gradient_descent_trainer.DEFAULT_CALLBACKS
    assert not watching.is_watched()
    with watching.watched():
        assert watching.is_watched()
        assert gradient_descent_trainer.DEFAULT_CALLBACKS == (*before, Progress)
        common_logging.prepare_global_logging(tmp_path, 0, world_size)
        for message in ("reading", EXPECTED, "vocabulary serialization directory is full"):
            logging.getLogger("allennlp").info(message)
        for message in ("no such weight", EXPECTED):
            logging.getLogger("allennlp").warning(message)
    shown = [line.rpartition(" - ")[2] for line in capsys.readouterr().out.splitlines()]
    # It says nothing new where it is not a mistake.
    assert shown == ["no such weight", EXPECTED][: 3 - world_size]
    (log,) = tmp_path.glob("out*.log")
    assert log.read_text().count(EXPECTED) == 2
    assert gradient_descent_trainer.DEFAULT_CALLBACKS == before
    assert watching.VARIABLE not in os.environ
