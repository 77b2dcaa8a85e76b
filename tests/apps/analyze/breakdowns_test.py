import dataclasses
from typing import List, Optional

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.apps.analyze.breakdowns import (
    by_distance,
    by_parse,
    by_pos,
    by_role,
    by_roleset_frequency,
    by_sentence_length,
    by_word_class,
    distance,
    word_class,
)
from lisa_allennlp.apps.analyze.frame_pairs import counts_by_sentence, frame_pairs
from lisa_allennlp.apps.analyze.intervals import Bootstrap
from lisa_allennlp.scoring.counts import Counts
from lisa_allennlp.sentence.roles import Argument
from lisa_allennlp.sentence.sentence import Parse, Sentence
from lisa_allennlp.text.tokens import is_punctuation
from lisa_allennlp.training.metrics import DependencyScore, PredicateScore, SrlScore
from tests.apps.analyze.systems import GOLD, WORSE, gold_and_predicted, sentence


def test_distances_are_those_of_the_nearest_piece():
    a1 = Argument("A1", ((3, 5),))
    assert [distance(a1, predicate) for predicate in (0, 2, 6, 9)] == [2, 0, 0, 3]
    assert distance(Argument("A1", ((0, 1), (9, 9))), 4) == 2


def test_distances_of_one_frame():
    gold = [sentence(*"B-V B-A1 O B-A2 O O O O O B-AM-TMP".split())]
    predicted = [sentence(*"B-V B-A1 O O O B-A2 O O O O".split())]
    bins = by_distance(gold, {"LISA": frame_pairs(gold, predicted)}, Bootstrap(1))
    counts = [(s.correct, s.excess, s.missed) for item in bins for s in [item.scores["LISA"]]]
    # A2 is missed at distance 2 and in excess at 4; AM-TMP is missed at 8.
    assert counts == [(1, 0, 0), (0, 0, 1), (0, 1, 0), (0, 0, 1)]
    assert [(item.label, item.arguments) for item in bins] == [
        ("0", 1),
        ("1-2", 1),
        ("3-6", 0),
        ("7+", 1),
    ]


@given(gold_and_predicted())
def test_bins_roles_and_tags_add_up_to_the_corpus(sentences: List[List[Sentence]]):
    gold, predicted = sentences
    pairs, bootstrap = frame_pairs(gold, predicted), Bootstrap(len(gold))
    sums = counts_by_sentence(pairs, len(gold)).sum(0).tolist()
    for breakdown in (by_sentence_length, by_distance):
        scores = [item.scores["LISA"] for item in breakdown(gold, {"LISA": pairs}, bootstrap)]
        assert [sum(getattr(s, n) for s in scores) for n in ("correct", "excess", "missed")] == sums
    total = Counts()
    for role, counts in by_role(gold, predicted).roles.items():
        if role != "V":
            total.add(counts)
    assert [total.correct, total.excess, total.missed] == sums
    # All words have the same part of speech.
    rows = by_pos(gold, {"LISA": predicted}, bootstrap)
    metric = PredicateScore()
    metric(predicted, gold)
    found = [row.scores["LISA"].f1 for row in rows] or [0.0]
    assert found == [metric.get_metric()["predicate_f1"]]


@given(gold_and_predicted(), st.data())
def test_groups_of_frames_against_corpora_of_these_frames(
    sentences: List[List[Sentence]], data: st.DataObject
):
    drawn, predicted = sentences
    gold = []
    for item in drawn:
        tags = data.draw(st.lists(st.sampled_from(["VBD", "NN", "JJ"]), min_size=8, max_size=8))
        senses = st.sampled_from(["go.01", "go.02", "be.01", "-"])
        frames = [dataclasses.replace(f, sense=data.draw(senses)) for f in item.frames or []]
        gold.append(dataclasses.replace(item, pos=tags[: len(item.words)], frames=frames))
    pairs, bootstrap = {"LISA": frame_pairs(gold, predicted)}, Bootstrap(len(gold))
    frequencies = {"go.01": 3, "go.02": 21}
    expected = {"go.01": "1-3", "go.02": "21+", "be.01": "0"}
    for bins, label_of in (
        (
            by_word_class(gold, pairs, bootstrap),
            lambda item, f: word_class(item.pos[f.predicate]),
        ),
        (
            by_roleset_frequency(gold, pairs, bootstrap, frequencies),
            lambda item, f: expected.get(f.sense),
        ),
    ):
        for item in bins:
            kept = [
                dataclasses.replace(s, frames=[f for f in s.frames if label_of(s, f) == item.label])
                for s in gold
            ]
            total = Counts()
            for role, counts in by_role(kept, predicted).roles.items():
                if role != "V":
                    total.add(counts)
            score = item.scores["LISA"]
            assert Counts(score.correct, score.excess, score.missed) == total
            assert item.frames == sum(len(s.frames) for s in kept)
            assert item.arguments == total.correct + total.missed


def with_parse(item: Sentence, heads: List[int], tags: List[str]) -> Sentence:
    return dataclasses.replace(item, parse=Parse(heads, tags))


def test_groups_of_two_parsers():
    wrong = [with_parse(s, [0] * len(s.words), ["x"] * len(s.words)) for s in GOLD]
    parses = {"L": [GOLD[0], wrong[1], wrong[2]], "D": [GOLD[0], GOLD[1], wrong[2]]}
    tables = by_parse(GOLD, {"worse": frame_pairs(GOLD, WORSE)}, parses, Bootstrap(3))
    names = [("L",), ("D",), ("L", "D")]
    assert [(table.parsers, table.labelled) for table in tables] == [
        (parsers, labelled) for labelled in (True, False) for parsers in names
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
    assert [group.las for group in groups] == [
        {"L": 100, "D": 100},
        {"L": 0, "D": 100},
        {},
        {"L": 0, "D": 0},
    ]


def las(predicted: Sentence, gold: Sentence) -> Optional[float]:
    """That of validation, of one sentence; `None` if it has punctuation only."""
    metric = DependencyScore()
    metric([predicted], [gold])
    has_words = any(not is_punctuation(word) for word in gold.words)
    return metric.get_metric()["las"] if has_words else None


def srl_f1(predicted: List[Sentence], gold: List[Sentence]) -> float:
    metric = SrlScore()
    metric(predicted, gold)
    return metric.get_metric()["srl_f1"]


@given(gold_and_predicted())
def test_means_and_scores_against_the_metric(sentences: List[List[Sentence]]):
    gold, predicted = sentences
    pairs = {"LISA": frame_pairs(gold, predicted)}
    [table, _] = by_parse(gold, pairs, {"LISA": predicted}, Bootstrap(len(gold)))
    for group, is_right in zip(table.groups, (True, False), strict=True):
        members = [
            (found, wanted)
            for found, wanted in zip(predicted, gold, strict=True)
            if (las(found, wanted) in (None, 100)) == is_right
        ]
        f1 = [
            srl_f1([found], [wanted])
            for found, wanted in members
            if any(pair.wanted for pair in frame_pairs([wanted], [found]))
        ]
        assert (group.right, group.sentences) == ({"LISA": is_right}, len(members))
        scores = [las(*pair) for pair in members]
        known = [score for score in scores if score is not None]
        assert group.las == ({"LISA": pytest.approx(sum(known) / len(known))} if known else {})
        total = srl_f1(*map(list, zip(*members, strict=True))) if members else 0
        assert group.scores["LISA"].f1 == pytest.approx(total)
        assert group.means["LISA"].sentences == len(f1)
        assert group.means["LISA"].mean == pytest.approx(numpy.mean(f1) if f1 else 0)
