"""What a person set in a sentence, and what it teaches."""

from dataclasses import replace
from typing import Any, Dict

import pytest

from lisa_allennlp.data.corrections import (
    HELD_OUT,
    KnownLabels,
    check_corrections,
    held_out,
    is_partial,
)
from lisa_allennlp.data.formats.errors import CorpusFormatError
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


@pytest.mark.parametrize(
    "wrong",
    [
        {"other": True},
        {"number": "1"},
        {"heads": {"0": 4}},
        {"heads": {"3": 0}},
        {"pos": {"01": "CD"}},
        {"pos": {"٢": "CD"}},
        {"labels": {"9" * 5000: "dep"}},
        {"roles": {"0": [["ARG1", 1, 3]]}},
        {"roles": {"0": [["ARG1", 2, 1]]}},
    ],
)
def test_corrections_that_do_not_fit_are_refused(wrong: Dict[str, Any]) -> None:
    check_corrections("a", 1, corrected(heads={"0": 3}, roles={"0": [["ARG1", 1, 2]]}))
    with pytest.raises(CorpusFormatError, match="^a:1: found .*`corrections.*; expected "):
        check_corrections("a", 1, corrected(**wrong))


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
