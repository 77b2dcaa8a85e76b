"""Faults of frames, against those that decoding looks for."""

import pytest

from lisa_allennlp.apps.analyze.faults import (
    OBJECTS,
    PHRASES,
    count_faults,
    dependents,
    has_orphan,
    has_repeated_core,
)
from lisa_allennlp.sentence.sentence import Frame, Parse, Sentence


@pytest.mark.parametrize(
    "tags, expected",
    [
        ("B-ARG0 B-V B-ARG1", (False, False)),
        ("B-ARG1 B-V B-ARG1", (True, False)),
        # Only core roles are unique, and continuations are no second argument.
        ("B-ARGM-TMP B-V B-ARGM-TMP", (False, False)),
        ("B-ARG1 B-V B-C-ARG1", (False, False)),
        ("B-R-ARG1 B-V O", (False, True)),
    ],
)
def test_both_kinds(tags: str, expected: tuple) -> None:
    frame = Frame(1, tags.split())
    assert (has_repeated_core(frame), has_orphan(frame)) == expected


def test_objects_and_obliques_of_verbs() -> None:
    # A child of a noun is none.
    words, tags = "She saw a sale yesterday of cars".split(), "PRP VBD DT NN NN IN NNS".split()
    labels = ["nsubj", "root", "det", "obj", "obl:unmarked", "case", "obj"]
    parse = Parse([1, 1, 3, 1, 1, 6, 3], labels)
    roles = ["O", "B-V", "B-ARG1", "I-ARG1", "B-ARGM-TMP", "O", "O"]
    gold = Sentence(words, tags, [Frame(1, roles)], parse)
    assert [dependents(gold, predicate, OBJECTS) for predicate in (1, 3)] == [[3], []]
    assert dependents(gold, 1, PHRASES) == [4]
    predicted = Sentence(words, frames=[Frame(1, ["O", "B-V", "O", "O", "O", "O", "B-ARG1"])])
    for sentence, bare in ((gold, 0), (predicted, 1)):
        found = count_faults([gold], [sentence])
        assert found.objects == found.phrases == (1, bare)
    bare_gold = Sentence(words, tags, gold.frames)
    assert count_faults([bare_gold], [predicted]).objects is None
