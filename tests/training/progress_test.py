import datetime
import re
from pathlib import Path
from typing import Any, Dict

import pytest
import rich
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common import logging as common_logging
from hypothesis import given
from hypothesis import strategies as st

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.training import progress
from lisa_allennlp.training.progress import (
    FILE_FRIENDLY_INTERVAL,
    INTERVAL,
    EpochTable,
    ProgressLine,
    TimeLeft,
    duration,
    format_seconds,
)
from tests import ROOT
from tests.terminal import Terminal, use_terminal


def test_columns_are_those_that_a_model_has():
    without = EpochTable({"training_loss": 1.0}, ["loss"])
    assert without.header().split() == "epoch train loss time".split()
    # AllenNLP's best epoch means nothing without a validation.
    row = without.row({"training_loss": 0.5, "best_epoch": 0}, 0, 1.0)
    assert row.split() == ["1", "0.5000", "0:01"]
    supertagger = EpochTable({"validation_loss": 1.0, "validation_accuracy": 2.0}, ["accuracy"])
    # Some epochs may not be validated.
    assert supertagger.row({"training_loss": 1.0}, 3, 1.0).split()[2:4] == ["-", "-"]


@given(st.integers(0, 50), st.integers(1, 40), st.integers(1, 40), st.floats(0.1, 1e4))
def test_the_time_left_is_exact_if_all_epochs_take_equally_long(
    first: int, done: int, left: int, seconds: float
):
    estimate = TimeLeft()
    assert estimate.seconds(100) is None
    # A recovered training begins in the middle.
    estimate.update(first, 5.0)
    assert estimate.seconds(100) is None
    for number in range(1, done + 1):
        estimate.update(first + number, 5.0 + number * seconds)
    assert estimate.seconds(first + done + left) == pytest.approx(left * seconds)


def train(folder: Path) -> None:
    overrides: Dict[str, Any] = {
        "trainer.num_epochs": 2,
        "dataset_reader.max_instances": 4,
        "validation_data_loader.batch_size": 2,
        "trainer.callbacks": ["progress"],
    }
    config = ROOT / "training_configs/ccg/mlp.jsonnet"
    train_model(Params.from_file(config, overrides), folder)


@pytest.mark.medium
def test_a_training_on_a_terminal_of_80_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(progress, "INTERVAL", 0.0)
    output = use_terminal(monkeypatch)
    train(tmp_path / "OUT")
    terminal = Terminal()
    terminal.show(output.getvalue())
    header, *rows = terminal.text.split("\n")
    assert header.split() == "epoch train loss val loss accuracy time".split()
    assert [row.split()[0] for row in rows] == ["1", "2"]
    batches = [f"epoch {epoch}/2  batch {batch}/4" for epoch in (1, 2) for batch in (1, 2, 3, 4)]
    lines = [line for line in terminal.states if " batch " in line]
    assert [re.match(r"epoch \d/2  batch \d/4", line)[0] for line in lines] == batches  # type: ignore
    assert all(re.search(r"  loss [\d.]+  0:\d\d left$", line) for line in lines[1:])
    validation = [line for line in terminal.states if " validation " in line]
    assert re.match(r"epoch 2/2  validation 2/2  accuracy [\d.]+  0:00 left$", validation[-1])


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
    monkeypatch.setattr(progress.time, "monotonic", lambda: now)
    line = ProgressLine()
    for friendly, interval in [(False, INTERVAL), (True, FILE_FRIENDLY_INTERVAL)]:
        monkeypatch.setattr(common_logging, "FILE_FRIENDLY_LOGGING", friendly)
        line.show("epoch 1")
        now += interval - 0.1
        assert not line.is_due()
        now += 0.11
        assert line.is_due()


@given(st.integers(0, 40 * 86400))
def test_seconds_can_be_read_back(seconds: int):
    days, _, clock = format_seconds(seconds).rpartition(" ")
    parts = [int(part) for part in clock.split(":")]
    total = sum(part * 60**power for power, part in enumerate(reversed(parts)))
    assert total + (int(days.split()[0]) * 86400 if days else 0) == seconds
    # As `training_duration` has them.
    assert duration(str(datetime.timedelta(seconds=seconds))) == format_seconds(seconds)
