"""`lisa serve`: errors in options come in one line, before a model is opened."""

import socket
import sys

import pytest

from lisa_allennlp.__main__ import main
from lisa_allennlp.commands import serve
from tests.commands.in_process import in_process  # noqa: F401

ERRORS = {
    "--port 70000": "--port is 70000; expected 1 to 65535, or 0 for a free port",
    "--host no.such.host.invalid": "found --host no.such.host.invalid and --port 8000 (",
    "--save out": "--save: found out without --corpus; expected both",
}


@pytest.mark.parametrize("arguments", ERRORS)
def test_errors(arguments: str, capsys: pytest.CaptureFixture):
    assert main(["serve", *arguments.split()]) == 1
    error = capsys.readouterr().err
    assert error.startswith("lisa: error: ") and error.count("\n") == 1
    assert ERRORS[arguments] in error


@pytest.mark.parametrize("option", ["--max-queue 0", "--time-limit nan", "--allow-host a/b"])
def test_numbers(option: str, capsys: pytest.CaptureFixture):
    with pytest.raises(SystemExit):
        main(["serve", *option.split()])
    assert f"{option.split()[0]}: found {option.split()[1]}; expected " in capsys.readouterr().err


def test_missing_packages(capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch):
    for name in [name for name in sys.modules if name.startswith("lisa_allennlp.service.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "fastapi", None)
    assert main(["serve"]) == 1
    assert "found no package fastapi; expected it to be installed" in capsys.readouterr().err


def test_a_service_for_other_machines_says_so(capsys: pytest.CaptureFixture):
    with socket.socket() as listener:
        listener.bind(("0.0.0.0", 0))
        serve._warn_about(listener)
    assert "listening on 0.0.0.0: every machine that reaches it" in capsys.readouterr().err
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        serve._warn_about(listener)
    assert capsys.readouterr().err == ""
