"""What is saved of a model, without loading it."""

import json
from pathlib import Path

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.spacy_component.saved_model import save_model, saved_model


def contents(folder: Path) -> dict:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_text() for path in files}


def test_a_folder_has_one_model(tmp_path: Path) -> None:
    exported, saved, archive = (tmp_path / name for name in ("exported", "saved", "a.tar.gz"))
    (exported / "vocabulary").mkdir(parents=True)
    for name in ("config.json", "weights.safetensors", "vocabulary/joint_tags.txt"):
        (exported / name).write_text(f"the {name}")
    archive.write_text("an archive")
    for model in ("english", exported, archive, None, archive, exported):
        save_model(model, saved)
        assert len(list(saved.iterdir())) == 1
        found = saved_model(saved)
        if isinstance(model, Path) and model.is_file():
            assert Path(found or "").read_text() == "an archive"
        else:
            assert found == model or contents(Path(found or "")) == contents(exported)
    # A model may be saved to the place that it was loaded from.
    before = contents(saved)
    save_model(Path(saved_model(saved) or "").resolve(), saved)
    assert contents(saved) == before


def test_another_version_is_reported(tmp_path: Path) -> None:
    save_model("english", tmp_path)
    (path,) = tmp_path.iterdir()
    path.write_text(json.dumps({**json.loads(path.read_text()), "lisa_allennlp": "0.0.1"}))
    with pytest.warns(UserWarning, match="saved with lisa-allennlp 0.0.1; the model of"):
        assert saved_model(tmp_path) == "english"


def test_nothing_saved(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=f"{tmp_path}/none: found no model; expected"):
        saved_model(tmp_path / "none")
