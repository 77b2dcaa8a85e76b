"""Scores in one call, against the metrics of training and the files of commands."""

import lisa_allennlp
from tests import FIXTURES


def test_the_door_reads_and_scores() -> None:
    gold = lisa_allennlp.read(FIXTURES / "sample/dev.gold_conll")
    predicted = list(lisa_allennlp.load("english-fast").pipe(s.words for s in gold))
    found = lisa_allennlp.score(predicted, gold)
    assert {"srl_f1", "srl_f1_strict", "predicate_f1", "uas", "las", "pos_accuracy"} <= {*found}
    assert all(60 < found[name] < 100 for name in ("srl_f1", "uas", "pos_accuracy"))
    assert lisa_allennlp.model_names() == ["english", "english-fast"]
    perfect = lisa_allennlp.score(gold, gold)
    assert set(perfect.values()) == {100.0}
