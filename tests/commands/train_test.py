"""`lisa train`: what it prints, logs and writes, and which folders it uses."""

import json
import logging
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, List

import pytest
from allennlp.common import logging as common_logging
from allennlp.common.tqdm import _tqdm
from allennlp.training import gradient_descent_trainer

from lisa_allennlp import __main__ as command_line
from lisa_allennlp import load
from lisa_allennlp.common import progress_line
from lisa_allennlp.training import workers
from tests import FIXTURES, ROOT
from tests.commands.in_process import in_process  # noqa: F401
from tests.terminal import Terminal, use_terminal

pytestmark = pytest.mark.medium

OVERRIDES = {
    "trainer.num_epochs": 2,
    "dataset_reader.max_instances": 4,
    "model.initializer": {"regexes": [["no_such_weight", {"type": "zero"}]]},
}
"""Two quick epochs, and a regex for which AllenNLP logs a warning."""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ALLENNLP_LOG_LEVEL", raising=False)
    monkeypatch.setenv("LISA_DATA", "sample")
    # Which AllenNLP's `evaluate` disables for good.
    for name in ("allennlp.common.params", "allennlp.nn.initializers"):
        monkeypatch.setattr(logging.getLogger(name), "disabled", False)


def lisa_train(*options: str, config: str = "ccg/mlp", **changes: Any) -> int:
    overrides = json.dumps({**OVERRIDES, **changes})
    return command_line.main(["train", config, "-s", "OUT", "-o", overrides, *options])


def shown_rows(text: str) -> List[str]:
    return [line for line in text.splitlines() if re.match(r" +\d+  ", line)]


def test_without_a_terminal(capsys: pytest.CaptureFixture):
    defaults = gradient_descent_trainer.DEFAULT_CALLBACKS
    assert lisa_train() == 0
    out, err = capsys.readouterr()
    assert err == "" and "\r" not in out
    warning, header, *rows, best, model, time = out.splitlines()
    assert " - WARNING - " in warning and "no_such_weight" in warning
    assert header.split() == "epoch train loss val loss accuracy time".split()
    assert [row.split()[0] for row in rows] == ["1", "2"]
    metrics = json.loads(Path("OUT/metrics.json").read_text())
    chosen = metrics["best_epoch"]
    assert [row.endswith("*") for row in rows][chosen]
    assert best == (
        f"best epoch: {chosen + 1} of 2, accuracy {metrics['best_validation_accuracy']:.2f}"
    )
    assert model == "model: OUT/model.tar.gz" and Path("OUT/model.tar.gz").exists()
    assert re.fullmatch(r"time: 0:\d\d", time)
    # Other trainings of this process are as before.
    assert gradient_descent_trainer.DEFAULT_CALLBACKS == defaults
    assert common_logging.prepare_global_logging.__module__ == "allennlp.common.logging"


def log_messages(folder: str) -> List[str]:
    """The messages without dates, durations, memory and bars."""
    lines = re.split(r"\n(?=\d{4}-)", Path(folder, "out.log").read_text().rstrip())
    found = [line.split(" - ", 1)[1] for line in lines]
    return [line for line in found if " - tqdm - " not in line and "memory" not in line]


def test_the_log_is_allennlp_s(capsys: pytest.CaptureFixture):
    assert lisa_train() == 0
    assert lisa_train("--force", config=str(ROOT / "training_configs/ccg/mlp.jsonnet")) == 0
    watched = log_messages("OUT")
    from allennlp.commands.train import train_model
    from allennlp.common import Params

    config = ROOT / "training_configs/ccg/mlp.jsonnet"
    train_model(Params.from_file(config, json.dumps(OVERRIDES)), "OUT2")
    expected = [line.replace("OUT2", "OUT") for line in log_messages("OUT2")]
    assert [line for line in watched if "duration" not in line] == [
        line for line in expected if "duration" not in line
    ]
    assert len(watched) > 100 and any(line.startswith("INFO - ") for line in watched)


