"""The examples in docstrings, run, and one in each public module."""

import doctest
import importlib
from pathlib import Path
from typing import List

import pytest

import lisa_allennlp.plugin  # noqa: F401
from tests import ROOT

WITHOUT_EXAMPLE = (
    # Used from a shell, or only by being imported.
    "commands/",
    "__main__.py",
    "plugin.py",
    "version.py",
    # Needs the archive of a trained model.
    "labelling/loading.py",
)
"""The modules that no short, self-contained example can show."""


def modules() -> List[str]:
    paths = (path.relative_to(ROOT) for path in (ROOT / "lisa_allennlp").rglob("*.py"))
    return sorted(str(path) for path in paths if path.name != "__init__.py")


@pytest.mark.parametrize("path", modules())
def test_examples(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    module = importlib.import_module(path.removesuffix(".py").replace("/", "."))
    found = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert found.failed == 0
    inner = str(Path(path).relative_to("lisa_allennlp"))
    if not inner.startswith(WITHOUT_EXAMPLE):
        assert found.attempted > 0, f"{path} has no example"
