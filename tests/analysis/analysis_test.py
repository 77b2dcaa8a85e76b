import pytest

from lisa_allennlp.analysis import Analysis, analyze
from lisa_allennlp.training.metrics import SrlScore
from tests.analysis.systems import GOLD, WORSE
from tests.counting import num_calls
from tests.data.sentences import without_parse


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return analyze(GOLD, {"right": GOLD, "worse": WORSE}, {"D&M": GOLD})


def test_sizes_and_scores(analysis: Analysis):
    assert (analysis.sentences, analysis.frames, analysis.arguments) == (3, 4, 8)
    assert analysis.systems == ["right", "worse"]
    metric = SrlScore()
    metric(WORSE, GOLD)
    scores = metric.get_metric()
    worse = analysis.overall["worse"]
    assert [worse.precision, worse.recall, worse.f1] == [
        scores["srl_precision"],
        scores["srl_recall"],
        scores["srl_f1"],
    ]
    assert analysis.corrections["worse"][0].score == worse


def test_systems_that_parse_are_parsers_too(analysis: Analysis):
    table = analysis.parse_table("D&M", "worse", labelled=False)
    assert table.parsers == ("worse", "D&M")


def test_what_gold_lacks_is_not_analysed():
    gold = [without_parse(sentence) for sentence in GOLD]
    analysis = analyze(gold, {"worse": WORSE})
    assert analysis.parses == [] and analysis.phrase_types is None
    assert analysis.predicates is not None


@pytest.mark.medium
def test_the_work_for_a_corpus_is_linear():
    def calls(times: int) -> int:
        gold, worse = GOLD * times, WORSE * times
        return num_calls(lambda: analyze(gold, {"right": gold, "worse": worse}, {"D&M": gold}))

    calls(1)
    assert calls(50) - calls(25) <= 1.1 * (calls(25) - calls(1)) * 25 / 24
