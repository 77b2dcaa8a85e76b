"""`lisa serve`: errors in options come in one line, before a model is opened."""

import builtins
import socket
import sys
from pathlib import Path
from typing import Any, Dict, List

import pytest

from lisa_allennlp.__main__ import main
from lisa_allennlp.commands import serve
from tests.commands.in_process import in_process  # noqa: F401

ERRORS = {
    "--max-queue 0": "--max-queue is 0; expected 1 or more",
    "--max-bytes -1": "--max-bytes is -1; expected 1 or more",
    "--max-words 0": "--max-words is 0; expected 1 or more",
    "--time-limit 0": "--time-limit is 0.0; expected seconds above 0",
    "--time-limit nan": "--time-limit is nan; expected seconds above 0",
    "--processes -1": "--processes is -1; expected 0 or more",
    "--processes 2 --cuda-device 0": "--processes: found --cuda-device too",
    "--allow-host https://a.example": "--allow-host is https://a.example; expected NAME or",
    "--cuda-device 7": "device: found 7, but this machine has ",
    "--port 70000": "--port is 70000; expected 1 to 65535, or 0 for a free port",
    "--host no.such.host.invalid": "--host: found 'no.such.host.invalid'; expected an address",
    "--host 192.0.2.1": "--host: found 192.0.2.1; expected an address of this machine",
    "--predictor-args 3": "--predictor-args: found '3'; expected a JSON object",
    "--port 0 no-such-model": "named 'no-such-model'; expected the path of a model",
}


@pytest.mark.parametrize("arguments", ERRORS)
def test_errors(arguments: str, capsys: pytest.CaptureFixture):
    assert main(["serve", *arguments.split()]) == 1
    error = capsys.readouterr().err
    assert error.startswith("lisa: error: ") and error.count("\n") == 1
    assert ERRORS[arguments] in error


def test_a_port_in_use(capsys: pytest.CaptureFixture):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 1
    assert f"--port: found {port} in use; expected a free port" in capsys.readouterr().err


def test_a_privileged_port(capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    class Refused(socket.socket):
        bind = refuse  # type: ignore[assignment]

    monkeypatch.setattr(socket, "socket", Refused)
    assert main(["serve", "--port", "80"]) == 1
    assert "--port: found 80, which this user may not open" in capsys.readouterr().err


@pytest.mark.parametrize("missing", serve.PACKAGES)
def test_missing_packages(
    missing: str, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, missing, None)
    assert main(["serve"]) == 1
    expected = (
        f"lisa: error: serve: found no package {missing}; expected it to be installed: "
        "pip install --no-deps -r requirements/serve.txt (lisa --debug shows the traceback)\n"
    )
    assert capsys.readouterr().err == expected


def test_other_commands_need_none_of_the_packages(monkeypatch: pytest.MonkeyPatch):
    """As AllenNLP imports the package for `allennlp train --include-package lisa_allennlp`."""
    from allennlp.common.util import import_module_and_submodules

    for name in [name for name in sys.modules if name.startswith("lisa_allennlp.service")]:
        monkeypatch.delitem(sys.modules, name)
    packages = (*serve.PACKAGES, "starlette")
    imported: List[str] = []
    original = builtins.__import__

    def watch(name: str, *arguments: Any, **options: Any) -> Any:
        if name.partition(".")[0] in packages:
            imported.append(name)
        return original(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", watch)
    import_module_and_submodules("lisa_allennlp.service")
    assert imported == []


def test_a_service_for_other_machines_says_so(capsys: pytest.CaptureFixture):
    with socket.socket() as listener:
        listener.bind(("0.0.0.0", 0))
        serve._warn_about(listener)
    assert "listening on 0.0.0.0: every machine that reaches it" in capsys.readouterr().err
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        serve._warn_about(listener)
    assert capsys.readouterr().err == ""


def test_the_model_is_not_opened_for_a_wrong_port(
    archives: Dict[str, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
):
    monkeypatch.setattr(serve, "load_labeller", None)
    assert main(["serve", str(archives["lisa"]), "--port", "-1"]) == 1
    assert "--port is -1" in capsys.readouterr().err
