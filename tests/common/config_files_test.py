"""The names of the configs that come with the package."""

from pathlib import Path

import pytest

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.common import config_files
from tests import ROOT

CONFIGS = ROOT / "training_configs"


def test_all_configs_have_names():
    files = {str(path.relative_to(CONFIGS)) for path in CONFIGS.rglob("*.jsonnet")}
    parts = {"lib/parts.jsonnet", "ccg/lib/parts.jsonnet"}
    assert {f"{name}.jsonnet" for name in config_files.names()} == files - parts
    assert {"lisa_small", "ccg/bilstm", "english_large"} <= set(config_files.names())


def test_names_in_a_checkout_and_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    # A training is recovered with the config that it was started with, by name or by path.
    monkeypatch.chdir(ROOT)
    assert config_files.resolve("lisa_small") == "training_configs/lisa_small.jsonnet"
    monkeypatch.chdir(tmp_path)
    assert config_files.resolve("ccg/mlp") == str(CONFIGS / "ccg/mlp.jsonnet")
    (tmp_path / "lisa_small").write_text("{}")
    assert config_files.resolve("lisa_small") == "lisa_small"
    for path in ("no.jsonnet", "no.json", "https://host/config"):
        assert config_files.resolve(path) == path
