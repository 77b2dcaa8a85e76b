"""Runs commands in the process of a test, whose registry has all classes already."""

import logging
import re
import sys

import pytest
from allennlp.common.tqdm import logger as tqdm_logger

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.__main__ import main, parse


@pytest.fixture(autouse=True)
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    What `train` does to the process (handlers on this test's streams, an exception hook) must not
    outlive a test.
    """
    for logger in (logging.getLogger(), tqdm_logger):
        monkeypatch.setattr(logger, "handlers", list(logger.handlers))
        monkeypatch.setattr(logger, "level", logger.level)
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr("lisa_allennlp.commands.plugins.load_allennlp", lambda packages=(): None)
    monkeypatch.delenv("LISA_DEBUG", raising=False)


def run(*arguments: object) -> int:
    return main(list(map(str, arguments)))


def error_line(capsys: pytest.CaptureFixture) -> str:
    """The one line of an error on standard error, whatever else was printed there."""
    (line,) = re.findall("lisa: error: .*", capsys.readouterr().err)
    return str(line)


def error_of(capsys: pytest.CaptureFixture, *arguments: object) -> str:
    """The line of a command that fails with the status of a user's error."""
    assert run(*arguments) == 1
    return error_line(capsys)


def execute(*arguments: object) -> None:
    args = parse(list(map(str, arguments)))
    args.run(args)
