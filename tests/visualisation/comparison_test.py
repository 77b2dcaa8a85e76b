"""What differs between two readings."""

from dataclasses import replace

from hypothesis import given, settings

from lisa_allennlp.data.sentence import Frame, Parse, Sentence
from lisa_allennlp.visualisation.comparison import described, differences
from lisa_allennlp.visualisation.marks import NOTHING
from tests.visualisation.strategies import sentences

WORDS = ["She", "sold", "it"]
ONE = Sentence(
    WORDS,
    ["PRP", "VBD", "PRP"],
    [Frame(1, ["B-ARG0", "B-V", "B-ARG1"], "sell", "sell.01")],
    Parse([1, 1, 1], ["nsubj", "root", "obj"]),
    supertags=["NP", "X", "NP"],
)


@settings(max_examples=40, deadline=None)
@given(sentences())
def test_a_sentence_does_not_differ_from_itself(sentence: Sentence) -> None:
    assert differences(sentence, sentence) == NOTHING
    assert described(NOTHING) == ""


def test_each_part_by_itself() -> None:
    changes = {
        "tags": replace(ONE, pos=["PRP", "NN", "PRP"]),
        "heads": replace(ONE, parse=Parse([1, 1, 0], ["nsubj", "root", "nmod"])),
        "relations": replace(ONE, parse=Parse([1, 1, 1], ["nsubj", "root", "iobj"])),
        "supertags": replace(ONE, supertags=["N", "X", "NP"]),
        "senses": replace(ONE, frames=[replace(ONE.frames[0], sense="sell.02")]),  # type: ignore[index]
    }
    positions = {"tags": 1, "heads": 2, "relations": 2, "supertags": 0, "senses": 1}
    for name, other in changes.items():
        for marks in (differences(ONE, other), differences(other, ONE)):
            assert getattr(marks, name) == {positions[name]}
            assert marks.number == 1
            assert described(marks) == f"1 {name[:-1]}"


def test_spans_and_predicates() -> None:
    other = replace(ONE, frames=[Frame(1, ["O", "B-V", "B-ARG2"])])
    assert differences(ONE, other).spans == {(1, "ARG0", 0, 0), (1, "ARG1", 2, 2)}
    assert differences(other, ONE).spans == {(1, "ARG2", 2, 2)}
    none = replace(ONE, frames=[])
    assert differences(ONE, none).predicates == {1}
    assert len(differences(ONE, none).spans) == 3
    assert differences(none, ONE) == NOTHING


def test_a_missing_layer_is_not_compared() -> None:
    assert differences(ONE, Sentence(WORDS)) == NOTHING
    assert differences(Sentence(WORDS), ONE) == NOTHING
