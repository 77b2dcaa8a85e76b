"""Archives of models with ELMo and transformers need no other files."""

import json
import shutil
import socket
import tarfile
from pathlib import Path
from typing import Any, Dict

import h5py
import pytest
import torch
from allennlp.commands.train import train_model_from_file
from allennlp.common import cached_transformers
from allennlp.models.archival import load_archive

import lisa_allennlp
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.models_on_disk.archives.exporting import Description, export
from lisa_allennlp.models_on_disk.archives.opening import open_archive
from lisa_allennlp.models_on_disk.archives.stored_files import archive_model, store_files
from lisa_allennlp.models_on_disk.model_folder import BEST_NAME, stored_path
from tests import FIXTURES, ROOT
from tests.models.lisa_test import SMALL
from tests.tiny_transformer import make_tiny_transformer

WORDS = "The board sold a towel to the librarian".split()
OVERRIDES = {**SMALL, "trainer.num_epochs": 1, "dataset_reader.max_instances": 5}


def elmo(folder: Path) -> str:
    shutil.copytree(FIXTURES / "elmo", folder)
    return f"{folder}/"


INPUTS: Dict[str, Any] = {
    "lisa_small_elmo": ("LISA_ELMO", elmo),
    "lisa_encoder": ("LISA_TRANSFORMER", make_tiny_transformer),
}


def label(model: Path) -> Dict[str, Any]:
    return lisa_allennlp.load(model)({"tokens": WORDS}).to_dict()


@pytest.mark.medium
@pytest.mark.parametrize("config", INPUTS)
def test_a_trained_archive_is_self_contained(
    config: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    variable, make = INPUTS[config]
    inputs = tmp_path / "inputs"
    monkeypatch.setenv(variable, make(inputs))
    train_model_from_file(
        f"training_configs/{config}.jsonnet", tmp_path / "out", json.dumps(OVERRIDES)
    )
    with tarfile.open(tmp_path / "out/model.tar.gz") as archive:
        assert {BEST_NAME, "model_files/names.json"} <= set(archive.getnames())
    expected = label(tmp_path / "out")
    # Another implementation of attention sums in another order.
    probabilities = expected["predicate_probabilities"]
    expected["predicate_probabilities"] = pytest.approx(probabilities, abs=2e-4)
    moved = shutil.move(tmp_path / "out/model.tar.gz", tmp_path / "moved.tar.gz")
    shutil.rmtree(tmp_path / "out")
    shutil.rmtree(inputs)
    cached_transformers._clear_caches()
    forbid_network(monkeypatch)
    monkeypatch.delenv("HF_HUB_OFFLINE")
    monkeypatch.setenv(variable, "")
    monkeypatch.chdir(tmp_path)
    assert label(moved) == expected
    assert not cached_transformers._tokenizer_cache and not cached_transformers._model_cache
    # AllenNLP's own function finds the stored files as well.
    theirs, own = load_archive(moved).model.state_dict(), open_archive(moved).model.state_dict()
    assert all(torch.equal(own[name], theirs[name]) for name in own)
    # The config has the names of the training, so it can be compared with that of another one.
    assert str(inputs) in str(open_archive(moved).config.as_dict(quiet=True))
    export(moved, tmp_path / "exported", Description(license="CC0"))
    assert label(tmp_path / "exported") == expected


def forbid_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: Any, **options: Any) -> None:
        raise AssertionError(f"connected to {arguments}")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def with_elmo(folder: Path, weights: Path) -> Path:
    """The folder of a training of a model with ELMo, without weights."""
    (folder / "vocabulary").mkdir(parents=True)
    options = str(FIXTURES / "elmo/options.json")
    embedder = {"type": "elmo_token_embedder", "options_file": options, "weight_file": str(weights)}
    (folder / "config.json").write_text(json.dumps({"model": {"embedder": embedder}}))
    torch.save({}, folder / "best.th")
    return folder


def test_elmo_s_weights_are_stored_once(tmp_path: Path) -> None:
    weights = FIXTURES / "elmo/weights.hdf5"
    folder = with_elmo(tmp_path / "model", weights)
    (folder / "model_files").mkdir()
    (folder / "model_files/mine").touch()
    archive_model(folder)
    stored = stored_path(str(weights), folder)
    assert stored is not None and Path(stored).stat().st_size < weights.stat().st_size / 4
    with h5py.File(stored) as file:
        assert file["char_embed"].shape == (261, 8) and not file["char_embed"][...].any()
    assert (folder / "model_files/mine").exists()
    # Again, from the stored files.
    config = json.loads((folder / "config.json").read_text())
    assert len(store_files(config, folder, tmp_path / "again")) == 2
    assert (tmp_path / "again/weight_file_2").read_bytes() == Path(stored).read_bytes()


def test_an_archive_without_its_files_names_all_of_them_and_the_cure(tmp_path: Path) -> None:
    folder = with_elmo(tmp_path / "model", tmp_path / "gone.hdf5")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "dataset_reader": {}}))
    with pytest.raises(ConfigurationError) as error:
        open_archive(folder)
    for name in ("model.embedder.options_file", "model.embedder.weight_file", "lisa export"):
        assert name in error.value.message


def test_what_cannot_be_stored_is_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = with_elmo(tmp_path / "model", tmp_path / "gone.hdf5")
    assert Path(archive_model(folder)).exists()
    assert "The archive will need files of this machine: file " in caplog.text
    assert stored_path(str(tmp_path / "gone.hdf5"), folder) is None


@pytest.mark.parametrize("name", ["./missing", "..", "../../other", "/etc/passwd", "x\0y"])
def test_names_that_are_no_files_of_the_folder(name: str, tmp_path: Path) -> None:
    (tmp_path / "model/model_files").mkdir(parents=True)
    (tmp_path / "other").touch()
    (tmp_path / "model/model_files/names.json").write_text(json.dumps({"bert": name}))
    assert stored_path(name, tmp_path / "model") is None
    assert stored_path("bert", tmp_path / "model") is None
