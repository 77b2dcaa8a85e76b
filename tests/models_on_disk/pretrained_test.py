"""The names of the models in the package, and where they are understood."""

import shutil
from pathlib import Path
from typing import Dict

import pytest

import lisa_allennlp
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.models_on_disk import pretrained
from lisa_allennlp.models_on_disk.archives.exporting import Description, export
from lisa_allennlp.version import VERSION
from tests.commands.in_process import execute, in_process, run  # noqa: F401


@pytest.fixture(scope="module")
def package(archives: Dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package with two models."""
    folder = tmp_path_factory.mktemp("pretrained")
    export(archives["ccg_supertagger"], folder / "a-tagger", Description(license="CC0"))
    export(archives["lisa"], folder / "english", Description(license="CC BY-SA 4.0"))
    return folder


@pytest.fixture(autouse=True)
def shipped(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pretrained, "FOLDER", package)
    monkeypatch.chdir(tmp_path)


def test_names(package: Path) -> None:
    assert pretrained.names() == ["english", "a-tagger"]
    assert pretrained.resolve("english") == str(package / "english")
    assert pretrained.resolve("./english") == "./english"
    with pytest.raises(ConfigurationError, match="named 'englsh'; .* package: english, a-tagger"):
        pretrained.resolve("englsh")


def test_a_model_in_the_current_folder_comes_first(package: Path, tmp_path: Path) -> None:
    (tmp_path / "english").mkdir()
    # A folder without a model is something else.
    assert pretrained.resolve("english") == str(package / "english")
    shutil.copytree(package / "a-tagger", tmp_path / "english", dirs_exist_ok=True)
    assert pretrained.resolve("english") == "english"


@pytest.mark.medium
def test_load_and_label(capsys: pytest.CaptureFixture) -> None:
    expected = lisa_allennlp.load("english")("She left .").to_dict()
    assert lisa_allennlp.load()("She left .").to_dict() == expected

    def label(*arguments: str) -> str:
        execute("label", *arguments)
        return capsys.readouterr().out

    table = label("She left .")
    assert table.startswith("   word  POS")
    assert label("english", "She left .") == table
    assert label("a-tagger", "She left .").startswith("   word  supertag")
    for path in ("no/such", "none.tar.gz"):
        with pytest.raises(ConfigurationError, match=f"{path}: found no such file"):
            label(path, "She left .")


def test_list(capsys: pytest.CaptureFixture) -> None:
    assert run(*["models"]) == 0
    heading, english, tagger = capsys.readouterr().out.splitlines()
    assert heading.split() == ["name", "version", "size", "licence", "scores"]
    assert english.split()[:2] == ["english", VERSION] and "MB  CC BY-SA 4.0" in english
    assert tagger.startswith("a-tagger")
