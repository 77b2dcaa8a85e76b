from collections import defaultdict

import pytest
from allennlp.data import Token, Vocabulary
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.data.token_indexers.word_forms import (
    AffixCharactersIndexer,
    CapitalizationIndexer,
    NormalizedWordsIndexer,
    capitalization,
    normalize_word,
)


def make_vocab(indexer, *words):
    counts = defaultdict(lambda: defaultdict(int))
    for word in words:
        indexer.count_vocab_items(Token(word), counts)
    return Vocabulary(counts)


@pytest.mark.parametrize(
    "lowercase, digits, expected", [(True, False, "b2-17"), (False, True, "B9-99")]
)
def test_normalized_words(lowercase, digits, expected):
    indexer = NormalizedWordsIndexer(lowercase_tokens=lowercase, digits_to_nine=digits)
    vocab = make_vocab(indexer, "B2-17")
    assert vocab.get_index_to_token_vocabulary("tokens")[2] == expected
    indexed = indexer.tokens_to_indices([Token("B2-17"), Token("other")], vocab)
    assert indexed == {"tokens": [2, 1]}
    assert normalize_word("B2B-1987") == "b9b-9999"


@pytest.mark.parametrize(
    "word, expected",
    [("supertagger", "superagger"), ("cat", "cat____cat"), ("In1987", "In999n9999")],
)
def test_first_and_last_characters(word, expected):
    indexer = AffixCharactersIndexer()
    vocab = make_vocab(indexer, word)
    (row,) = indexer.tokens_to_indices([Token(word)], vocab)["token_characters"]
    names = vocab.get_index_to_token_vocabulary("affix_characters")
    assert "".join("_" if number == 0 else names[number] for number in row) == expected


@given(st.lists(st.text("abcD1", min_size=1, max_size=12), min_size=1, max_size=4))
def test_every_character_is_in_the_vocabulary_and_padding_is_on_the_right(words):
    indexer = AffixCharactersIndexer()
    vocab = make_vocab(indexer, *words)
    indexed = indexer.tokens_to_indices([Token(word) for word in words], vocab)
    assert all(1 not in row for row in indexed["token_characters"])
    assert indexer.get_padding_lengths(indexed) == {"token_characters": len(words)}
    padded = indexer.as_padded_tensor_dict(indexed, {"token_characters": 6})["token_characters"]
    assert padded.shape == (6, 10)
    assert padded[: len(words)].tolist() == indexed["token_characters"]
    assert not padded[len(words) :].any()


@pytest.mark.parametrize(
    "word, expected",
    [("cat", "lower"), ("IBM", "upper"), ("iPod", "mixed"), ("日本", "none"), ("Élan", "initial")],
)
def test_capitalization(word, expected):
    assert capitalization(word) == expected


def test_padding_of_capitalization():
    indexer = CapitalizationIndexer()
    padded = indexer.as_padded_tensor_dict({"tokens": [2]}, {"tokens": 3})
    assert padded["tokens"].tolist() == [2, 0, 0]
