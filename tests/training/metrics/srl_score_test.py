import random

import pytest
from allennlp.training.metrics import Metric
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.data.sentence import Frame, Sentence
from lisa_allennlp.training.metrics import SrlScore
from tests.counting import num_calls
from tests.scoring.srl_eval import (
    random_pair,
    run_srl_eval,
    sentence_of,
    sentence_pairs,
    table_row,
    with_empty_propositions,
)


def srl_eval(predicted, gold):
    """Precision, recall and F1 as the official script prints them for propositions by position."""
    return table_row(run_srl_eval(predicted, gold, lemmas=False), "Overall")[3:]


def srl_score(predicted, gold):
    metric = SrlScore()
    metric(predicted, gold)
    return metric.get_metric()


def as_printed(*values):
    return tuple(f"{value:.2f}" for value in values)


def official(score):
    return as_printed(score["srl_precision"], score["srl_recall"], score["srl_f1"])


def proposition(roles, predicate=0):
    """A sentence with one frame of one-token spans: "A1 V _ C-A1"."""
    tags = ["O" if role == "_" else f"B-{role}" for role in roles.split()]
    return sentence_of(len(tags), Frame(predicate, tags))


@pytest.mark.medium
@settings(deadline=None, max_examples=80)
@given(st.lists(sentence_pairs(), min_size=1, max_size=4))
def test_score_is_what_srl_eval_prints(pairs):
    predicted, gold = zip(*pairs, strict=True)
    assert official(srl_score(predicted, gold)) == srl_eval(predicted, gold)


@pytest.mark.medium
def test_score_of_a_corpus_is_what_srl_eval_prints():
    rng = random.Random(5)
    predicted, gold = zip(*(random_pair(rng) for _ in range(3000)), strict=True)
    score = srl_score(predicted, gold)
    assert official(score) == srl_eval(predicted, gold)
    assert 30 < score["srl_precision_strict"] < score["srl_precision"] < 90


@pytest.mark.medium
@settings(deadline=None, max_examples=30)
@given(st.lists(sentence_pairs(), min_size=1, max_size=4))
def test_strict_score_is_srl_evals_with_an_empty_gold_frame_for_each_spurious_one(pairs):
    predicted, gold = zip(*pairs, strict=True)
    padded = with_empty_propositions(pairs)
    score = srl_score(predicted, gold)
    strict = (score["srl_precision_strict"], score["srl_recall"], score["srl_f1_strict"])
    assert as_printed(*strict) == srl_eval(predicted, padded)


@pytest.mark.parametrize(
    "predicted, gold, precision, recall",
    [
        ("A0 V A1", "A0 V A1", 100, 100),
        ("A0 V _", "A0 V A1", 100, 50),
        ("A0 _ _", "_ V A0", 0, 0),
        ("A1 V C-A1", "A1 V C-A1", 100, 100),
        ("A1 V _", "A1 V C-A1", 0, 0),  # One piece is missing: all of A1 is wrong,
        ("A1 V A1", "A1 V C-A1", 0, 0),  # and so are two arguments in place of one.
        ("A1 A1 C-A1", "A1 A1 C-A1", 100, 100),
        ("A1 _ C-A1", "A1 A1 C-A1", 0, 0),  # There the C-A1 continues the second A1.
        ("C-A1 V _", "A1 V _", 100, 100),  # It continues nothing, and is an A1.
        ("C-A1 V A1", "A1 V A1", 100, 100),
        ("C-A1 V C-A1", "A1 V C-A1", 100, 100),
        ("R-A1 V C-R-A1", "R-A1 V C-R-A1", 100, 100),
        ("R-A1 V C-A1", "R-A1 V A1", 100, 100),
        ("A1 R-A1 C-A1", "A1 R-A0 C-A1", 50, 50),
        ("V A1 C-V", "V A1 _", 100, 100),
        ("C-V A1 V", "_ A1 _", 100, 100),
        ("V _ _", "V _ _", 0, 0),  # Without arguments the script prints zeros.
        ("R-V A1 _", "V A1 _", 50, 100),
    ],
)
def test_single_propositions(predicted, gold, precision, recall):
    pair = [proposition(predicted)], [proposition(gold)]
    score = srl_score(*pair)
    assert (score["srl_precision"], score["srl_recall"]) == (precision, recall)
    assert official(score) == srl_eval(*pair)


def test_adjacent_arguments_and_adjacent_pieces_are_told_apart():
    frames = [["B-A1", "I-A1"], ["B-A1", "B-A1"], ["B-A1", "B-C-A1"]]
    for i, wanted in enumerate(frames):
        for j, found in enumerate(frames):
            pair = [sentence_of(2, Frame(0, found))], [sentence_of(2, Frame(0, wanted))]
            score = srl_score(*pair)
            assert score["srl_f1"] == (100 if i == j else 0)
            assert official(score) == srl_eval(*pair)


def test_spurious_frames_cost_only_strict_precision():
    gold = sentence_of(3, Frame(0, ["B-V", "B-A1", "O"]))
    predicted = sentence_of(3, *gold.frames, Frame(2, ["B-A0", "B-A1", "B-V"]))
    assert srl_score([predicted], [gold]) == {
        "srl_precision": 100,
        "srl_recall": 100,
        "srl_f1": 100,
        "srl_precision_strict": pytest.approx(100 / 3),
        "srl_f1_strict": pytest.approx(50),
    }


def test_missing_frames_cost_recall():
    frames = [Frame(0, ["B-V", "B-A1", "O"]), Frame(2, ["B-A0", "B-A1", "B-V"])]
    score = srl_score([sentence_of(3, frames[0])], [sentence_of(3, *frames)])
    assert (score["srl_precision"], score["srl_recall"]) == (100, pytest.approx(100 / 3))


def test_lemmas_and_senses_do_not_count():
    gold = sentence_of(2, Frame(0, ["B-V", "B-A1"], lemma="run", sense="02"))
    assert srl_score([sentence_of(2, Frame(0, ["B-V", "B-A1"]))], [gold])["srl_f1"] == 100


def test_sentences_without_gold_frames():
    predicted = sentence_of(2, Frame(0, ["B-V", "B-A1"]))
    assert srl_score([predicted], [Sentence(predicted.words)]) == {}
    # "Annotated as having none" is something else.
    score = srl_score([predicted], [sentence_of(2)])
    assert set(score.values()) == {0.0} and len(score) == 5


def test_the_work_for_a_corpus_is_linear():
    rng = random.Random(6)
    predicted, gold = zip(*(random_pair(rng) for _ in range(100)), strict=True)
    once = num_calls(lambda: srl_score(predicted, gold))
    assert num_calls(lambda: srl_score(5 * predicted, 5 * gold)) <= 5 * once


def test_it_is_registered():
    assert isinstance(Metric.by_name("srl_score")(), SrlScore)
