import re
from typing import List, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.apps.analyze.frame_pairs import frame_pairs
from lisa_allennlp.apps.analyze.intervals import Bootstrap
from lisa_allennlp.apps.analyze.oracle_corrections import (
    CONSTITUENT,
    CORRECTIONS,
    RELATION,
    PhraseTypes,
    apply_edit,
    correct_frames,
    correction_steps,
    corrections,
    count_phrase_types,
    type_of_constituent,
)
from lisa_allennlp.formats.constituents import constituents
from lisa_allennlp.sentence.roles import Argument, arguments
from lisa_allennlp.sentence.sentence import Frame, Parse, Sentence
from lisa_allennlp.training.metrics import SrlScore
from tests.apps.analyze.systems import gold_and_predicted
from tests.sentence.sentences import role_labels


def spans(text: str) -> List[Argument]:
    """Arguments of one piece, such as `A0 1-2 A1 4-4`."""
    pairs = re.findall(r"(\S+) (\d)-(\d)", text)
    return [Argument(role, ((int(first), int(last)),)) for role, first, last in pairs]


def names(found: Sequence[Argument], wanted: Sequence[Argument]) -> List[str]:
    return [edit.name for edit in corrections(found, wanted)]


# The examples are those of He et al. (2017): each has one error and needs one correction.
@pytest.mark.parametrize(
    "found, wanted, name",
    [
        ("A0 1-2", "A1 1-2", "fix_labels"),
        ("A1 1-2", "A1 5-6", "move_core_argument"),
        ("ARG1 5-5", "ARG1 1-3", "move_core_argument"),
        ("A1 1-2 A2 3-4", "A1 1-4", "merge_spans"),
        ("A1 1-2 A2 4-5", "A3 1-5", "merge_spans"),
        ("A1 1-4", "A1 1-2 A2 3-4", "split_spans"),
        ("A3 1-5", "A1 1-2 A2 4-5", "split_spans"),
        ("A1 1-4", "A1 1-2", "fix_boundary"),
        ("A1 1-4", "", "drop_argument"),
        ("", "A1 1-4", "add_argument"),
        ("A0 1-4", "A1 1-2", "others"),
    ],
)
def test_one_correction(found: str, wanted: str, name: str):
    assert names(spans(found), spans(wanted)) == [name]


@pytest.mark.parametrize(
    "found, wanted, expected",
    [
        # Two words between the spans are too many.
        ("A1 1-2 A2 5-6", "A1 1-6", "others"),
        ("A1 1-6", "A1 1-2 A2 5-6", "fix_boundary add_argument"),
        # The word between them belongs to another span.
        ("A1 1-2 A2 3-3 A3 4-5", "AM-LOC 1-5", "others"),
        # Only core arguments are moved,
        ("AM-TMP 1-2", "AM-TMP 5-6", "drop_argument add_argument"),
        # only if they are unique in gold,
        ("A1 1-2", "A1 5-6 A1 8-8", "drop_argument add_argument add_argument"),
        # and only to a place that is free.
        ("A1 1-2 AM-LOC 5-5", "A1 5-6", "drop_argument others"),
        # No boundary is fixed into another span.
        ("A1 1-2 A0 3-5", "A1 1-3", "others"),
        # A label is fixed before its span could be moved.
        ("A0 1-1", "A1 1-1 A0 3-3", "fix_labels add_argument"),
    ],
)
def test_order_and_limits(found: str, wanted: str, expected: str):
    assert names(spans(found), spans(wanted)) == expected.split()


def test_pieces_of_one_argument_are_merged_and_split():
    pieces = [Argument("A1", ((1, 2), (4, 5)))]
    [merged] = corrections(pieces, spans("A1 1-5"))
    assert (merged.name, merged.attached) == ("merge_spans", (4, 5))
    [split] = corrections(spans("A1 1-5"), pieces)
    assert (split.name, split.attached, split.added) == ("split_spans", (4, 5), tuple(pieces))


def f1(found: Sequence[Argument], wanted: Sequence[Argument]) -> float:
    return 2 * len(set(found) & set(wanted)) / max(len(found) + len(wanted), 1)


def tokens(found: Sequence[Argument]) -> List[int]:
    return [t for _, pieces in found for first, last in pieces for t in range(first, last + 1)]


@given(st.data(), st.integers(1, 9))
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


WORDS = "I ate pizza with anchovies".split()
BITS = ["(S(NP*)", "(VP*", "(NP-CLR(NP*)", "(PP-LOC*", "(NP*)))))"]
PARSE = Parse([1, 1, 1, 4, 2], ["nsubj", "root", "obj", "case", "nmod"])
ATTACHED = Frame(1, "B-A0 B-V B-A1 I-A1 I-A1".split())
APART = Frame(1, "B-A0 B-V B-A1 B-AM-MNR I-AM-MNR".split())


def attached(gold: Frame, predicted: Frame, *bits: list, parse: object = PARSE) -> object:
    sentence = Sentence(WORDS, frames=[gold], parse=parse)  # type: ignore[arg-type]
    pairs = frame_pairs([sentence], [Sentence(WORDS, frames=[predicted])])
    systems = {"LISA": correct_frames(pairs)}
    return count_phrase_types([sentence], systems, Bootstrap(1), list(bits) or None)


@pytest.mark.parametrize("bits, kind, label", [([BITS], CONSTITUENT, "PP"), ([], RELATION, "nmod")])
def test_the_second_span_counts(bits: list, kind: str, label: str):
    for gold, predicted, numbers in ((ATTACHED, APART, (1, 0)), (APART, ATTACHED, (0, 1))):
        counted = attached(gold, predicted, *bits)
        assert isinstance(counted, PhraseTypes) and counted.kind == kind
        [(found, item)] = counted.systems["LISA"].items()
        assert found == label
        assert (item.merged, item.split) == numbers
        assert (item.share.number, item.share.percent) == (1, 100)


def test_no_merges_and_nothing_to_count_by():
    assert attached(ATTACHED, ATTACHED, BITS) == PhraseTypes(CONSTITUENT, {"LISA": {}})
    assert attached(ATTACHED, APART, parse=None) is None


def test_type_of_constituent():
    types = {(0, 0): "NP", (2, 4): "NP", (3, 4): "PP", (1, 4): "VP", (1, 2): "none"}
    assert {piece: type_of_constituent(constituents(BITS), piece) for piece in types} == types
    # The lowest of two with the same words.
    assert type_of_constituent(constituents(["(NP(QP*))"]), (0, 0)) == "QP"
    assert type_of_constituent(None, (0, 0)) == "none"
