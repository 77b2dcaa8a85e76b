"""`lisa serve`: what it says of the machines that reach it."""

import socket

import pytest

from lisa_allennlp.apps.serve import command as serve


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
