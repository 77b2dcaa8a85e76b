from typing import List, Sequence, Tuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.analysis.corrections import (
    CORRECTIONS,
    apply_edit,
    correct_frames,
    correction_steps,
    corrections,
)
from lisa_allennlp.analysis.frame_pairs import frame_pairs
from lisa_allennlp.analysis.intervals import Bootstrap
from lisa_allennlp.data.formats.roles import Argument, arguments
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.training.metrics import SrlScore
from tests.analysis.systems import GOLD, WORSE, gold_and_predicted
from tests.data.sentences import role_labels

Span = Tuple[str, int, int]


def whole(*spans: Span) -> List[Argument]:
    return [Argument(role, ((first, last),)) for role, first, last in spans]


def names(found: Sequence[Argument], wanted: Sequence[Argument]) -> List[str]:
    return [edit.name for edit in corrections(found, wanted)]


# The examples are those of He et al. (2017): each has one error and needs one correction.
@pytest.mark.parametrize(
    "found, wanted, name",
    [
        ([("A0", 1, 2)], [("A1", 1, 2)], "fix_labels"),
        ([("AM-TMP", 1, 2)], [("R-A1", 1, 2)], "fix_labels"),
        ([("A1", 1, 2)], [("A1", 5, 6)], "move_core_argument"),
        ([("ARG1", 5, 5)], [("ARG1", 1, 3)], "move_core_argument"),
        ([("A1", 1, 2), ("A2", 3, 4)], [("A1", 1, 4)], "merge_spans"),
        ([("A1", 1, 2), ("A2", 4, 5)], [("A3", 1, 5)], "merge_spans"),
        ([("A1", 1, 4)], [("A1", 1, 2), ("A2", 3, 4)], "split_spans"),
        ([("A3", 1, 5)], [("A1", 1, 2), ("A2", 4, 5)], "split_spans"),
        ([("A1", 1, 4)], [("A1", 1, 2)], "fix_boundary"),
        ([("AM-TMP", 2, 4)], [("AM-TMP", 1, 3)], "fix_boundary"),
        ([("A1", 1, 4)], [], "drop_argument"),
        ([], [("A1", 1, 4)], "add_argument"),
        ([("A0", 1, 4)], [("A1", 1, 2)], "others"),
    ],
)
def test_one_correction(found: List[Span], wanted: List[Span], name: str):
    assert names(whole(*found), whole(*wanted)) == [name]


@pytest.mark.parametrize(
    "found, wanted, expected",
    [
        # Two words between the spans are too many.
        (whole(("A1", 1, 2), ("A2", 5, 6)), whole(("A1", 1, 6)), ["others"]),
        (whole(("A1", 1, 6)), whole(("A1", 1, 2), ("A2", 5, 6)), ["fix_boundary", "add_argument"]),
        # The word between them belongs to another span.
        (
            whole(("A1", 1, 2), ("A2", 3, 3), ("A3", 4, 5)),
            whole(("AM-LOC", 1, 5)),
            ["others"],
        ),
        # Only core arguments are moved,
        (whole(("AM-TMP", 1, 2)), whole(("AM-TMP", 5, 6)), ["drop_argument", "add_argument"]),
        # only if they are unique in gold,
        (
            whole(("A1", 1, 2)),
            whole(("A1", 5, 6), ("A1", 8, 8)),
            ["drop_argument", "add_argument", "add_argument"],
        ),
        # and only to a place that is free.
        (
            whole(("A1", 1, 2), ("AM-LOC", 5, 5)),
            whole(("A1", 5, 6)),
            ["drop_argument", "others"],
        ),
        # No boundary is fixed into another span.
        (
            whole(("A1", 1, 2), ("A0", 3, 5)),
            whole(("A1", 1, 3)),
            ["others"],
        ),
        # A label is fixed before its span could be moved.
        (whole(("A0", 1, 1)), whole(("A1", 1, 1), ("A0", 3, 3)), ["fix_labels", "add_argument"]),
    ],
)
def test_order_and_limits(found: List[Argument], wanted: List[Argument], expected: List[str]):
    assert names(found, wanted) == expected


def test_pieces_of_one_argument_are_merged_and_split():
    pieces = [Argument("A1", ((1, 2), (4, 5)))]
    [merged] = corrections(pieces, whole(("A1", 1, 5)))
    assert (merged.name, merged.attached) == ("merge_spans", (4, 5))
    [split] = corrections(whole(("A1", 1, 5)), pieces)
    assert (split.name, split.attached, split.added) == ("split_spans", (4, 5), tuple(pieces))


def test_steps_of_the_sample():
    steps = correction_steps(correct_frames(frame_pairs(GOLD, WORSE)), Bootstrap(3), 3)
    assert [step.name for step in steps] == ["original", *CORRECTIONS]
    numbers = {step.name: step.number for step in steps if step.number}
    # The A1 without its C-A1 has wrong boundaries; the two arguments of `left` are added.
    assert numbers == {"fix_labels": 1, "fix_boundary": 1, "add_argument": 2}
    # Of 8 gold arguments 4 are right, and 2 are in excess.
    counts = [(s.score.correct, s.score.excess, s.score.missed) for s in steps]
    assert counts[:2] == [(4, 2, 4), (5, 1, 3)]
    assert counts[5:8] == [(6, 0, 2), (6, 0, 2), (8, 0, 0)]


def f1(found: Sequence[Argument], wanted: Sequence[Argument]) -> float:
    return 2 * len(set(found) & set(wanted)) / max(len(found) + len(wanted), 1)


def tokens(found: Sequence[Argument]) -> List[int]:
    return [t for _, pieces in found for first, last in pieces for t in range(first, last + 1)]


@given(st.data(), st.integers(1, 9))
@settings(max_examples=100)
def test_any_prediction_becomes_gold_and_f1_never_falls(data: st.DataObject, length: int):
    current, wanted = (arguments(data.draw(role_labels(length, 0))) for _ in range(2))
    edits = list(corrections(current, wanted))
    order = [CORRECTIONS.index(edit.name) for edit in edits]
    assert order == sorted(order)
    for edit in edits:
        assert set(edit.removed) <= set(current) - set(wanted)
        assert set(edit.added) <= set(wanted) - set(current)
        corrected = apply_edit(current, edit)
        assert len(tokens(corrected)) == len(set(tokens(corrected)))
        assert f1(corrected, wanted) > f1(current, wanted) or edit.name == "drop_argument"
        current = corrected
    assert set(current) == set(wanted)
    assert list(corrections(wanted, wanted)) == []


@given(gold_and_predicted())
@settings(max_examples=25)
def test_f1_of_the_steps(sentences: List[List[Sentence]]):
    gold, predicted = sentences
    pairs = frame_pairs(gold, predicted)
    steps = correction_steps(correct_frames(pairs), Bootstrap(len(gold)), len(gold))
    metric = SrlScore()
    metric(predicted, gold)
    assert steps[0].score.f1 == metric.get_metric()["srl_f1"]
    scores = [step.score.f1 for step in steps]
    assert scores == sorted(scores)
    assert scores[-1] == (100 if any(pair.wanted for pair in pairs) else 0)
