"""Exported folders: what they hold, and that they label as the archive does."""

import json
import shutil
from pathlib import Path
from typing import Any, Dict, List

import pytest
import torch
from allennlp.common import Params
from allennlp.data import Vocabulary
from safetensors.torch import load_file

import lisa_allennlp
from lisa_allennlp.common.configs import archived_config
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.labelling.parser_labeller import ParserLabeller
from lisa_allennlp.model_files.exporting import Description, Storage, _config, export
from lisa_allennlp.model_files.model_info import read_info
from lisa_allennlp.model_files.opening import open_archive
from lisa_allennlp.model_files.registered_types import check_types
from lisa_allennlp.model_files.vocabulary_files import write_vocabulary
from tests import FIXTURES, ROOT
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
    state = new.state_dict()
    for key, weight in old.state_dict().items():
        assert torch.equal(weight, state[key]), key
    # AllenNLP reads the same vocabulary.
    vocab = Vocabulary.from_files(str(tmp_path / "out" / "vocabulary"))
    for namespace in old.vocab.get_namespaces():
        entries = old.vocab.get_token_to_index_vocabulary(namespace)
        if entries:
            assert vocab.get_token_to_index_vocabulary(namespace) == entries


def test_the_files(archives: Dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "about.md").write_text("## Data\n\nThe sample.\n", encoding="utf-8")
    (tmp_path / "LICENSE").write_text("# CC BY-SA 4.0\n\nThe text.\n", encoding="utf-8")
    metrics = {"best_validation_uas": 88.888, "best_validation_loss": 1.0, "training_uas": 99.0}
    (tmp_path / "metrics.json").write_text(json.dumps(metrics))
    about = Description(
        str(tmp_path / "LICENSE"),
        "mine",
        "2.0",
        str(tmp_path / "about.md"),
        str(tmp_path / "metrics.json"),
    )
    folder = tmp_path / "out"
    written = export(archives["lisa"], folder, about)
    assert sorted(path.name for path in folder.iterdir()) == [
        "LICENSE.txt",
        "README.md",
        "config.json",
        "model.json",
        "vocabulary",
        "weights.safetensors",
    ]
    info = read_info(folder)
    assert info == written
    assert (info.name, info.version, info.license) == ("mine", "2.0", "CC BY-SA 4.0")
    assert info.scores == {"uas": 88.89}
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert card.startswith("# mine\n") and "| `uas` | 88.89 |" in card and "## Data" in card
    assert set(archived_config(str(folder))) == {"data_loader", "dataset_reader", "model"}
    assert not list(folder.rglob(".*"))


def test_a_folder_is_replaced_only_on_request(archives: Dict[str, Path], tmp_path: Path) -> None:
    folder = tmp_path / "out"
    export(archives["lisa"], folder, FREE)
    with pytest.raises(ConfigurationError, match="out: found files in this folder; expected an"):
        export(archives["lisa"], folder, FREE)
    export(archives["lisa"], folder, FREE, force=True)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").touch()
    with pytest.raises(ConfigurationError, match="other: found files in this folder; expected an"):
        export(archives["lisa"], tmp_path / "other", FREE, force=True)


def test_words_are_dropped_from_the_end(archives: Dict[str, Path], tmp_path: Path) -> None:
    export(archives["lisa"], tmp_path / "out", FREE, Storage(max_words=20))
    old, new = (open_archive(path).model for path in (archives["lisa"], tmp_path / "out"))
    assert new.vocab.get_vocab_size("tokens") == 22
    for index in range(22):
        word = new.vocab.get_token_from_index(index)
        assert word == old.vocab.get_token_from_index(index)
    name = "_text_field_embedder.token_embedder_tokens.weight"
    assert torch.equal(new.state_dict()[name], old.state_dict()[name][:22])
    index = new.vocab.get_token_index(old.vocab.get_token_from_index(30))
    assert index == new.vocab.get_token_index("@@UNKNOWN@@") == 1
    all_words = Storage(max_words=10**6)
    export(archives["lisa"], tmp_path / "all", FREE, all_words)
    assert answers(tmp_path / "all") == answers(archives["lisa"])
    with pytest.raises(ConfigurationError, match="--max-words is 0; expected 1 or more"):
        export(archives["lisa"], tmp_path / "none", FREE, Storage(max_words=0))


def test_compression(archives: Dict[str, Path], tmp_path: Path) -> None:
    """Half a step per row at most; 11 bits of significand for the rest."""
    export(archives["lisa"], tmp_path / "out", FREE, Storage("float16", 8))
    old, new = (open_archive(path).model for path in (archives["lisa"], tmp_path / "out"))
    vectors = "_text_field_embedder.token_embedder_tokens.weight"
    for name, weight in old.named_parameters():
        found = new.get_parameter(name)
        assert found.dtype == torch.float
        largest = weight.abs().amax(dim=-1, keepdim=True)
        bound = 1.001 / 254 * largest if name == vectors else 2**-11 * weight.abs() + 1e-7
        assert ((found - weight).abs() <= bound).all(), name
    codes = load_file(tmp_path / "out" / "weights.safetensors")[f"{vectors}|codes"]
    assert codes.shape == old.get_parameter(vectors).shape and codes.element_size() == 1


def with_embedder(
    archive: Path, folder: Path, embedder: Dict[str, Any], indexer: Dict[str, Any], dim: int
) -> Path:
    """An untrained LISA that embeds words in another way."""
    config, vocab = archived_config(str(archive)), open_archive(archive).model.vocab
    model = {**config["model"], "text_field_embedder": {"token_embedders": {"t": embedder}}}
    model["encoder"] = {**model["encoder"], "input_dim": dim}
    reader = {**config["dataset_reader"], "token_indexers": {"t": indexer}}
    folder.mkdir()
    return write_archive(folder, model, reader, vocab)


