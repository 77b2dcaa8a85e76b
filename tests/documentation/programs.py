"""Executes or checks the documented calls of programs."""

import contextlib
import io
import json
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import List

import allennlp.commands
import pytest
from allennlp.common import Params

from lisa_allennlp import __main__ as command_line
from lisa_allennlp.common import config_files
from lisa_allennlp.training.configs import check_config
from tests import ROOT
from tests.documentation.shell import Call
from tests.documentation.workspace import run

SHORT = {"trainer.num_epochs": 1, "dataset_reader.max_instances": 10}
"""What makes the training of a page's own config short."""


def execute(call: Call, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Executes a call of `lisa`, which has to fail if the page shows an error, or of `allennlp`.
    Others are checked only, and so are `reproduce` and trainings of a config that is not the page's
    own. What the models in the package answer is what the page shows.
    """
    program, *arguments = call.arguments
    error = shown if shown.startswith("lisa: error") else ""
    if arguments[0] == "train" and re.fullmatch(r"\w+\.jsonnet", arguments[1]):
        arguments += ["-o", json.dumps(SHORT)]
    elif arguments[0] in ("reproduce", "train") and not error:
        check(call, monkeypatch)
        return
    if program == "lisa":
        printed = _execute_lisa(call, arguments, error, monkeypatch)
        if shown and arguments[0] in ("find", "label", "show"):
            assert printed.split() == shown.split(), printed
    elif program == "allennlp":
        check(call, monkeypatch)
        with monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["allennlp", *arguments])
            allennlp.commands.main()
    else:
        check(call, monkeypatch)


def _execute_lisa(
    call: Call, arguments: List[str], error: str, monkeypatch: pytest.MonkeyPatch
) -> str:
    if "--output-file" in arguments:
        # It may be there for the page's other commands, and is not overwritten.
        Path(arguments[arguments.index("--output-file") + 1]).unlink(missing_ok=True)
    if arguments[0] == "prepare":
        shutil.rmtree(arguments[arguments.index("--out") + 1], ignore_errors=True)
    with contextlib.ExitStack() as stack:
        _set_variables(call, stack.enter_context(monkeypatch.context()))
        if call.input is not None:
            text = stack.enter_context(open(call.input, encoding="utf-8"))
            stack.enter_context(monkeypatch.context()).setattr(sys, "stdin", text)
        printed = run(arguments, error)
    if call.output is not None:
        Path(call.output).write_text(printed, encoding="utf-8")
    return printed


def check(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks that a call has a program, options and a config that exist, without executing it."""
    program, *arguments = call.arguments
    with monkeypatch.context() as patch:
        _set_variables(call, patch)
        if program == "lisa":
            _check_lisa(arguments)
        elif program == "allennlp":
            _check_allennlp(arguments)
        elif program == "make":
            subprocess.run(["make", "-n", *arguments], cwd=ROOT, check=True, capture_output=True)
        elif program == "pip":
            assert arguments[0] == "install"
            files = [v for o, v in zip(arguments, arguments[1:], strict=False) if o == "-r"]
            assert all(v == "/dev/stdin" or (ROOT / v).is_file() for v in files), files
        elif program == "python":
            _check_module(arguments)
        else:
            assert program in ("git", "perl", "rsync", "sbatch", "ssh"), program


def _set_variables(call: Call, patch: pytest.MonkeyPatch) -> None:
    for name, value in call.variables.items():
        patch.setenv(name, value)


def _check_lisa(arguments: List[str]) -> None:
    parsed = command_line.parse(arguments)
    if arguments[0] == "train":
        config = Params.from_file(config_files.resolve(parsed.param_path), parsed.overrides)
        check_config(config.as_dict(quiet=True), parsed.param_path)


def _check_allennlp(arguments: List[str]) -> None:
    place = arguments.index("--include-package")
    assert arguments[place + 1] == "lisa_allennlp"
    _check_lisa(arguments[:place] + arguments[place + 2 :])


def _check_module(arguments: List[str]) -> None:
    """Checks that the module's help has the options. Its other arguments are taken as they are."""
    assert arguments[0] == "-m", arguments
    printed = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(printed):
        patch.setattr(sys, "argv", [arguments[1], "--help"])
        with pytest.raises(SystemExit) as ended:
            runpy.run_module(arguments[1], run_name="__main__")
    assert ended.value.code == 0
    known = re.findall(r"(?<![\w-])--?[a-z][\w-]*", printed.getvalue())
    assert {option for option in arguments[2:] if option.startswith("-")} <= set(known)
