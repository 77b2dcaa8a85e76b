"""Workers of a distributed training, which begin to be watched when they load the plug-in."""

import logging
import os
from pathlib import Path

import pytest
from allennlp.common import logging as common_logging
from allennlp.training import gradient_descent_trainer

from lisa_allennlp.training import watching
from lisa_allennlp.training.callbacks.progress import Progress
from tests.commands.in_process import in_process  # noqa: F401


def test_a_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("ALLENNLP_LOG_LEVEL", raising=False)
    before = gradient_descent_trainer.DEFAULT_CALLBACKS
    watching.watch_in_worker()
    assert gradient_descent_trainer.DEFAULT_CALLBACKS == before
    monkeypatch.setenv(watching.VARIABLE, "1")
    common_logging.prepare_global_logging(tmp_path)
    try:
        watching.watch_in_worker()
        assert gradient_descent_trainer.DEFAULT_CALLBACKS == (*before, Progress)
        levels = {type(handler): handler.level for handler in logging.getLogger().handlers}
        assert levels[logging.FileHandler] == logging.INFO
        assert min(h.level for h in logging.getLogger().handlers[1:]) == logging.WARNING
    finally:
        assert watching._worker is not None
        watching._worker.__exit__(None, None, None)
    assert gradient_descent_trainer.DEFAULT_CALLBACKS == before
    assert watching.VARIABLE not in os.environ
