from dataclasses import replace

import pytest

import lisa_allennlp
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.certainty import certainty, least_certain_first


def test_garbled_sentences_are_less_certain() -> None:
    texts = ["She sold him the car.", "him sold car the she of to", "The dog barked."]
    sentences = list(lisa_allennlp.load("english-fast", probabilities=True).pipe(texts))
    assert least_certain_first(sentences)[0] == 1
    assert all(0 < certainty(sentence) <= 1 for sentence in sentences)
    one = replace(sentences[0], frames=[], pos_probabilities=[0.5] * 6)
    assert certainty(one) == pytest.approx((3 + sum(one.head_probabilities)) / 12)


def test_probabilities_are_needed() -> None:
    with pytest.raises(ValueError, match="without probabilities"):
        certainty(Sentence(["Hm"]))
