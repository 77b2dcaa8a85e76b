from collections import defaultdict

import pytest
from allennlp.data import Token, Vocabulary

from lisa_allennlp.data.token_indexers.normalized_words import (
    NormalizedWordsIndexer,
    normalize_word,
)


@pytest.mark.parametrize(
    "lowercase, digits, expected",
    [
        (True, True, "b9-99"),
        (True, False, "b2-17"),
        (False, True, "B9-99"),
        (False, False, "B2-17"),
    ],
)
def test_forms(lowercase, digits, expected):
    indexer = NormalizedWordsIndexer(lowercase_tokens=lowercase, digits_to_nine=digits)
    counts = defaultdict(lambda: defaultdict(int))
    indexer.count_vocab_items(Token("B2-17"), counts)
    assert counts == {"tokens": {expected: 1}}
    vocab = Vocabulary(counts)
    indexed = indexer.tokens_to_indices([Token("B2-17"), Token("other")], vocab)
    assert indexed == {"tokens": [vocab.get_token_index(expected), 1]}


def test_the_key_of_a_word():
    assert normalize_word("B2B-1987") == "b9b-9999"
