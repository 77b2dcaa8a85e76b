"""`lisa serve`: errors in options come in one line, before a model is opened."""

import socket

import pytest

from lisa_allennlp.__main__ import main
from lisa_allennlp.commands import serve
from tests.commands.in_process import error_of, in_process  # noqa: F401
from tests.without_packages import run_commands

ERRORS = {
    "--port 70000": "--port is 70000",
    "--host no.such.host.invalid": "found --host no.such.host.invalid and --port 8000 (",
    "--save out": "--save: found out without --corpus",
    "--save ben --adjudicate ann ben": "--save: found ben, but ben is read",
    "--save x --corpus x/a.corrections.jsonl": "found x, but x/a.corrections.jsonl is read",
    "--adjudicate ann ben": "found no file or folder ann",
}


@pytest.mark.parametrize("arguments", ERRORS)
def test_errors(arguments: str, capsys: pytest.CaptureFixture):
    assert ERRORS[arguments] in error_of(capsys, "serve", *arguments.split())


@pytest.mark.parametrize("option", ["--max-queue 0", "--time-limit nan", "--allow-host a/b"])
def test_numbers(option: str, capsys: pytest.CaptureFixture):
    with pytest.raises(SystemExit):
        main(["serve", *option.split()])
    assert f"{option.split()[0]}: found {option.split()[1]}" in capsys.readouterr().err


def test_missing_packages():
    ran = run_commands(["fastapi"], ["serve"])
    assert ran.returncode == 1
    assert "found no package fastapi" in ran.stderr


def test_a_service_for_other_machines_says_so(capsys: pytest.CaptureFixture):
    with socket.socket() as listener:
        listener.bind(("0.0.0.0", 0))
        serve.warn_about(listener, ["*"])
    warnings = capsys.readouterr().err
    assert "listening on 0.0.0.0: every machine that reaches it" in warnings
    assert "--allow-host *: every web page" in warnings
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        serve.warn_about(listener, ["lisa.example"])
    assert "serve:" not in capsys.readouterr().err
