"""What differs between two readings."""

from dataclasses import replace
from typing import Any

import pytest

from lisa_allennlp.apps.show.comparison import NOTHING, described, differences
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.sentence.sentence import Frame, Parse, Sentence

WORDS = ["She", "sold", "it"]
FRAME = Frame(1, ["B-ARG0", "B-V", "B-ARG1"], "sell", "sell.01")
ONE = Sentence(
    WORDS,
    ["PRP", "VBD", "PRP"],
    [FRAME],
    Parse([1, 1, 1], ["nsubj", "root", "obj"]),
    supertags=["NP", "X", "NP"],
)


@pytest.mark.parametrize(
    "name, position, change",
    [
        ("tags", 1, {"pos": ["PRP", "NN", "PRP"]}),
        ("heads", 2, {"parse": Parse([1, 1, 0], ["nsubj", "root", "nmod"])}),
        ("relations", 2, {"parse": Parse([1, 1, 1], ["nsubj", "root", "iobj"])}),
        ("supertags", 0, {"supertags": ["N", "X", "NP"]}),
        ("senses", 1, {"frames": [replace(FRAME, sense="sell.02")]}),
    ],
)
def test_each_part_by_itself(name: str, position: int, change: Any) -> None:
    other = replace(ONE, **change)
    for marks in (differences(ONE, other), differences(other, ONE)):
        assert marks == {**NOTHING, name: {position}}
        assert described(marks) == f"1 {name[:-1]}"


def test_spans_and_predicates() -> None:
    other = replace(ONE, frames=[Frame(1, ["O", "B-V", "B-ARG2"])])
    assert differences(ONE, other)["spans"] == {(1, "ARG0", 0, 0), (1, "ARG1", 2, 2)}
    assert differences(other, ONE)["spans"] == {(1, "ARG2", 2, 2)}
    none = replace(ONE, frames=[])
    assert described(differences(ONE, none), differences(none, ONE)) == "1 predicate, 3 spans"
    assert differences(none, ONE) == NOTHING


def test_what_cannot_be_compared() -> None:
    assert differences(ONE, Sentence(WORDS)) == differences(Sentence(WORDS), ONE) == NOTHING
    with pytest.raises(ConfigurationError, match="found the sentence 'You'; expected the words 'S"):
        differences(ONE, Sentence(["You"]))
