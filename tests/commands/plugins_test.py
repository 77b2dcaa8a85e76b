"""The plug-ins and packages that `lisa` loads."""

import sys
from pathlib import Path

import pytest

from lisa_allennlp.commands.plugins import load_classes
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.importing import import_packages


@pytest.mark.medium
def test_plugins_of_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("lisa_allennlp.commands.plugins.import_all", lambda *args, **_: None)
    (tmp_path / ".allennlp_plugins").write_text("own_plugin\n")
    (tmp_path / "own_plugin.py").touch()
    load_classes()
    assert "own_plugin" in sys.modules


def test_included_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    package = tmp_path / "own_package"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "part.py").write_text("import own_package")
    import_packages(["own_package"])
    assert "own_package.part" in sys.modules
    with pytest.raises(ConfigurationError, match="--include-package: found no package 'none'"):
        import_packages(["none"])
    (package / "broken.py").write_text("import no_such_module")
    with pytest.raises(ModuleNotFoundError):
        import_packages(["own_package"])
