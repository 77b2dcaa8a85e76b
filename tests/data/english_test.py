"""Universal parts of speech and lemmas, against the sample's treebank and by rule."""

import pickle
from typing import List

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.lemmas import accuracy
from lisa_allennlp.data.english import are_english_tags, english_morphology
from lisa_allennlp.data.formats.columns import read_lines
from lisa_allennlp.data.formats.conllu import parse_conllu
from lisa_allennlp.data.sentence import Parse, Sentence
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
        ("that/IN/mark", "SCONJ/that"),
        ("before/IN/mark", "SCONJ/before"),
        ("before/IN/case", "ADP/before"),
        ("was/VBD/aux:pass", "AUX/be"),
        ("was/VBD/root", "VERB/be"),
        ("this/DT/det", "DET/this"),
        ("these/DT/nsubj", "PRON/this"),
        ("all/DT/obj", "DET/all"),
        ("which/WDT/obj", "PRON/which"),
        ("to/TO/mark", "PART/to"),
        ("someone/NN/obj", "PRON/someone"),
        # Names keep their capitals, other words do not.
        ("Harvests/NNP/root", "PROPN/Harvests"),
        ("Harvests/NNS/root", "NOUN/harvest"),
        ("Palestinians/NNPS/nsubj", "PROPN/Palestinian"),
        ("Swedish/JJ/amod", "ADJ/Swedish"),
        ("Red/JJ/amod", "ADJ/red"),
        ("AUSTRIA/NNP/nsubj", "PROPN/Austria"),
        ("NATO/NNP/nsubj", "PROPN/NATO"),
        ("GREAT/JJ/root", "ADJ/great"),
        ("APIs/NNS/obj", "NOUN/api"),
        # Contractions, with both apostrophes, and pronouns.
        ("wo/MD/aux", "AUX/will"),
        ("ca/MD/aux", "AUX/can"),
        ("N’T/RB/advmod", "PART/not"),
        ("’re/VBP/cop", "AUX/be"),
        ("'d/MD/aux", "AUX/would"),
        ("'d/VBD/aux", "AUX/have"),
        ("'s/POS/case", "PART/'s"),
        ("'em/PRP/obj", "PRON/they"),
        ("me/PRP/obj", "PRON/I"),
        ("better/JJR/root", "ADJ/good"),
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