@pytest.mark.medium
def test_a_transformer_needs_no_other_files(
    archives: Dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    folder = make_tiny_transformer(tmp_path / "tiny")
    options = {"type": "pretrained_transformer_words", "model_name": folder, "max_length": 64}
    archive = with_embedder(archives["lisa"], tmp_path / "archive", options, options, 16)
    export(archive, tmp_path / "out", FREE)
    expected = answers(archive)
    shutil.rmtree(folder)
    moved = (tmp_path / "out").rename(tmp_path / "moved")
    for answer, other in zip(answers(moved), expected, strict=True):
        # Another implementation of attention sums in another order.
        probabilities = answer.pop("predicate_probabilities")
        assert probabilities == pytest.approx(other.pop("predicate_probabilities"), rel=1e-4)
        assert answer == other
    files = {path.name for path in (moved / "model_name_1").iterdir()}
    assert files == {
        *("config.json", "special_tokens_map.json", "tokenizer.json", "tokenizer_config.json")
    }


@pytest.mark.medium
def test_elmo_s_files_are_copied(archives: Dict[str, Path], tmp_path: Path) -> None:
    elmo = {
        "type": "elmo_token_embedder",
        "options_file": str(FIXTURES / "elmo/options.json"),
        "weight_file": str(FIXTURES / "elmo/weights.hdf5"),
    }
    indexer = {"type": "elmo_characters"}
    archive = with_embedder(archives["lisa"], tmp_path / "archive", elmo, indexer, 96)
    export(archive, tmp_path / "out", FREE)
    embedder = archived_config(str(tmp_path / "out"))["model"]["text_field_embedder"]
    assert embedder["token_embedders"]["t"]["weight_file"] == "./weight_file_2"
    assert answers(tmp_path / "out") == answers(archive)


@pytest.mark.medium
def test_the_project_s_configs_can_be_exported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    folder = ROOT / "training_configs"
    for path in [*folder.glob("*.jsonnet"), *folder.glob("ccg/*.jsonnet")]:
        config = Params.from_file(path).as_dict(quiet=True)
        if "model" not in config or path.stem == "lisa_transformer":
            continue
        exported = _config(config, tmp_path, tmp_path)
        check_types(exported, path.name)
        assert "pretrained_file" not in json.dumps(exported)


def test_nothing_is_written_outside_the_folder(archives: Dict[str, Path], tmp_path: Path) -> None:
    model = tmp_path / "deep/model"
    export(archives["lisa"], model, FREE)
    (tmp_path / "deep/requirements.txt").write_text("@@UNKNOWN@@\nsecret\n")
    info = json.loads((model / "model.json").read_text())
    info["vocabulary"]["../../requirements"] = 2
    (model / "model.json").write_text(json.dumps(info))
    with pytest.raises(ConfigurationError, match="numbers of lines: .*../../requirements"):
        export(model, tmp_path / "other/out", FREE)
    assert not (tmp_path / "other/requirements.txt").exists()
    vocab = Vocabulary(tokens_to_add={"../../requirements": ["secret"]})
    with pytest.raises(ConfigurationError, match="found the namespace '../../requirements'; exp"):
        write_vocabulary(vocab, tmp_path, {})


def test_other_files_are_not_copied(archives: Dict[str, Path], tmp_path: Path) -> None:
    """Neither those that a config only names, nor those of a tokenizer's config, nor links."""
    (tmp_path / "secret.txt").write_text("@@UNKNOWN@@\nzyzzy\n")
    folder = make_tiny_transformer(tmp_path / "tiny")
    options = {"type": "pretrained_transformer_words", "model_name": folder, "max_length": 64}
    archive = with_embedder(archives["lisa"], tmp_path / "model", options, options, 16)
    archive.unlink()
    path = tmp_path / "model/config.json"
    config = json.loads(path.read_text())
    indexer = config["dataset_reader"]["token_indexers"]["t"]
    indexer["tokenizer_kwargs"] = {"options_file": str(tmp_path / "secret.txt")}
    path.write_text(json.dumps(config))
    with pytest.raises(ConfigurationError, match="options_file: found '.*secret.txt'; expected no"):
        export(tmp_path / "model", tmp_path / "out", FREE)
    del indexer["tokenizer_kwargs"]
    path.write_text(json.dumps(config))
    stored = tmp_path / "model/model_files/model_name_1/tokenizer_config.json"
    tokenizer = json.loads(stored.read_text())
    stored.write_text(json.dumps({**tokenizer, "vocab_file": str(tmp_path / "secret.txt")}))
    export(tmp_path / "model", tmp_path / "out", FREE)
    copied = [file for file in (tmp_path / "out").rglob("*") if file.is_file()]
    assert copied and not any(b"zyzzy" in file.read_bytes() for file in copied)
    (tmp_path / "model/vocabulary/secret.txt").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(ConfigurationError, match="secret.txt: found a link; expected no"):
        export(tmp_path / "model", tmp_path / "again", FREE)


def test_overrides_become_part_of_the_config(archives: Dict[str, Path], tmp_path: Path) -> None:
    export(archives["lisa"], tmp_path / "out", FREE, overrides={"model.predicate_threshold": 1.0})
    config = json.loads((tmp_path / "out" / "config.json").read_text())
    assert config["model"]["predicate_threshold"] == 1.0
    assert not any(answer["predicates"] for answer in answers(tmp_path / "out"))
