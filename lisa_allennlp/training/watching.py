"""
What a person sees of `lisa train`: warnings, the progress, and nothing else of AllenNLP's log,
which is in the file `out.log`.

>>> from allennlp.training import gradient_descent_trainer as trainer
>>> with watched():
...     Progress in trainer.DEFAULT_CALLBACKS
True
>>> Progress in trainer.DEFAULT_CALLBACKS
False
"""

import logging
import os
from contextlib import contextmanager
from typing import Any, ContextManager, Iterator, Optional

from allennlp.common import logging as common_logging
from allennlp.training import gradient_descent_trainer

from lisa_allennlp.common.hidden_bars import HiddenBars
from lisa_allennlp.common.progress_line import LINE
from lisa_allennlp.training.callbacks.progress import Progress

VARIABLE = "LISA_WATCHED"
"""The environment variable that tells the workers of a distributed training that it is watched."""

_worker: Optional[ContextManager[None]] = None

_prepare_global_logging = common_logging.prepare_global_logging


@contextmanager
def watched() -> Iterator[None]:
    """Trainings in this block use `Progress`, and log to the terminal only what is important."""
    callbacks: Any = gradient_descent_trainer.DEFAULT_CALLBACKS
    os.environ[VARIABLE] = "1"
    common_logging.prepare_global_logging = prepare_global_logging
    gradient_descent_trainer.DEFAULT_CALLBACKS = (*callbacks, Progress)
    try:
        with HiddenBars():
            yield
    finally:
        LINE.clear()
        gradient_descent_trainer.DEFAULT_CALLBACKS = callbacks
        common_logging.prepare_global_logging = _prepare_global_logging
        os.environ.pop(VARIABLE, None)


def watch_in_worker() -> None:
    """
    Begins what `watched` does in a worker of a distributed training that is watched. The plug-in
    calls it. Until then, the worker's log is on the terminal, since AllenNLP loads plug-ins later.
    """
    global _worker
    if VARIABLE in os.environ:
        _worker = watched()
        _worker.__enter__()
        _set_levels()


def prepare_global_logging(*args: Any, **kwargs: Any) -> None:
    """
    AllenNLP's function with another level for the terminal: `ALLENNLP_LOG_LEVEL`, or else warnings.
    The log file has at least the level INFO.
    """
    _prepare_global_logging(*args, **kwargs)
    _set_levels()


def _set_levels() -> None:
    root = logging.getLogger()
    is_chosen = {"ALLENNLP_LOG_LEVEL", "ALLENNLP_DEBUG"} & os.environ.keys()
    on_screen = root.level if is_chosen else logging.WARNING
    in_file = min(root.level, logging.INFO)
    for handler in root.handlers:
        if isinstance(handler, logging.FileHandler):
            handler.setLevel(in_file)
        else:
            handler.setLevel(max(handler.level, on_screen))
    root.setLevel(min(on_screen, in_file))
