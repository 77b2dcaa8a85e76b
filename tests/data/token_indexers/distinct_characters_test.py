import torch
from allennlp.data import Token, Vocabulary
from allennlp.data.token_indexers import TokenCharactersIndexer
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.data.token_indexers.distinct_characters import (
    LONGEST_WORD,
    DistinctCharactersIndexer,
)

VOCABULARY = Vocabulary(tokens_to_add={"token_characters": list("abcde")})
WORDS = st.lists(st.text("abcdxy", min_size=1, max_size=6), max_size=8)
OPTIONS = st.sampled_from(
    [{}, {"start_tokens": ["a"], "end_tokens": ["b", "cd"]}, {"token_min_padding_length": 5}]
)


def _indexers(**options):
    arguments = {"min_padding_length": 3, **options}
    return DistinctCharactersIndexer(**arguments), TokenCharactersIndexer(**arguments)


@given(st.lists(WORDS, max_size=4), OPTIONS, st.integers(0, 3), st.integers(1, 8))
def test_gives_the_same_tensors_as_allennlp(sentences, options, more_tokens, width):
    ours, theirs = _indexers(**options)
    for words in sentences:
        tokens = [Token(word) for word in words]
        found = ours.tokens_to_indices(tokens, VOCABULARY)
        expected = theirs.tokens_to_indices(tokens, VOCABULARY)
        assert found == expected
        lengths = theirs.get_padding_lengths(expected)
        lengths["token_characters"] += more_tokens
        for number in (lengths["num_token_characters"], width):
            lengths = {**lengths, "num_token_characters": number}
            padded = [
                indexer.as_padded_tensor_dict(indices, lengths)["token_characters"]
                for indexer, indices in ((ours, found), (theirs, expected))
            ]
            if lengths["token_characters"]:
                assert torch.equal(*padded)


def test_the_beginning_of_a_long_word_is_indexed():
    ours, theirs = _indexers()
    words = ["a", "ab" * 100 + "c" * 1_000_000]
    found = ours.tokens_to_indices([Token(word) for word in words], VOCABULARY)
    expected = theirs.tokens_to_indices([Token("a"), Token("ab" * (LONGEST_WORD // 2))], VOCABULARY)
    assert found == expected


def test_indices_of_another_or_a_larger_vocabulary_are_not_reused():
    ours, theirs = _indexers()
    vocabulary = Vocabulary(tokens_to_add={"token_characters": list("ba")})
    for changed in (VOCABULARY, vocabulary):
        found = ours.tokens_to_indices([Token("abz")], changed)
        assert found == theirs.tokens_to_indices([Token("abz")], changed)
    vocabulary.add_token_to_namespace("z", "token_characters")
    assert ours.tokens_to_indices([Token("abz")], vocabulary) == {"token_characters": [[3, 2, 4]]}
