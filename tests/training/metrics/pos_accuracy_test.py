import pytest
from allennlp.training.metrics import Metric

from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.training.metrics import PosAccuracy

WORDS = ["The", "cat", "sat", "."]
GOLD = Sentence(WORDS, pos=["DT", "NN", "VBD", "."])


def score(predicted, gold):
    metric = PosAccuracy()
    metric(predicted, gold)
    return metric.get_metric()


def test_accuracy_is_over_tokens_not_sentences():
    predicted = [Sentence(WORDS, pos=["DT", "NN", "VBN", ","]), Sentence(["Yes"], pos=["UH"])]
    gold = [GOLD, Sentence(["Yes"], pos=["UH"])]
    assert score(predicted, gold) == {"pos_accuracy": pytest.approx(60)}


def test_sentences_without_gold_tags_do_not_count():
    assert score([GOLD], [Sentence(WORDS)]) == {}
    assert score([GOLD, GOLD], [Sentence(WORDS), GOLD]) == {"pos_accuracy": 100}


def test_a_tag_too_few_is_refused():
    with pytest.raises(ValueError, match='3 POS tags for "The cat sat ."; expected 4'):
        score([Sentence(WORDS, pos=["DT", "NN", "VBD"])], [GOLD])


def test_it_is_registered():
    assert isinstance(Metric.by_name("pos_accuracy")(), PosAccuracy)
