"""Base noun phrases in hand-made trees."""

from typing import List

import pytest
import spacy
from spacy.tokens import Doc

from lisa_allennlp.apps.spacy.factory import noun_chunks


@pytest.mark.parametrize(
    "text, heads, labels, pos, expected",
    [
        (
            "President Bush 's old , grey friend left on Steffen W. Graae 's advice",
            [1, 6, 1, 6, 6, 6, 7, 7, 13, 13, 9, 9, 9, 7],
            "nmod:desc nmod:poss case amod punct amod nsubj ROOT case nmod:poss flat flat case obl",
            "PROPN PROPN PART ADJ PUNCT ADJ NOUN VERB ADP PROPN PROPN PROPN PART NOUN",
            ["President Bush 's old , grey friend", "Steffen W. Graae 's advice"],
        ),
        # Not the words before a noun that is a predicate; conjuncts are phrases of their own.
        (
            "She was a doctor and Tom and Ann 's friend",
            [3, 3, 3, 3, 9, 9, 7, 5, 5, 3],
            "nsubj cop det ROOT cc nmod:poss cc conj case conj",
            "PRON AUX DET NOUN CCONJ PROPN CCONJ PROPN PART NOUN",
            ["She", "a doctor", "Tom and Ann 's friend"],
        ),
        # Stanford Dependencies.
        ("in oil prices", [0, 2, 0], "ROOT nn pobj", "ADP NOUN NOUN", ["oil prices"]),
        ("There is hope", [1, 1, 1], "expl ROOT nsubj", "PRON VERB NOUN", ["hope"]),
    ],
)
def test_phrases(text: str, heads: List[int], labels: str, pos: str, expected: List[str]) -> None:
    words = text.split()
    vocab = spacy.blank("en").vocab
    doc = Doc(vocab, words=words, heads=heads, deps=labels.split(), pos=pos.split())
    doc.noun_chunks_iterator = noun_chunks
    assert [chunk.text for chunk in doc.noun_chunks] == expected
