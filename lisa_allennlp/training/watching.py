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
from typing import Any, Iterator, Union

from allennlp.common import logging as common_logging
from allennlp.training import gradient_descent_trainer

from lisa_allennlp.common.hidden_bars import HiddenBars
from lisa_allennlp.common.progress_line import LINE
from lisa_allennlp.training.callbacks.progress import Progress

VARIABLE = "LISA_WATCHED"
"""The environment variable that tells the workers of a distributed training that it is watched."""

_EXPECTED = (
    "Worker 0 completed its entire epoch",
    "vocabulary serialization directory",
    "Parameter local_rank for class",
)
"""How the warnings begin that AllenNLP logs in every distributed training."""

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


def is_watched() -> bool:
    """Whether this process or, in a worker of a distributed training, the first one is watched."""
    return VARIABLE in os.environ


def prepare_global_logging(
    serialization_dir: Union[str, os.PathLike], rank: int = 0, world_size: int = 1
) -> None:
    """
    AllenNLP's function with another level for the terminal: `ALLENNLP_LOG_LEVEL`, or else warnings.
    The log file has at least the level INFO.
    """
    _prepare_global_logging(serialization_dir, rank, world_size)
    root = logging.getLogger()
    is_chosen = {"ALLENNLP_LOG_LEVEL", "ALLENNLP_DEBUG"} & os.environ.keys()
    on_screen = root.level if is_chosen else logging.WARNING
    in_file = min(root.level, logging.INFO)
    for handler in root.handlers:
        if isinstance(handler, logging.FileHandler):
            handler.setLevel(in_file)
        else:
            handler.setLevel(max(handler.level, on_screen))
            if world_size > 1:
                handler.addFilter(_is_news)
    root.setLevel(min(on_screen, in_file))


def _is_news(record: logging.LogRecord) -> bool:
    is_expected = record.getMessage().startswith(_EXPECTED)
    return record.levelno != logging.WARNING or not is_expected
