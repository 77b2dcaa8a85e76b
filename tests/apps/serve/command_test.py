"""`lisa serve`: errors in options come in one line, before a model is opened."""

import socket

import pytest

from lisa_allennlp.__main__ import main
from lisa_allennlp.apps.serve import command as serve
from tests.commands.in_process import error_of, in_process  # noqa: F401

ERRORS = {
    "--host no.such.host.invalid": "--host no.such.host.invalid",
    "--save out": "--save: found out without --corpus",
    "--save ben --adjudicate ann ben": "--save: found ben",
    "--save x --corpus x/a.corrections.jsonl": "found x",
    "--corpus none": "found no file or folder none",
}


@pytest.mark.parametrize("arguments", ERRORS)
def test_errors(arguments: str, capsys: pytest.CaptureFixture):
    assert ERRORS[arguments] in error_of(capsys, "serve", *arguments.split())


@pytest.mark.parametrize("option", ["--time-limit nan", "--allow-host a/b"])
def test_values_that_the_parser_refuses(option: str, capsys: pytest.CaptureFixture):
    with pytest.raises(SystemExit):
        main(["serve", *option.split()])
    assert f"{option.split()[0]}: found {option.split()[1]}" in capsys.readouterr().err


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
