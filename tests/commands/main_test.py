"""The `lisa` command: its overview, its parsers, what it imports, and its errors."""

import argparse
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import List

import pytest
from allennlp.commands.subcommand import Subcommand
from allennlp.commands.train import Train
from allennlp.common.util import install_sigterm_handler

from lisa_allennlp import __main__ as command_line
from lisa_allennlp.commands import COMMANDS
from tests import ROOT
from tests.commands.in_process import error_of, in_process  # noqa: F401
from tests.documentation.workspace import first_sentences
from tests.without_packages import run_commands

TRAINING_WING = ("allennlp", "numba", "spacy", "torch", "transformers")


@pytest.mark.medium
def test_what_needs_no_allennlp(tmp_path: Path) -> None:
    dev, lines = tmp_path / "few.gold_conll", tmp_path / "lines.txt"
    for ending in ("gold_conll", "conllu"):
        first_sentences(ROOT / f"fixtures/sample/dev.{ending}", dev.with_suffix(f".{ending}"))
    lines.write_text("She sold him the car. He left.\n")
    printed = {
        ("label", "english-fast", "She sold him the car."): "sell.01",
        (
            "show",
            "english-fast",
            "Go .",
            "--compare",
            "english-fast",
        ): "english-fast = english-fast",
        ("predict", "english-fast", lines, "--input-format", "lines"): '"sell.01"',
        ("annotate", lines, "--output", tmp_path / "shards", "--model", "english-fast"): "complete",
        ("models",): "name ",
        ("score", "srl", dev, dev): "Number of Sentences",
        ("compare", "parse", dev, dev, dev, "--samples", 2): "A: ",
        ("convert", dev, tmp_path / "dev.jsonl"): "",
        ("show", tmp_path / "dev.jsonl", "--html", tmp_path / "dev.html"): "",
        ("analyze", "--gold", dev, "--pred", f"a={dev}", "--out", tmp_path / "report"): "1-10",
    }
    ran = run_commands(TRAINING_WING, *printed)
    assert ran.returncode == 0, ran.stderr
    assert not [text for text in printed.values() if text not in ran.stdout]


@pytest.mark.medium
def test_what_needs_allennlp_says_so(tmp_path: Path) -> None:
    ran = run_commands(TRAINING_WING, ["train", "lisa_small", "-s", tmp_path / "out"])
    assert ran.returncode == 1 and ran.stderr.count("\n") == 1
    assert "found no package allennlp; expected it to be installed: make setup" in ran.stderr


def test_all_commands_are_listed(capsys: pytest.CaptureFixture) -> None:
    modules = {name: Subcommand.by_name(name).__module__ for name in Subcommand.list_available()}
    # AllenNLP's own commands stay what they are.
    assert not [name for name in modules if modules[name].startswith("lisa_allennlp")]
    with pytest.raises(SystemExit) as end:
        command_line.main([])
    assert not end.value.code
    listing = capsys.readouterr().out
    places = [listing.index(f"\n  {name} ") for name in COMMANDS]
    assert places == sorted(places)
    with pytest.raises(SystemExit):
        command_line.main(["trian"])
    assert "invalid choice: 'trian'" in capsys.readouterr().err


HELP = """
import os, sys
from lisa_allennlp.__main__ import main
from lisa_allennlp.commands import COMMANDS, module_of
for name in COMMANDS:
    sys.stdout.flush()
    if os.fork() == 0:
        try: main([name, "--help"])
        except SystemExit as end: assert not end.code
        found = [m for m in map(module_of, COMMANDS) if m in sys.modules]
        assert found == [module_of(name)], (name, found)
        assert not {"numpy", "rich", "torch"} & set(sys.modules), name
        sys.stdout.flush()
        os._exit(0)
    assert os.wait()[1] == 0, name
"""


def test_help_imports_only_the_commands_own_module() -> None:
    ran = subprocess.run([sys.executable, "-c", HELP], capture_output=True, text=True)
    assert ran.returncode == 0 and ran.stderr == "", ran.stderr
    assert all(f"usage: lisa {name} " in ran.stdout for name in COMMANDS)


def test_allennlps_options_of_train_are_kept() -> None:
    parser = argparse.ArgumentParser()
    Train().add_subparser(parser.add_subparsers())
    arguments = ["train", "config", "-s", "out"]
    theirs, ours = vars(parser.parse_args(arguments)), vars(command_line.parse(arguments))
    assert ours.keys() - theirs.keys() == {
        "run",
        "continue_from",
        "dev",
        "include_package",
        "replay",
        "train",
    }
    del theirs["func"]
    assert {name: ours[name] for name in theirs} == theirs


def test_options_stand_anywhere() -> None:
    args = command_line.parse(["label", "english", "--probabilities", "She left.", "No."])
    assert args.probabilities and args.arguments == ["english", "She left.", "No."]
    assert command_line.parse(["label", "--", "--probabilities"]).arguments == ["--probabilities"]


def test_closed_streams() -> None:
    command = ["sh", "-c", '"$0" -m lisa_allennlp label <&- >&-', sys.executable]
    ran = subprocess.run(command, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    assert (ran.returncode, ran.stderr) == (0, "note: <stdin>: found no sentences\n")


def test_debug_keeps_the_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileNotFoundError):
        command_line.main(["--debug", "predict", "english", "no/in.jsonl"])
    monkeypatch.setenv("LISA_DEBUG", "1")
    with pytest.raises(FileNotFoundError):
        command_line.main(["predict", "english", "no/in.jsonl"])


def test_a_closed_pipe_is_quiet() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "lisa_allennlp", "--help"]
    ran = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    os.close(writer)
    assert ran.stderr == ""


def test_signals(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    statuses = {signal.SIGINT: (130, "interrupted"), signal.SIGTERM: (143, "terminated")}
    before = {number: signal.getsignal(number) for number in statuses}
    # A shell lets the jobs that it starts in the background ignore it.
    signal.signal(signal.SIGINT, signal.default_int_handler)

    def receive(arguments: List[str]) -> None:
        install_sigterm_handler()
        os.kill(os.getpid(), int(arguments[0]))

    monkeypatch.setattr(command_line, "_run", receive)
    try:
        for number, (status, word) in statuses.items():
            assert command_line.main(["--debug", str(int(number))]) == status
            assert f"lisa: {word}\n" in capsys.readouterr().err
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
