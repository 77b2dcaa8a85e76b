import importlib
import pkgutil
import sys

import pytest

import benchmarks

NOT_COMMANDS = {"common", "records", "systems"}
WITHOUT_RECORD = {"tables"}
COMMANDS = sorted({m.name for m in pkgutil.iter_modules(benchmarks.__path__)} - NOT_COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_help(name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    module = importlib.import_module(f"benchmarks.{name}")
    monkeypatch.setattr(sys, "argv", [f"benchmarks.{name}", "--help"])
    with pytest.raises(SystemExit) as ended:
        module.main()
    assert ended.value.code == 0
    text = capsys.readouterr().out
    assert f"python -m benchmarks.{name}" in text and "--check" in text
    assert ("--json" in text) == (name not in WITHOUT_RECORD)
