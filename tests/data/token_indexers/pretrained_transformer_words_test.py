import pytest
from allennlp.common import cached_transformers
from allennlp.data import Token, Vocabulary
from allennlp.data.token_indexers import PretrainedTransformerMismatchedIndexer, TokenIndexer
from transformers import AutoTokenizer

from lisa_allennlp.data.token_indexers.pretrained_transformer_words import (
    PretrainedTransformerWordsIndexer,
)
from tests.tiny_transformer import make_tiny_transformer


@pytest.fixture(scope="module")
def model_name(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_tiny_transformer(tmp_path_factory.mktemp("transformer") / "tiny")


def pieces_of_words(indexer: PretrainedTransformerWordsIndexer, words):
    indices = indexer.tokens_to_indices([Token(word) for word in words], Vocabulary())
    pieces = indexer._tokenizer.convert_ids_to_tokens(indices["token_ids"])
    return [pieces[first : last + 1] for first, last in indices["offsets"]]


def test_it_is_allennlps_for_words_with_pieces(
    model_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # AllenNLP's function has an argument that this version of transformers refuses.
    tokenizer = AutoTokenizer.from_pretrained(model_name)
    monkeypatch.setattr(cached_transformers, "get_tokenizer", lambda *_, **__: tokenizer)
    tokens = [Token(word) for word in "Dogs chase ü cats".split()]
    ours = PretrainedTransformerWordsIndexer(model_name, max_length=9)
    theirs = PretrainedTransformerMismatchedIndexer(model_name, max_length=9)
    vocab = Vocabulary()
    assert ours.tokens_to_indices(tokens, vocab) == theirs.tokens_to_indices(tokens, vocab)


def test_a_word_that_vanishes_is_unknown(model_name: str) -> None:
    indexer = TokenIndexer.by_name("pretrained_transformer_words")(model_name)
    found = pieces_of_words(indexer, ["No", "\u200b", "it"])
    assert found == [["N", "##o"], ["[UNK]"], ["i", "##t"]]
    assert pieces_of_words(indexer, ["\u200b", "\u200d"]) == [["[UNK]"], ["[UNK]"]]
