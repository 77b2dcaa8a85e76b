"""Tests of `experiments.raw_sentences`."""

import math

import pytest

from experiments.raw_sentences import choose, distinct, split, suitable, unigram_likeness


def test_splits_paragraphs_into_sentences_of_words():
    texts = ["She didn't go. He (Ann's friend) went!", "  ", "One more."]
    assert list(split(texts)) == [
        ["She", "did", "n't", "go", "."],
        ["He", "(", "Ann", "'s", "friend", ")", "went", "!"],
        ["One", "more", "."],
    ]


def test_leaves_out_tables_long_sentences_and_tokens_that_columns_cannot_hold():
    good = ["It", "is", "so", "."]
    bad = [["Yes", "."], ["1", "2", "3", "a", "b"], ["a"] * 61, ["a", "b", "c", "d\xa0e"]]
    assert list(suitable([*bad, good, ["a"] * 60])) == [good, ["a"] * 60]


def test_keeps_the_first_of_equal_sentences_in_order():
    assert list(distinct([["a"], ["b"], ["a"], ["c"], ["b"]])) == [["a"], ["b"], ["c"]]


def test_likeness_is_the_mean_of_the_log_ratios_of_smoothed_probabilities():
    treebank = [["The", "dog"], ["the"]]
    raw = [["the", "cat"], ["cat", "cat", "dog"]]
    likeness = unigram_likeness(treebank, raw)
    # Three types occur in the raw text: the, cat, dog.
    in_treebank = {"the": 3 / 6, "dog": 2 / 6, "cat": 1 / 6}
    in_raw = {"the": 2 / 8, "cat": 4 / 8, "dog": 2 / 8}
    expected = [math.log(in_treebank[w] / in_raw[w]) for w in ("the", "cat")]
    assert likeness(["THE", "cat"]) == pytest.approx(sum(expected) / 2)
    assert likeness(["dog"]) > likeness(["cat"])


def test_half_is_random_and_half_is_most_like_the_treebank():
    sentences = [[str(n)] * 2 for n in range(100)]
    chosen = choose(sentences, lambda words: float(words[0]), tokens=40)
    assert chosen == sentences[:10] + sentences[90:]
