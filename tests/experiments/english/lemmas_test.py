"""The table of irregular lemmas, learnt from a toy treebank."""

from experiments.english.lemmas import accuracy, learn
from lisa_allennlp.sentence.sentence import Morphology, Parse, Sentence


def test_learns_what_the_rules_get_wrong() -> None:
    words, pos = ["Mice", "saw", "teh", "cats"], ["NNS", "VBD", "DT", "NNS"]
    tree = Parse([1, 1, 3, 1], ["nsubj", "root", "det", "obj"])
    known = Morphology(["NOUN", "VERB", "DET", "NOUN"], ["mouse", "see", "the", "cat"])
    sentence = Sentence(words, pos, parse=tree, morphology=known)
    assert learn([sentence]) == {}
    assert learn([sentence] * 2) == {"DT teh": "the"}
    assert accuracy([sentence]) == (100, 100)
