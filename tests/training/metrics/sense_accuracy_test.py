import pytest
from allennlp.training.metrics import Metric

from lisa_allennlp.data.sentence import Frame, Sentence
from lisa_allennlp.training.metrics import SenseAccuracy

WORDS = ["Stop", "or", "go", "on"]


def sentence(**senses: str) -> Sentence:
    frames = [Frame(WORDS.index(word), ["O"] * 4, sense=sense) for word, sense in senses.items()]
    return Sentence(WORDS, frames=frames)


def score(predicted, gold):
    metric = SenseAccuracy()
    metric(predicted, gold)
    return metric.get_metric()


def test_only_found_predicates_with_a_known_sense_count():
    gold = sentence(Stop="stop.01", go="go_on.15", on="-")
    assert score([sentence(Stop="stop.01", go="go.01", on="on.01")], [gold]) == {
        "sense_accuracy": 50
    }
    # "go" is missed, and "or" is spurious.
    predicted = sentence(Stop="stop.01", **{"or": "or.01"})
    assert score([predicted], [gold]) == {"sense_accuracy": 100}
    three = [sentence(Stop="stop.02"), gold]
    assert score(three, [gold, gold]) == {"sense_accuracy": pytest.approx(200 / 3)}


def test_a_number_without_its_lemma_is_not_enough():
    assert score([sentence(go="go.15")], [sentence(go="go_on.15")]) == {"sense_accuracy": 0}


def test_nothing_is_reported_without_gold_senses():
    assert score([sentence(go="go.01")], [sentence(go="-")]) == {}
    assert score([sentence(go="go.01")], [Sentence(WORDS)]) == {}


def test_it_is_registered():
    assert isinstance(Metric.by_name("sense_accuracy")(), SenseAccuracy)
