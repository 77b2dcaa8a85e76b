from typing import List

import pytest
from hypothesis import given, settings

from lisa_allennlp.analysis.breakdowns import (
    DISTANCE_BINS,
    LENGTH_BINS,
    bin_of,
    by_distance,
    by_sentence_length,
    distance,
)
from lisa_allennlp.analysis.frame_pairs import frame_pairs
from lisa_allennlp.analysis.intervals import Bootstrap
from lisa_allennlp.data.formats.roles import Argument
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.training.metrics import SrlScore
from tests.analysis.systems import GOLD, WORSE, gold_and_predicted, sentence


@pytest.mark.parametrize(
    "length, label",
    [(1, "1-10"), (10, "1-10"), (11, "11-20"), (40, "31-40"), (41, "41+"), (99, "41+")],
)
def test_length_bins(length: int, label: str):
    assert bin_of(length, LENGTH_BINS).label == label


@pytest.mark.parametrize(
    "pieces, predicate, words_between",
    [
        (((3, 5),), 2, 0),
        (((3, 5),), 6, 0),
        (((3, 5),), 0, 2),
        (((3, 5),), 9, 3),
        # The nearest piece counts.
        (((0, 1), (5, 5)), 4, 0),
        (((0, 1), (9, 9)), 4, 2),
    ],
)
def test_distance(pieces: tuple, predicate: int, words_between: int):
    assert distance(Argument("A1", pieces), predicate) == words_between


def test_lengths_of_the_sample():
    systems = {"right": frame_pairs(GOLD, GOLD), "worse": frame_pairs(GOLD, WORSE)}
    bins = by_sentence_length(GOLD, systems, Bootstrap(3))
    assert [(item.label, item.sentences, item.arguments) for item in bins] == [
        ("1-10", 3, 8),
        ("11-20", 0, 0),
        ("21-30", 0, 0),
        ("31-40", 0, 0),
        ("41+", 0, 0),
    ]
    assert bins[0].scores["right"].f1 == 100
    assert (bins[0].scores["worse"].correct, bins[0].scores["worse"].excess) == (4, 2)


def test_distances_of_one_frame():
    gold = [sentence(*"B-V B-A1 O B-A2 O O O O O B-AM-TMP".split())]
    predicted = [sentence(*"B-V B-A1 O O O B-A2 O O O O".split())]
    bins = by_distance(gold, {"LISA": frame_pairs(gold, predicted)}, Bootstrap(1))
    counts = [(s.correct, s.excess, s.missed) for item in bins for s in [item.scores["LISA"]]]
    # A2 is missed at distance 2 and in excess at 4; AM-TMP is missed at 8.
    assert counts == [(1, 0, 0), (0, 0, 1), (0, 1, 0), (0, 0, 1)]
    assert [item.arguments for item in bins] == [1, 1, 0, 1]
    assert (
        [item.label for item in bins]
        == ["0", "1-2", "3-6", "7+"]
        == [r.label for r in DISTANCE_BINS]
    )


@given(gold_and_predicted())
@settings(max_examples=25)
def test_bins_add_up_to_the_corpus(sentences: List[List[Sentence]]):
    gold, predicted = sentences
    systems = {"LISA": frame_pairs(gold, predicted)}
    metric = SrlScore()
    metric(predicted, gold)
    for bins in (
        by_sentence_length(gold, systems, Bootstrap(len(gold))),
        by_distance(gold, systems, Bootstrap(len(gold))),
    ):
        scores = [item.scores["LISA"] for item in bins]
        correct = sum(score.correct for score in scores)
        size = sum(2 * score.correct + score.excess + score.missed for score in scores)
        assert metric.get_metric()["srl_f1"] == pytest.approx(200 * correct / max(size, 1))
