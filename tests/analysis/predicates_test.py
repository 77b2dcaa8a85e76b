from typing import List

from hypothesis import given, settings

from lisa_allennlp.analysis.intervals import Bootstrap
from lisa_allennlp.analysis.predicates import by_pos
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.training.metrics import PredicateScore
from tests.analysis.systems import GOLD, WORSE, gold_and_predicted


def test_the_sample():
    rows = by_pos(GOLD, {"right": GOLD, "worse": WORSE}, Bootstrap(3))
    # All gold predicates are VBD; the number 5 (CD) is predicted to be one.
    assert [(row.pos, row.predicates) for row in rows] == [("VBD", 4), ("CD", 0)]
    vbd, cd = (row.scores["worse"] for row in rows)
    assert (vbd.correct, vbd.excess, vbd.missed) == (3, 0, 1)
    assert (cd.correct, cd.excess, cd.missed) == (0, 1, 0)
    assert rows[0].scores["right"].f1 == 100


@given(gold_and_predicted())
@settings(max_examples=25)
def test_one_tag_gives_the_score_of_the_corpus(sentences: List[List[Sentence]]):
    gold, predicted = sentences
    metric = PredicateScore()
    metric(predicted, gold)
    rows = by_pos(gold, {"LISA": predicted}, Bootstrap(len(gold)))
    scores = [row.scores["LISA"].f1 for row in rows] or [0.0]
    assert scores == [metric.get_metric()["predicate_f1"]]
