"""Files of a vocabulary, against AllenNLP's reading of them."""

from pathlib import Path

import pytest
from allennlp.data import Vocabulary

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.inference.vocabulary import VocabularyFiles


@pytest.fixture
def vocab(tmp_path: Path) -> Vocabulary:
    words = {"words": ["the", "a b", "\u2028", "x\ny", "é", "\x85"], "tag_labels": ["N", "V"]}
    vocab = Vocabulary(tokens_to_add=words, non_padded_namespaces=["tag_labels"])
    vocab.save_to_files(str(tmp_path / "vocabulary"))
    return vocab


def test_entries(vocab: Vocabulary, tmp_path: Path) -> None:
    files = VocabularyFiles(tmp_path / "vocabulary", {"words": 7, "tag_labels": 2})
    for namespace in ("words", "tag_labels"):
        expected = vocab.get_token_to_index_vocabulary(namespace)
        assert {e: n for n, e in enumerate(files.entries(namespace))} == expected
    assert files.entries("others") == []


def test_another_number_of_lines(vocab: Vocabulary, tmp_path: Path) -> None:
    files = VocabularyFiles(tmp_path / "vocabulary", {"words": 8})
    with pytest.raises(ConfigurationError, match="words.txt: found 7 lines"):
        files.entries("words")


@pytest.mark.parametrize("name", ["../words", "/etc/words", "a\\b", ".", ""])
@pytest.mark.parametrize("has_lines", [True, False])
def test_only_files_of_the_folder_are_read(
    vocab: Vocabulary, tmp_path: Path, name: str, has_lines: bool
) -> None:
    files = VocabularyFiles(tmp_path / "vocabulary", {name: 1} if has_lines else None)
    with pytest.raises(ConfigurationError, match="found the namespace"):
        files.entries(name)