def test_the_level_of_the_screen(capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ALLENNLP_LOG_LEVEL", "INFO")
    assert lisa_train() == 0
    assert " - INFO - " in capsys.readouterr().out
    monkeypatch.setenv("ALLENNLP_LOG_LEVEL", "ERROR")
    assert lisa_train("--force") == 0
    assert "no_such_weight" not in capsys.readouterr().out
    assert any(line.startswith("INFO - ") for line in log_messages("OUT"))
    assert logging.getLogger().level == logging.INFO


def test_a_terminal_of_80_columns(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture):
    monkeypatch.setattr(progress_line, "INTERVAL", 0.0)
    output = use_terminal(monkeypatch)
    assert lisa_train() == 0
    terminal = Terminal(width=300)  # A warning is long.
    terminal.show(output.getvalue())
    assert terminal.states[0] == "reading the data"
    assert len([line for line in terminal.states if re.match("epoch ./2  batch ", line)]) == 8
    assert max(len(line) for line in terminal.states if line.startswith("epoch")) <= 80
    assert len(shown_rows(terminal.text)) == 2
    assert "it/s" not in terminal.text + capsys.readouterr().err


def test_recovered_and_dry_trainings(capsys: pytest.CaptureFixture):
    assert lisa_train("--dry-run") == 0
    out = capsys.readouterr().out
    assert "dry run: the data and the model can be built; the vocabulary is in OUT/" in out
    assert re.search(r"\n  supertag_labels: \d+ entries\n", out) and not shown_rows(out)
    # The folder of a dry run has no weights, so the next training uses it.
    assert lisa_train() == 0
    capsys.readouterr()
    assert lisa_train() == 1
    assert "found a training with weights in OUT (best.th)" in capsys.readouterr().err
    for name in ("metrics.json", "model.tar.gz"):
        Path("OUT", name).unlink()
    assert lisa_train("--recover") == 0
    out = capsys.readouterr().out
    assert shown_rows(out) == [] and "best epoch: " in out and "model: OUT/model.tar.gz" in out


def test_file_friendly_logging(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture):
    monkeypatch.setattr(common_logging, "FILE_FRIENDLY_LOGGING", False)
    monkeypatch.setattr(progress_line, "FILE_FRIENDLY_INTERVAL", 0.0)
    assert lisa_train("--file-friendly-logging") == 0
    out, err = capsys.readouterr()
    assert err == "" and "\r" not in out and "\x1b" not in out
    assert len(shown_rows(out)) == 2
    assert len([line for line in out.splitlines() if re.match("epoch ./2  batch ", line)]) == 8


def test_a_folder_of_a_failed_training_is_used_again(capsys: pytest.CaptureFixture):
    failing = {"trainer.optimizer": {"type": "sgd", "lr": 0.1, "momentum": -1.0}}
    with pytest.raises(ValueError):
        command_line.main(
            ["--debug", "train", "ccg/mlp", "-s", "OUT", "-o", json.dumps({**OVERRIDES, **failing})]
        )
    assert Path("OUT/vocabulary").exists() and not Path("OUT/best.th").exists()
    assert lisa_train() == 0
    assert "best epoch: " in capsys.readouterr().out


@pytest.mark.parametrize(
    "config, shown",
    [("lisa_small", "srl_f1 uas las"), ("sa_small", "srl_f1"), ("dm_small", "las uas")],
)
def test_other_models(config: str, shown: str, capsys: pytest.CaptureFixture):
    tiny = {
        "lisa_small": {"model.encoder.num_layers": 5},
        "sa_small": {"model.encoder.num_layers": 3},
        "dm_small": {"model.encoder.hidden_dim": 8},
    }[config]
    overrides = {"trainer.num_epochs": 1, "dataset_reader.max_instances": 4, **tiny}
    arguments = ["train", config, "-s", "OUT", "-o", json.dumps(overrides)]
    assert command_line.main(arguments) == 0
    out = capsys.readouterr().out
    header = next(line for line in out.splitlines() if line.startswith("epoch"))
    assert header.split()[5:] == [*shown.split(), "time"]
    assert len(shown_rows(out)) == 1 and max(map(len, shown_rows(out))) <= 80


def test_more_epochs(capsys: pytest.CaptureFixture):
    noam = {"trainer.learning_rate_scheduler": {"type": "noam", "model_size": 1, "warmup_steps": 2}}
    assert lisa_train(**noam) == 0
    assert lisa_train("--recover", **{**noam, "trainer.num_epochs": 3}) == 0
    assert shown_rows(capsys.readouterr().out)[-1].split()[0] == "3"
    assert json.loads(Path("OUT/metrics.json").read_text())["epoch"] == 2
    assert lisa_train("--recover", **{**noam, "random_seed": 1}) == 1
    assert "random_seed: found 1; expected no value, as in OUT" in capsys.readouterr().err


@pytest.mark.parametrize("number, found", [(0, "0"), (-3, "-3"), (None, "null")])
def test_a_number_of_epochs_below_1(number: Any, found: str, capsys: pytest.CaptureFixture):
    assert lisa_train(**{"trainer.num_epochs": number}) == 1
    message = f"lisa: error: trainer.num_epochs: found {found}; expected at least 1 epoch"
    assert capsys.readouterr().err.startswith(message)
    assert not Path("OUT").exists()


def test_a_corpus_without_predicates(capsys: pytest.CaptureFixture):
    # The first sentence of the sample is "John".
    changes = {"dataset_reader.max_instances": 1, "model.initializer": {}}
    assert lisa_train(config="sa_small", **changes) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("lisa: error: train_data_path: found no predicate in the training data")


TWO_PROCESSES = {"distributed": {"cuda_devices": [-1, -1]}}


def fork_workers(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture) -> None:
    """Starts workers quickly. Forks would show the bars that earlier tests have left open."""
    monkeypatch.setattr(workers, "START_METHOD", "fork")
    for bar in list(getattr(_tqdm, "_instances", ())):
        bar.close()
    capfd.readouterr()


def test_two_processes_show_one_table(
    capfd: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    fork_workers(monkeypatch, capfd)
    assert lisa_train(**TWO_PROCESSES, **{"trainer.num_epochs": 1}) == 0
    out, err = capfd.readouterr()
    assert err == ""
    header, row, *summary = [line for line in out.splitlines() if " - WARNING - " not in line]
    assert header.split()[0] == "epoch" and row.split()[0] == "1"
    assert [line.partition(":")[0] for line in summary] == ["best epoch", "model", "time"]


def test_two_processes_that_failed_at_the_start_are_recovered(
    capfd: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    fork_workers(monkeypatch, capfd)
    changes = {**TWO_PROCESSES, "validation_data_path": "dev.auto"}
    # Only the workers read it.
    Path("dev.auto").write_text("no derivation")
    assert lisa_train(**changes) == 1
    assert re.fullmatch("lisa: error: dev.auto:1: found .*; expected .*\n", capfd.readouterr().err)
    Path("OUT/vocabulary/supertag_labels.txt").write_text("")
    source = next((FIXTURES / "ccg" / "AUTO" / "00").iterdir())
    Path("dev.auto").write_text(source.read_text())
    assert lisa_train("--recover", **changes) == 0
    assert load("OUT/model.tar.gz")("Go !").supertags


@pytest.mark.slow
def test_two_new_processes() -> None:
    overrides = json.dumps({**OVERRIDES, **TWO_PROCESSES})
    command = [sys.executable, "-m", "lisa_allennlp", "train", "ccg/mlp", "-s", "OUT"]
    ran = subprocess.run([*command, "-o", overrides], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert len(shown_rows(ran.stdout)) == 2
    assert load("OUT/model.tar.gz")("She sold him the car .").supertags


def test_the_number_of_a_node(capsys: pytest.CaptureFixture) -> None:
    assert lisa_train("--node-rank", "1", **TWO_PROCESSES) == 1
    assert "--node-rank: found 1; expected a number from 0 to 0" in capsys.readouterr().err
