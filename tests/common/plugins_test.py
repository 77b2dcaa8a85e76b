"""The plug-ins that `lisa` loads."""

from pathlib import Path

import pytest

from lisa_allennlp.common.plugins import plugins
from tests import ROOT


@pytest.mark.medium
def test_plugins_of_the_checkout_are_found_in_every_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for folder in (ROOT, ROOT / "docs", tmp_path):
        monkeypatch.chdir(folder)
        assert set(plugins()) == {"lisa_allennlp.plugin", "experiments.reproduce"}
    (tmp_path / ".allennlp_plugins").write_text("another_plugin\n")
    assert "another_plugin" in set(plugins())
