import random
from dataclasses import replace

import pytest

from lisa_allennlp.scoring import Conll05Evaluation, Counts
from lisa_allennlp.sentence.sentence import Frame
from tests.scoring.srl_eval import (
    random_pair,
    run_srl_eval,
    sentence_of,
    with_empty_propositions,
)

OPTIONS = [(), ("-latex", "-C")]


def table(predicted, gold, *options, **keywords):
    evaluation = Conll05Evaluation(predicted, gold, confusion="-C" in options, **keywords)
    return evaluation.table("latex" if "-latex" in options else "text") + "\n"


def with_lemmas(sentence, draw):
    return replace(sentence, frames=[replace(frame, lemma=draw()) for frame in sentence.frames])


def random_corpus(seed, propositions):
    rng = random.Random(seed)
    pairs = []
    while sum(len(gold.frames) for _, gold in pairs) < propositions:
        pairs.append(random_pair(rng))
    return [
        tuple(with_lemmas(side, lambda: rng.choice(["be"] * 9 + ["have"])) for side in pair)
        for pair in pairs
    ]


@pytest.mark.medium
@pytest.mark.parametrize("options", OPTIONS)
def test_text_of_random_propositions_is_srl_evals(options):
    predicted, gold = zip(*random_corpus(2005, 1000), strict=True)
    assert any(not sentence.frames for sentence in gold)
    printed = run_srl_eval(predicted, gold, *options)
    assert table(predicted, gold, *options, compare_lemmas=True) == printed
    assert table(predicted, gold, *options) != printed


@pytest.mark.medium
def test_strict_rows_are_srl_evals_with_an_empty_gold_proposition_for_each_spurious_one():
    rng = random.Random(2018)
    pairs = [random_pair(rng) for _ in range(300)]
    predicted, gold = zip(*pairs, strict=True)
    padded = with_empty_propositions(pairs)

    def rows(text):
        return text.splitlines()[3:]  # Below the number of propositions.

    assert rows(table(predicted, gold, strict=True)) == rows(run_srl_eval(predicted, padded))


def test_the_confusion_matrix_without_a_right_span():
    gold, predicted = (sentence_of(2, Frame(0, tags)) for tags in (["B-V", "B-A0"], ["B-V", "O"]))
    lines = table([predicted], [gold], "-C").splitlines()
    assert " Unlabeled        0       0       1     0.00    0.00    0.00    0.00" in lines
    assert lines[-4:] == [
        "               -1    0    1 ",
        "-1: -NONE-      0    0    0 ",
        " 0: A0          1    0    0 ",
        " 1: V           0    0    1 ",
    ]


def test_another_lemma_makes_all_arguments_missed():
    def both(lemma):
        frames = Frame(0, ["B-V", "B-A0", "O"], lemma), Frame(2, ["O", "O", "B-V"], "go")
        return [sentence_of(3, *frames)]

    evaluation = Conll05Evaluation(both("have"), both("be"), compare_lemmas=True)
    described = evaluation.to_dict()
    assert described["propositions_with_another_lemma"] == 1
    assert described["propositions_not_in_gold"] == 0
    assert (described["overall"]["missed"], described["overall"]["excess"]) == (1, 0)
    assert "all arguments of 1 propositions are missed only because" in evaluation.notes()[0]
    strict = Conll05Evaluation(both("have"), both("be"), compare_lemmas=True, strict=True)
    assert strict.counts.overall(strict=True) == Counts(missed=1, excess=1)
    by_position = Conll05Evaluation(both("have"), both("be"))
    assert by_position.counts.overall() == Counts(correct=1)
    assert by_position.notes() == ["lemmas are not compared: propositions are matched by position"]


def test_sums_of_the_ratios_are_the_scores():
    predicted, gold = zip(*random_corpus(6, 200), strict=True)
    for strict in (False, True):
        evaluation = Conll05Evaluation(predicted, gold, strict=strict)
        described, sentences = evaluation.to_dict(), evaluation.sentence_ratios()
        for name, score in {
            "arguments precision": described["overall"]["precision"],
            "arguments recall": described["overall"]["recall"],
            "arguments F1": described["overall"]["f1"],
            "V F1": described["roles"]["V"]["f1"],
            "perfect propositions": described["perfect_percentage"],
        }.items():
            right, total = (sum(ratios[name][i] for ratios in sentences) for i in (0, 1))
            assert 100 * right / total == pytest.approx(score), name
