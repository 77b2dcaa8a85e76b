"""Broken and edited folders end in one line that names the file."""

import json
import shutil
from pathlib import Path
from typing import Any, Callable, Dict

import pytest
import torch
from allennlp.models.archival import load_archive
from safetensors.torch import load_file, save_file

import lisa_allennlp
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.model_files.exporting import Description, export
from lisa_allennlp.model_files.opening import open_archive


@pytest.fixture(scope="module")
def exported(archives: Dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported") / "model"
    export(archives["lisa"], folder, Description(license="CC0"))
    return folder


@pytest.fixture
def folder(exported: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(exported, tmp_path / "model"))


def edit_text(name: str, change: Callable[[str], str]) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        path = folder / name
        path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")

    return edit


def edit_bytes(name: str, change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    return lambda folder: (folder / name).write_bytes(change((folder / name).read_bytes()))  # type: ignore


def remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def with_weights(change: Callable[[Dict[str, torch.Tensor]], Any]) -> Callable[[Path], None]:
    """Weights of another model, with their right checksum."""

    def edit(folder: Path) -> None:
        import hashlib

        path = folder / "weights.safetensors"
        weights = load_file(path)
        change(weights)
        save_file(weights, path, {"vector_dimensions": "{}"})
        info = json.loads((folder / "model.json").read_text())
        info["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
        (folder / "model.json").write_text(json.dumps(info))

    return edit


BROKEN: Dict[str, Any] = {
    "no model.json": (remove("model.json"), "model.json: found no such file"),
    "no weights": (remove("weights.safetensors"), "FileNotFoundError: .*weights.safetensors"),
    "no labels": (
        remove("vocabulary/role_labels.txt"),
        "numbers of lines: .*; expected .*role_",
    ),
    "truncated": (
        edit_bytes("weights.safetensors", lambda content: content[:-10]),
        "weights.safetensors: found other weights than those that were exported; expected the SHA",
    ),
    "other format": (
        edit_text("model.json", lambda text: text.replace('"format": 1', '"format": 9')),
        "model/model.json: format is 9; expected 1: export the model with this version",
    ),
    "no scores": (
        edit_text("model.json", lambda text: text.replace('"scores"', '"points"')),
        "KeyError: 'scores'",
    ),
    "no JSON": (
        edit_text("config.json", lambda text: text[:-3]),
        "config.json: found no JSON .*; expected an object",
    ),
    "words not UTF-8": (
        edit_bytes("vocabulary/tokens.txt", lambda c: c.replace(b"\nthe\n", b"\n\xe9\n")),
        "UnicodeDecodeError: .*0xe9",
    ),
    "a word missing": (
        edit_text("vocabulary/tokens.txt", lambda text: text.replace("\nthe\n", "\n")),
        r"numbers of lines: .*; expected .*'tokens': \d+.*, as in model.json",
    ),
    "another size": (
        edit_text(
            "config.json",
            lambda text: text.replace('"feedforward_hidden_dim": 8', '"feedforward_hidden_dim": 9'),
        ),
        "size mismatch for _encoder",
    ),
    "a weight missing": (
        with_weights(lambda weights: weights.pop("_joint_tagger._projection.bias")),
        "Missing key.*_joint_tagger._projection.bias",
    ),
    "an old archive": (
        with_weights(lambda weights: weights["_archive_format.number"].zero_()),
        "model: found a model of archive format 0; expected 2: train it again",
    ),
    "a namespace out of the folder": (
        edit_text("model.json", lambda text: text.replace('"tokens"', '"../../requirements"')),
        "numbers of lines: .*; expected .*requirements.*, as in model.json",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_folders(folder: Path, case: str) -> None:
    edit, message = BROKEN[case]
    edit(folder)
    with pytest.raises(ConfigurationError, match=message) as error:
        open_archive(folder)
    assert "\n" not in error.value.message and str(folder) in error.value.message


def test_overrides_and_other_weights(folder: Path) -> None:
    decoder = {"model.role_decoder": {"type": "greedy"}, "model.precision": "bfloat16"}
    model = open_archive(folder, overrides=json.dumps(decoder)).model
    assert type(model._role_decoder).__name__ == "GreedyRoleDecoder"
    # The user's own words, which may name any file.
    open_archive(folder, overrides={"dataset_reader.injected_parses_path": "/my.conllu"})
    with pytest.raises(ConfigurationError, match="found the weights file w.th; expected none"):
        open_archive(folder, weights_file="w.th")


def test_opening_writes_nothing(folder: Path) -> None:
    before = sorted((path, path.stat().st_mtime_ns) for path in folder.rglob("*"))
    lisa_allennlp.load(folder)
    assert sorted((path, path.stat().st_mtime_ns) for path in folder.rglob("*")) == before


def test_allennlp_opens_them_too(folder: Path) -> None:
    own, theirs = open_archive(folder).model, load_archive(folder).model
    for name, weight in own.state_dict().items():
        assert torch.equal(weight, theirs.state_dict()[name])
