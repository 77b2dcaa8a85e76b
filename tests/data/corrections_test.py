"""What a person set in a sentence, and what it teaches."""

from dataclasses import replace
from typing import Any

import pytest

from lisa_allennlp.data.corrections import HELD_OUT, KnownLabels, held_out, is_partial
from lisa_allennlp.data.sentence import Sentence
from tests.data.sentences import SAMPLE


def corrected(**corrections: Any) -> Sentence:
    return replace(SAMPLE[1], extra={"corrections": {"number": 1, **corrections}})


def test_all_of_an_accepted_sentence_is_known_and_of_others_what_a_person_set() -> None:
    whole = KnownLabels.of(SAMPLE[1])
    assert whole == (["#", "CD", "."], [False] * 3, [1, 1, 1], ["dep", "root", "punct"], [])
    assert KnownLabels.of(corrected(accepted=True)) == whole
    part = corrected(heads={"0": 2, "2": 0}, labels={"1": "root"}, pos={"0": "$"})
    heads, labels = [1, None, 2], [None, "root", None]
    assert KnownLabels.of(part) == (["$", None, None], [None] * 3, heads, labels, None)


@pytest.mark.parametrize("missing", ["pos", "frames", "parse"])
def test_what_is_partial(missing: str) -> None:
    assert not is_partial(SAMPLE[0]) and not is_partial(corrected(accepted=True))
    assert is_partial(corrected(accepted=False))
    sentence = replace(SAMPLE[0], **{missing: None})
    assert is_partial(sentence)
    assert is_partial(sentence, trees=False) == (missing != "parse")


def test_every_fifth_accepted_sentence_is_held_out() -> None:
    sentences = [corrected(number=n, accepted=n % 3 > 0) for n in range(1, 40)]
    accepted = [n for n in range(1, 40) if n % 3]
    found = [sentence.extra["corrections"]["number"] for sentence in held_out(sentences)]
    assert found == [n for i, n in enumerate(accepted, start=1) if i % HELD_OUT == 0]
    assert not held_out(SAMPLE * 5)
