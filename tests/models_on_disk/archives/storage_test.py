"""Vocabularies against AllenNLP's reading of them, and compressed weights of any values."""

from pathlib import Path
from typing import Any, Dict

import pytest
import torch
from allennlp.data import Vocabulary

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.models_on_disk.archives.storage import (
    read_vocabulary,
    read_weights,
    write_vocabulary,
    write_weights,
)
from lisa_allennlp.models_on_disk.model_folder import (
    ARCHIVE_FORMAT,
    VocabularyFiles,
    digest_of_file,
)
from lisa_allennlp.models_on_disk.pretrained import WEIGHTS_NAME


def written_and_read(
    weights: Dict[str, torch.Tensor], folder: Path, **options: Any
) -> Dict[str, torch.Tensor]:
    number = {"_archive_format.number": torch.tensor(ARCHIVE_FORMAT)}
    write_weights({**weights, **number}, folder / WEIGHTS_NAME, **options)
    return read_weights(folder, digest_of_file(folder / WEIGHTS_NAME))


def test_what_half_precision_cannot_hold_stays_as_it_is(tmp_path: Path) -> None:
    weights = {"w": torch.tensor([1.0, 1e6]), "n": torch.tensor([2**40]), "f": torch.ones(1) / 3}
    weights["b"] = torch.tensor([True, False])
    found = written_and_read(weights, tmp_path, precision="float16")
    assert all(torch.equal(found[name], weights[name]) for name in "wnb")
    assert found["f"].dtype == torch.half


def test_weights_that_share_memory(tmp_path: Path) -> None:
    shared = torch.randn(3, 2)
    found = written_and_read({"a": shared, "b": shared, "c": shared.t()}, tmp_path)
    assert torch.equal(found["a"], shared) and torch.equal(found["c"], shared.t())


def test_vocabularies_are_those_of_allennlp(tmp_path: Path) -> None:
    words = {"words": ["the", "a b", "\u2028", "x\ny", "é", "\x85"], "tag_labels": ["N", "V"]}
    vocab = Vocabulary(tokens_to_add=words)
    num_lines = write_vocabulary(vocab, tmp_path, {"words": 6})
    assert num_lines == {"words": 5, "tag_labels": 2}
    theirs = Vocabulary.from_files(str(tmp_path / "vocabulary"))
    ours = read_vocabulary(tmp_path, {}, num_lines)
    files = VocabularyFiles(tmp_path, num_lines)
    for namespace in num_lines:
        expected = theirs.get_index_to_token_vocabulary(namespace)
        assert ours.get_index_to_token_vocabulary(namespace) == expected
        assert dict(enumerate(files.entries(namespace))) == expected
    assert files.entries("others") == []
    # The files of a training.
    vocab.save_to_files(str(tmp_path / "training/vocabulary"))
    read = read_vocabulary(tmp_path / "training", {"oov_token": "@@UNKNOWN@@"})
    assert read.get_vocab_size("words") == vocab.get_vocab_size("words")


@pytest.mark.parametrize("name", ["../words", "/etc/words", "a\\b", "."])
def test_only_files_of_the_folder_are_read_and_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="found the namespace"):
        write_vocabulary(Vocabulary(tokens_to_add={name: ["secret"]}), tmp_path, {})
    (tmp_path / "vocabulary/non_padded_namespaces.txt").touch()
    for num_lines in ({name: 1}, None):
        with pytest.raises(ConfigurationError, match="found the namespace"):
            VocabularyFiles(tmp_path, num_lines).entries(name)
