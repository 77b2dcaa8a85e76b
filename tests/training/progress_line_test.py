"""The line of progress, on terminals and elsewhere."""

import pytest
import rich
from allennlp.common import logging as common_logging

from lisa_allennlp.training import progress_line
from lisa_allennlp.training.progress_line import FILE_FRIENDLY_INTERVAL, INTERVAL, ProgressLine
from tests.terminal import Terminal, use_terminal


def test_one_line_that_is_replaced_and_cut(monkeypatch: pytest.MonkeyPatch):
    output = use_terminal(monkeypatch, width=20)
    line = ProgressLine()
    line.show("epoch 1")
    line.show("x" * 50)
    rich.get_console().print("a row")
    line.show("epoch 2")
    terminal = Terminal(width=20)
    terminal.show(output.getvalue())
    assert terminal.lines == ["a row", "epoch 2"]
    assert "x" * 19 + "…" in terminal.states
    line.clear()
    line.clear()
    terminal = Terminal(width=20)
    terminal.show(output.getvalue())
    assert terminal.text == "a row"
    # A program that is killed leaves a visible cursor.
    assert output.getvalue().index("\x1b[?25h") < output.getvalue().index("epoch 1")


def test_the_line_is_not_changed_too_often(monkeypatch: pytest.MonkeyPatch):
    now = 100.0
    monkeypatch.setattr(progress_line.time, "monotonic", lambda: now)
    line = ProgressLine()
    for friendly, interval in [(False, INTERVAL), (True, FILE_FRIENDLY_INTERVAL)]:
        monkeypatch.setattr(common_logging, "FILE_FRIENDLY_LOGGING", friendly)
        line.show("epoch 1")
        now += interval - 0.1
        assert not line.is_due()
        now += 0.11
        assert line.is_due()
