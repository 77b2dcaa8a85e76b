"""Exported folders: what they hold, that they label as the archive does, and broken ones."""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest
import torch
import yaml
from allennlp.models.archival import load_archive
from safetensors.torch import load_file, save_file

import lisa_allennlp
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.labelling.labeller import ParserLabeller
from lisa_allennlp.models_on_disk.archives.exporting import Description, Storage, export
from lisa_allennlp.models_on_disk.archives.opening import archived_config, open_archive
from lisa_allennlp.models_on_disk.model_folder import read_info
from tests.archives import write_archive
from tests.tiny_transformer import make_tiny_transformer

FREE = Description(license="CC0")
WORDS = [["the", "board", "sold", "a", "towel"], ["zyzzyva", "to", "the", "librarian"]]
TAGS = ["DT", "NN", "VBD", "DT", "NN"]


def answers(model: Path) -> List[Dict[str, Any]]:
    labeller = lisa_allennlp.load(model)
    reads_tags = isinstance(labeller, ParserLabeller)
    return [
        labeller({"tokens": words, **({"pos": TAGS[: len(words)]} if reads_tags else {})}).to_dict()
        for words in WORDS
    ]


@pytest.mark.medium
@pytest.mark.parametrize("name", ["lisa", "deep_biaffine_parser", "ccg_supertagger"])
def test_the_answers_stay_the_same(archives: Dict[str, Path], tmp_path: Path, name: str) -> None:
    info = export(archives[name], tmp_path / "out", FREE)
    assert answers(tmp_path / "out") == answers(archives[name])
    old, new = (open_archive(path).model for path in (archives[name], tmp_path / "out"))
    assert info.parameters == sum(weight.numel() for weight in old.parameters())
    # AllenNLP's own function opens it, too.
    theirs = load_archive(tmp_path / "out").model.state_dict()
    for key, weight in old.state_dict().items():
        assert torch.equal(weight, new.state_dict()[key]) and torch.equal(weight, theirs[key]), key


def test_the_files(archives: Dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "about.md").write_text("## Data\n\nThe sample.\n", encoding="utf-8")
    (tmp_path / "LICENSE").write_text("# CC BY-SA 4.0\n\nThe text.\n", encoding="utf-8")
    metrics = {"best_validation_uas": 88.888, "best_validation_loss": 1.0, "training_uas": 99.0}
    (tmp_path / "metrics.json").write_text(json.dumps(metrics))
    license, about, scores = (str(tmp_path / n) for n in ("LICENSE", "about.md", "metrics.json"))
    folder = tmp_path / "out"
    description = Description(license, "mine", "2.0", about, scores, "the Sample, dev")
    written = export(archives["lisa"], folder, description)
    assert {path.name for path in folder.iterdir()} == {
        *("LICENSE.txt", "README.md", "config.json", "model.json", "vocabulary"),
        *("graphs", "network.json", "weights.safetensors"),
    }
    info = read_info(folder)
    assert info == written
    assert (info.name, info.version, info.license) == ("mine", "2.0", "CC BY-SA 4.0")
    assert info.scores == {"uas": 88.89}
    card = (folder / "README.md").read_text(encoding="utf-8")
    _, metadata, card = card.split("---\n", 2)
    (entry,) = yaml.safe_load(metadata)["model-index"]
    assert entry["name"] == "mine" and "\nOn the Sample, dev.\n" in card
    assert entry["results"][0]["dataset"] == {"type": "other", "name": "the Sample, dev"}
    assert card.startswith("\n# mine\n") and "| `uas` | 88.89 |" in card and "## Data" in card
    assert set(archived_config(str(folder))) == {"data_loader", "dataset_reader", "model"}
    assert not list(folder.rglob(".*"))


def test_a_folder_is_replaced_only_on_request(archives: Dict[str, Path], tmp_path: Path) -> None:
    folder = tmp_path / "out"
    export(archives["lisa"], folder, FREE)
    with pytest.raises(ConfigurationError, match="out: found files; expected an empty or a new"):
        export(archives["lisa"], folder, FREE)
    export(archives["lisa"], folder, FREE, force=True)
    with pytest.raises(ConfigurationError, match="found the model .* in it; expected another"):
        export(folder, folder, FREE, force=True)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").touch()
    with pytest.raises(ConfigurationError, match="other: found files; expected an empty or a new"):
        export(archives["lisa"], tmp_path / "other", FREE, force=True)


