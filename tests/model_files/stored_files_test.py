"""Archives of models with ELMo and transformers need no other files."""

import json
import shutil
import socket
from pathlib import Path
from typing import Any, Dict, List

import h5py
import pytest
from allennlp.commands.train import train_model_from_file
from allennlp.common import cached_transformers
from allennlp.common.checks import ConfigurationError

import lisa_allennlp
from lisa_allennlp.model_files.exporting import Description, export
from lisa_allennlp.model_files.opening import open_archive
from lisa_allennlp.model_files.stored_files import path_in_folder, store_files, stored_names
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
    "lisa_transformer": ("LISA_TRANSFORMER", make_tiny_transformer),
}


def label(model: Path) -> List[Dict[str, Any]]:
    return [lisa_allennlp.load(model)({"tokens": WORDS}).to_dict()]


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
    shutil.rmtree(tmp_path / "out/model_files")
    # The folder of the training reads the files that the config names.
    expected = label(tmp_path / "out")
    moved = shutil.move(tmp_path / "out/model.tar.gz", tmp_path / "moved.tar.gz")
    shutil.rmtree(tmp_path / "out")
    shutil.rmtree(inputs)
    cached_transformers._clear_caches()
    forbid_network(monkeypatch)
    monkeypatch.delenv("HF_HUB_OFFLINE")
    monkeypatch.setenv(variable, "")
    monkeypatch.chdir(tmp_path)
    assert_same(label(moved), expected)
    assert not cached_transformers._tokenizer_cache and not cached_transformers._model_cache
    # The config has the names of the training, so it can be compared with that of another one.
    assert str(inputs) in str(open_archive(moved).config.as_dict(quiet=True))
    export(moved, tmp_path / "exported", Description(license="CC0"))
    assert_same(label(tmp_path / "exported"), expected)


def assert_same(found: List[Dict[str, Any]], expected: List[Dict[str, Any]]) -> None:
    for answer, other in zip(found, expected, strict=True):
        # Another implementation of attention sums in another order.
        probabilities = answer.pop("predicate_probabilities")
        other = dict(other)
        assert probabilities == pytest.approx(other.pop("predicate_probabilities"), rel=1e-4)
        assert answer == other


def forbid_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: Any, **options: Any) -> None:
        raise AssertionError(f"connected to {arguments}")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def with_elmo(folder: Path, weights: Path, **options: Any) -> Path:
    """The folder of a training of a model with ELMo, with its config only."""
    folder.mkdir()
    files = {"options_file": str(FIXTURES / "elmo/options.json"), "weight_file": str(weights)}
    config = {"model": {"type": "lisa", "embedder": {**files, **options}}}
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def test_elmo_s_weights_are_stored_once(tmp_path: Path) -> None:
    weights = FIXTURES / "elmo/weights.hdf5"
    folder = with_elmo(tmp_path / "model", weights)
    store_files(folder)
    names = stored_names(folder)
    with h5py.File(names[str(weights)]) as file:
        assert file["char_embed"].shape == (261, 8) and not file["char_embed"][...].any()
    assert Path(names[str(weights)]).stat().st_size < weights.stat().st_size / 4
    # Here ELMo computes vectors from its own file, before it gets the model's weights.
    folder = with_elmo(tmp_path / "cached", weights, namespace_to_cache="tokens")
    store_files(folder)
    assert Path(stored_names(folder)[str(weights)]).read_bytes() == weights.read_bytes()


def test_what_cannot_be_stored_is_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = with_elmo(tmp_path / "model", tmp_path / "gone.hdf5")
    store_files(folder)
    assert "The archive will need files of this machine: file " in caplog.text
    assert list(stored_names(folder)) == [str(FIXTURES / "elmo/options.json")]
    # A model that names no files has no such folder, nor has one of another package.
    for model in ({"type": "lisa"}, {"type": "simple_tagger", "model_name": "x"}):
        (folder / "config.json").write_text(json.dumps({"model": model}))
        store_files(folder)
        assert not (folder / "model_files").exists() and not stored_names(folder)


@pytest.mark.parametrize("name", ["./missing", "..", "x" * 100_000, "x/" * 50_000, "x\0y"])
def test_names_that_are_no_files_of_the_folder(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="^names.json: found '.*', which is not") as raised:
        path_in_folder(name, tmp_path, "names.json")
    assert len(raised.value.message) < 500
