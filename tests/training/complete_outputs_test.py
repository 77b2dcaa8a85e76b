"""The archive and the metrics of a training, if they cannot be written."""

import json
import tarfile
from pathlib import Path
from typing import Any

import allennlp.commands.train
import allennlp.common.util
import pytest
from allennlp.models import archival

from lisa_allennlp.training import complete_outputs


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A trained model."""
    (tmp_path / "vocabulary").mkdir()
    for name in ("config.json", "best.th", "meta.json", "vocabulary/tokens.txt"):
        (tmp_path / name).write_text("{}")
    return tmp_path


def members(archive: Path) -> set:
    with tarfile.open(archive) as opened:
        return set(opened.getnames())


def test_allennlp_uses_them() -> None:
    complete_outputs.use_by_default()
    assert allennlp.commands.train.archive_model is complete_outputs.archive_model
    assert allennlp.common.util.dump_metrics is complete_outputs.dump_metrics


@pytest.mark.parametrize("name", [None, "other.tar.gz", "folder"])
def test_the_archive_is_allennlps(name: Any, folder: Path) -> None:
    (folder / "folder").mkdir()
    path = None if name is None else folder / name
    made = Path(complete_outputs.archive_model(folder, archive_path=path))
    expected = archival.archive_model(folder, archive_path=folder / "expected.tar.gz")
    assert members(made) == members(Path(expected))
    assert (
        made
        == {
            None: folder / "model.tar.gz",
            "other.tar.gz": folder / "other.tar.gz",
            "folder": folder / "folder" / "model.tar.gz",
        }[name]
    )


def test_an_older_archive_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Path(complete_outputs.archive_model(folder))
    before = members(made)

    def fail(*args: Any, **kwargs: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tarfile.TarFile, "addfile", fail)
    with pytest.raises(OSError, match="No space left"):
        complete_outputs.archive_model(folder)
    assert members(made) == before
    assert not list(folder.glob("*.partial"))


def test_older_metrics_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "metrics.json"
    complete_outputs.dump_metrics(str(file), {"loss": 0.5, "nan": float("inf")}, log=True)
    with pytest.raises(TypeError):
        complete_outputs.dump_metrics(str(file), {"loss": object()})
    assert json.loads(file.read_text())["loss"] == 0.5
    complete_outputs.dump_metrics(None, {"loss": 1.0})