def test_compression_fewer_words_and_overrides(archives: Dict[str, Path], tmp_path: Path) -> None:
    """Half a step per row at most; 11 bits of significand for the rest."""
    overrides = {"model.predicate_threshold": 1.0}
    export(archives["lisa"], tmp_path / "out", FREE, Storage("float16", 8, 20), overrides=overrides)
    old, new = (open_archive(path).model for path in (archives["lisa"], tmp_path / "out"))
    # Words are dropped from the end.
    assert new.vocab.get_vocab_size("tokens") == 22
    for index in range(22):
        assert new.vocab.get_token_from_index(index) == old.vocab.get_token_from_index(index)
    vectors = "_text_field_embedder.token_embedder_tokens.weight"
    for name, weight in old.named_parameters():
        found = new.get_parameter(name)
        assert found.dtype == torch.float
        weight = weight[:22] if name == vectors else weight
        largest = weight.abs().amax(dim=-1, keepdim=True)
        bound = 1.001 / 254 * largest if name == vectors else 2**-11 * weight.abs() + 1e-7
        assert ((found - weight).abs() <= bound).all(), name
    codes = load_file(tmp_path / "out" / "weights.safetensors")[f"{vectors}|codes"]
    assert codes.shape[0] == 22 and codes.element_size() == 1
    config = json.loads((tmp_path / "out" / "config.json").read_text())
    assert config["model"]["predicate_threshold"] == 1.0
    assert not any(answer["predicates"] for answer in answers(tmp_path / "out"))


def test_other_files_are_not_copied(archives: Dict[str, Path], tmp_path: Path) -> None:
    """Neither those that a config only names, nor those of a tokenizer's config, nor links."""
    (tmp_path / "secret.txt").write_text("@@UNKNOWN@@\nzyzzy\n")
    folder = make_tiny_transformer(tmp_path / "tiny")
    options = {"type": "pretrained_transformer_words", "model_name": folder, "max_length": 64}
    config = archived_config(archives["lisa"])
    model = {**config["model"], "text_field_embedder": {"token_embedders": {"t": options}}}
    model["encoder"] = {**model["encoder"], "input_dim": 16}
    reader = {**config["dataset_reader"], "token_indexers": {"t": options}}
    (tmp_path / "model").mkdir()
    write_archive(tmp_path / "model", model, reader, open_archive(archives["lisa"]).model.vocab)
    change(
        tmp_path / "model/config.json",
        '"type": "pretrained_transformer_words"',
        f'"type": "pretrained_transformer_words", "tokenizer_kwargs": {{"x": "{tmp_path}/s.txt"}}',
    )
    with pytest.raises(
        ConfigurationError, match="tokenizer_kwargs.x: found '.*s.txt'; expected no"
    ):
        export(tmp_path / "model", tmp_path / "out", FREE)
    change(tmp_path / "model/config.json", f'"x": "{tmp_path}/s.txt"', "")
    stored = tmp_path / "model/model_files/model_name_1/tokenizer_config.json"
    tokenizer = json.loads(stored.read_text())
    stored.write_text(json.dumps({**tokenizer, "vocab_file": str(tmp_path / "secret.txt")}))
    export(tmp_path / "model", tmp_path / "out", FREE)
    copied = [file for file in (tmp_path / "out").rglob("*") if file.is_file()]
    assert copied and not any(b"zyzzy" in file.read_bytes() for file in copied)
    (tmp_path / "model/vocabulary/secret.txt").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(ConfigurationError, match="secret.txt: found a link; expected no"):
        export(tmp_path / "model", tmp_path / "again", FREE)


@pytest.fixture(scope="module")
def exported(archives: Dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported") / "model"
    export(archives["lisa"], folder, FREE)
    return folder


@pytest.fixture
def folder(exported: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(exported, tmp_path / "model"))


def change(path: Path, old: str, new: str) -> None:
    content = path.read_bytes()
    assert old.encode() in content
    path.write_bytes(content.replace(old.encode(), new.encode()))


def with_an_old_format(folder: Path) -> None:
    """With the right checksum."""
    path, info = folder / "weights.safetensors", folder / "model.json"
    weights = load_file(path)
    weights["_archive_format.number"].zero_()
    save_file(weights, path)
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    info.write_text(json.dumps({**json.loads(info.read_text()), "sha256": sha256}))


BROKEN: Dict[str, Callable[[Path], object]] = {
    "model.json: found no such file": lambda f: (f / "model.json").unlink(),
    "weights.safetensors: found damaged": lambda f: change(
        f / "weights.safetensors", '"F32"', '"I32"'
    ),
    "format is 9; expected 1": lambda f: change(f / "model.json", '"format": 1', '"format": 9'),
    r"tokens.txt: found \d+ lines": lambda f: change(f / "vocabulary/tokens.txt", "\nthe\n", "\n"),
    "size mismatch for _encoder": lambda f: change(
        f / "config.json", '"feedforward_hidden_dim": 8', '"feedforward_hidden_dim": 9'
    ),
    "model: found a model of archive format 0; expected 2": with_an_old_format,
}


@pytest.mark.parametrize("message", BROKEN)
def test_broken_folders(folder: Path, message: str) -> None:
    BROKEN[message](folder)
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
