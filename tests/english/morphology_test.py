"""Universal parts of speech and lemmas, against the sample's treebank and by rule."""

import pickle
import subprocess
import sys
from typing import List

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lemminflect import Lemmatizer, config
from lemminflect.codecs.LemmaLUCodec import LemmaLUCodec

from experiments.english.lemmas import accuracy
from lisa_allennlp.english.morphology import are_english_tags, english_morphology, lemma_of
from lisa_allennlp.formats.columns import read_lines
from lisa_allennlp.formats.conllu import parse_conllu
from lisa_allennlp.sentence.sentence import Parse, Sentence
from tests import FIXTURES

UPOS = ("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X").split()


def of_words(*tokens: str) -> List[str]:
    """The universal part of speech and the lemma of tokens `form/tag/label`, below the last one."""
    words, pos, labels = zip(*(token.split("/") for token in tokens), strict=True)
    tree = Parse([len(words) - 1] * len(words), list(labels))
    found = english_morphology(Sentence(list(words), list(pos), parse=tree))
    return [f"{u}/{lemma}" for u, lemma in zip(found.upos or [], found.lemmas or [], strict=True)]


def test_agrees_with_a_treebank() -> None:
    path = FIXTURES / "sample" / "train.conllu"
    gold = [sentence for sentence, _ in parse_conllu(read_lines(path), path)]
    # The sample has other lemmas of `his`, and `everyone` is a noun there.
    assert min(accuracy(gold)) > 95


@pytest.mark.parametrize(
    "token, expected",
    [
        # The label tells uses of a tag apart.
        ("before/IN/mark", "SCONJ/before"),
        ("before/IN/case", "ADP/before"),
        ("was/VBD/aux:pass", "AUX/be"),
        ("these/DT/nsubj", "PRON/this"),
        ("all/DT/obj", "DET/all"),
        # Names keep their capitals, other words do not.
        ("Harvests/NNP/root", "PROPN/Harvests"),
        ("Palestinians/NNPS/nsubj", "PROPN/Palestinian"),
        ("Swedish/JJ/amod", "ADJ/Swedish"),
        ("Red/JJ/amod", "ADJ/red"),
        ("AUSTRIA/NNP/nsubj", "PROPN/Austria"),
        ("NATO/NNP/nsubj", "PROPN/NATO"),
        ("APIs/NNS/obj", "NOUN/api"),
        # Contractions, with both apostrophes, and pronouns.
        ("wo/MD/aux", "AUX/will"),
        ("N’T/RB/advmod", "PART/not"),
        ("'d/VBD/aux", "AUX/have"),
        ("12,500/CD/nummod", "NUM/12500"),
        ("-LRB-/-LRB-/punct", "PUNCT/("),
    ],
)
def test_rules(token: str, expected: str) -> None:
    assert of_words(token) == [expected]


def test_has_and_is() -> None:
    for label, tag, lemma in [
        ("aux", "VBN", "have"),
        ("aux:pass", "VBN", "be"),
        ("aux", "VBG", "be"),
    ]:
        assert of_words(f"'s/VBZ/{label}", f"x/{tag}/root")[0] == f"AUX/{lemma}"


@given(st.lists(st.tuples(st.text(min_size=1), st.sampled_from(["NNP", "JJ", "CD", "FOO"]))))
def test_any_words(tokens: List[List[str]]) -> None:
    words, pos = [word for word, _ in tokens], [tag for _, tag in tokens]
    tree = Parse([0] * len(words), ["dep"] * len(words))
    sentence = Sentence(words, pos, parse=tree, morphology=english_morphology)
    assert len(sentence.upos) == len(sentence.lemmas) == len(words)
    assert {*sentence.upos} <= {*UPOS} and all(sentence.lemmas)
    assert pickle.loads(pickle.dumps(sentence)).lemmas == sentence.lemmas


def test_tags_of_other_languages() -> None:
    path = FIXTURES / "sample" / "train.conllu"
    tags = {tag for sentence, _ in parse_conllu(read_lines(path), path) for tag in sentence.pos}
    assert are_english_tags(tags)
    # German and universal ones.
    assert not are_english_tags(["NN", "VVFIN"]) and not are_english_tags(["NOUN", "ADP"])


@pytest.mark.parametrize(
    "form, tag, lemma",
    [
        ("Litigating", "VBG", "litigate"),
        ("sales", "NOUN", "sale"),
        ("better", "JJR", "good"),
        # A word that no dictionary has, by rule.
        ("blorking", "VBG", "blork"),
        ("-", "NFP", "-"),
        ("s", "NN", "s"),
    ],
)
def test_lemmas_of_lemminflect(form: str, tag: str, lemma: str) -> None:
    assert lemma_of(form, tag) == lemma


@pytest.mark.medium
def test_the_library_is_imported_for_the_first_word_only() -> None:
    code = (
        "import sys; from lisa_allennlp.english.morphology import lemma_of; "
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
