"""What is saved of a model, without loading it."""

import json
from pathlib import Path

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.spacy_component.saved_model import (
    folder_from_bytes,
    folder_to_bytes,
    own_path,
    save_model,
    saved_model,
)


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    """The files of a folder as `lisa export` makes it."""
    folder = tmp_path / "exported"
    (folder / "vocabulary").mkdir(parents=True)
    for name in ("config.json", "weights.safetensors", "vocabulary/joint_tags.txt"):
        (folder / name).write_text(f"the {name}")
    return folder


def contents(folder: Path) -> dict:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_an_exported_folder_is_copied(exported: Path, tmp_path: Path) -> None:
    path = own_path(str(exported))
    assert path is not None
    save_model(path, tmp_path / "saved")
    assert contents(Path(saved_model(tmp_path / "saved") or "")) == contents(exported)


def test_names_are_saved_as_names(tmp_path: Path) -> None:
    assert own_path("english") is None and own_path(None) is None
    for model in ("english", None):
        save_model(model, tmp_path)
        assert saved_model(tmp_path) == model


def test_a_folder_has_one_model(exported: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    archive = tmp_path / "model.tar.gz"
    archive.write_text("an archive")
    for model in ("english", exported, archive, "english", archive, exported):
        save_model(model, saved)
        assert len(list(saved.iterdir())) == 1
    # A model may be saved to the place that it was loaded from.
    before = contents(saved)
    save_model(own_path(saved_model(saved)), saved)
    assert contents(saved) == before


def test_bytes_are_the_files(exported: Path, tmp_path: Path) -> None:
    folder_from_bytes(folder_to_bytes(exported), tmp_path / "copy")
    assert contents(tmp_path / "copy") == contents(exported)


def test_another_version_is_reported(tmp_path: Path) -> None:
    save_model("english", tmp_path)
    (path,) = tmp_path.iterdir()
    path.write_text(json.dumps({**json.loads(path.read_text()), "lisa_allennlp": "0.0.1"}))
    with pytest.warns(UserWarning, match="saved with lisa-allennlp 0.0.1; the model of"):
        assert saved_model(tmp_path) == "english"


def test_nothing_saved_and_nothing_to_save(exported: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=f"{tmp_path}/none: found no model; expected"):
        saved_model(tmp_path / "none")
    path = exported.rename(tmp_path / "moved")
    with pytest.raises(ConfigurationError, match=f"{exported}: found no model any more"):
        save_model(exported, tmp_path / "saved")
    assert path.exists()
