import dataclasses
from typing import List

import numpy
import pytest
from hypothesis import given, settings

from lisa_allennlp.analysis.frame_pairs import frame_pairs
from lisa_allennlp.analysis.intervals import Bootstrap
from lisa_allennlp.analysis.parse_groups import by_parse, is_wholly_right
from lisa_allennlp.data.sentence import Parse, Sentence
from lisa_allennlp.training.metrics import SrlScore
from tests.analysis.systems import GOLD, WORSE, gold_and_predicted
from tests.data.sentences import without_parse


def with_parse(sentence: Sentence, heads: List[int], tags: List[str]) -> Sentence:
    return dataclasses.replace(sentence, parse=Parse(heads, tags))


GO = with_parse(Sentence(["Go", "home", "!"]), [0, 0, 0], ["root", "advmod", "punct"])


@pytest.mark.parametrize(
    "heads, tags, labelled, expected",
    [
        ([0, 0, 0], ["root", "advmod", "punct"], True, True),
        # Punctuation does not count.
        ([0, 0, 1], ["root", "advmod", "x"], True, True),
        ([0, 0, 0], ["root", "obj", "punct"], True, False),
        ([0, 0, 0], ["root", "obj", "punct"], False, True),
        ([1, 1, 0], ["root", "advmod", "punct"], False, False),
    ],
)
def test_wholly_right(heads: List[int], tags: List[str], labelled: bool, expected: bool):
    assert is_wholly_right(Parse(heads, tags), GO, labelled) is expected


def test_groups_of_two_parsers():
    wrong = [with_parse(s, [0] * len(s.words), ["x"] * len(s.words)) for s in GOLD]
    parses = {"L": [GOLD[0], wrong[1], wrong[2]], "D": [GOLD[0], GOLD[1], wrong[2]]}
    systems = {"worse": frame_pairs(GOLD, WORSE)}
    tables = by_parse(GOLD, systems, parses, Bootstrap(3))
    assert [(table.parsers, table.labelled) for table in tables] == [
        (("L",), True),
        (("D",), True),
        (("L", "D"), True),
        (("L",), False),
        (("D",), False),
        (("L", "D"), False),
    ]
    groups = tables[2].groups
    # In the order of the paper's columns.
    assert [group.label for group in groups] == [
        "L right, D right",
        "L wrong, D right",
        "L right, D wrong",
        "L wrong, D wrong",
    ]
    assert [group.sentences for group in groups] == [1, 1, 0, 1]
    assert [round(group.percent) for group in groups] == [33, 33, 0, 33]
    # F1 of the first sentence is 4 / 8, of the last 4 / 6; the second has no arguments.
    assert [group.means["worse"].mean for group in groups] == pytest.approx([50, 0, 0, 200 / 3])
    assert [group.means["worse"].sentences for group in groups] == [1, 0, 0, 1]
    assert [group.scores["worse"].correct for group in groups] == [2, 0, 0, 2]


@given(gold_and_predicted())
@settings(max_examples=25)
def test_means_and_scores_against_the_metric(sentences: List[List[Sentence]]):
    gold, predicted = sentences
    pairs = {"LISA": frame_pairs(gold, predicted)}
    [table, _] = by_parse(gold, pairs, {"LISA": predicted}, Bootstrap(len(gold)))
    for group, is_right in zip(table.groups, (True, False), strict=True):
        members = [
            (found, wanted)
            for found, wanted in zip(predicted, gold, strict=True)
            if is_wholly_right(found.parse, wanted, labelled=True) == is_right  # type: ignore[arg-type]
        ]
        f1 = []
        metric = SrlScore()
        for found, wanted in members:
            metric([found], [wanted])
            of_sentence = SrlScore()
            of_sentence([found], [wanted])
            if any(pair.wanted for pair in frame_pairs([wanted], [found])):
                f1.append(of_sentence.get_metric()["srl_f1"])
        assert group.right == {"LISA": is_right}
        assert group.sentences == len(members)
        assert group.scores["LISA"].f1 == pytest.approx(metric.get_metric().get("srl_f1", 0))
        assert group.means["LISA"].sentences == len(f1)
        assert group.means["LISA"].mean == pytest.approx(numpy.mean(f1) if f1 else 0)


def test_a_parser_without_a_parse():
    with pytest.raises(ValueError, match="found a prediction without a parse"):
        by_parse(
            GOLD,
            {"worse": frame_pairs(GOLD, WORSE)},
            {"D": [*map(without_parse, GOLD)]},
            Bootstrap(3),
        )
