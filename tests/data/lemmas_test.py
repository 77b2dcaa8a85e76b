"""Lemmas of unseen predicates."""

import subprocess
import sys

import pytest
from lemminflect import Lemmatizer, config
from lemminflect.codecs.LemmaLUCodec import LemmaLUCodec

from lisa_allennlp.data.lemmas import lemma_of


@pytest.mark.parametrize(
    "form, tag, lemma",
    [
        ("Litigating", "VBG", "litigate"),
        ("left", "JJ", "left"),
        ("sales", "NOUN", "sale"),
        ("better", "JJR", "good"),
        # A word that no dictionary has, by rule.
        ("blorking", "VBG", "blork"),
        ("-", "NFP", "-"),
        ("s", "NN", "s"),
        ("’s", "VBZ", "’s"),
    ],
)
def test_lemmas(form: str, tag: str, lemma: str) -> None:
    assert lemma_of(form, tag) == lemma


@pytest.mark.medium
def test_the_library_is_imported_for_the_first_word_only() -> None:
    code = (
        "import sys; from lisa_allennlp.data.lemmas import lemma_of; "
        "assert 'lemminflect' not in sys.modules; lemma_of('sold'); "
        "assert 'lemminflect' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_dictionary_is_lemminflects() -> None:
    lemma_of("sold")
    own = Lemmatizer().lemma_dict
    theirs = LemmaLUCodec.load(config.lemma_lu_fn)
    assert all(own.get(word, {}) == lemmas for word, lemmas in theirs.items())
    for word in ("", ",", "blorking", "left,verb", "\U0010ffff"):
        assert word not in theirs and own.get(word, {}) == {}
