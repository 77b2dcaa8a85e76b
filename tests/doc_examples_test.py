"""The examples in docstrings, run."""

import doctest
import importlib
from typing import List

import pytest

import lisa_allennlp.plugin  # noqa: F401
from tests import ROOT


def modules() -> List[str]:
    paths = (path.relative_to(ROOT) for path in (ROOT / "lisa_allennlp").rglob("*.py"))
    return sorted(str(path) for path in paths if ">>>" in (ROOT / path).read_text("utf-8"))


@pytest.mark.parametrize("path", modules())
def test_examples(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    module = importlib.import_module(path.removesuffix(".py").replace("/", "."))
    found = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert found.failed == 0 < found.attempted
