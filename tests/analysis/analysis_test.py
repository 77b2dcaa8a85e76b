import json
from typing import Any, Dict

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


def test_parse_tables(analysis: Analysis):
    # Systems that parse are parsers too.
    table = analysis.parse_table("D&M", "worse", labelled=False)
    assert table.parsers == ("worse", "D&M")
    with pytest.raises(KeyError):
        analysis.parse_table("SA", "D&M")


def test_what_gold_lacks_is_not_analysed():
    gold = [without_parse(sentence) for sentence in GOLD]
    analysis = analyze(gold, {"worse": WORSE})
    assert analysis.parses == [] and analysis.phrase_types is None
    assert analysis.predicates is not None


def test_constituents_come_before_relations():
    bits = [["*"] * len(sentence.words) for sentence in GOLD]
    with_bits = analyze(GOLD, {"worse": WORSE}, parse_bits=bits).phrase_types
    without = analyze(GOLD, {"worse": WORSE}).phrase_types
    assert with_bits is not None and with_bits.kind == "phrase type"
    assert without is not None and without.kind == "dependency relation of the head"


def test_json(analysis: Analysis):
    described = json.loads(json.dumps(analysis.to_dict()))
    assert described["overall"]["worse"]["f1"] == analysis.overall["worse"].f1
    assert described["corrections"]["worse"][-1]["name"] == "others"
    assert described["costly_frames"][0]["spans"]["worse"][0]["text"] == "The clerk"


@pytest.mark.parametrize(
    "arguments, reason",
    [
        ({"systems": {}}, "found 3 gold sentences and 0 systems"),
        ({"gold": []}, "found 0 gold sentences and 1 systems"),
        ({"systems": {"a": GOLD[:2]}}, "found 2 predicted sentences; expected 3"),
        ({"parses": {"worse": GOLD}}, "found 'worse' as a system and as a parser"),
        ({"parses": {"D&M": GOLD[:1]}}, "found 1 parses of 'D&M'; expected 3"),
    ],
)
def test_errors(arguments: Dict[str, Any], reason: str):
    with pytest.raises(ValueError, match=reason):
        analyze(**{"gold": GOLD, "systems": {"worse": WORSE}, **arguments})


@pytest.mark.medium
def test_the_work_for_a_corpus_is_linear():
    def calls(times: int) -> int:
        gold, worse = GOLD * times, WORSE * times
        return num_calls(lambda: analyze(gold, {"right": gold, "worse": worse}, {"D&M": gold}))

    calls(1)
    assert calls(50) - calls(25) <= 1.1 * (calls(25) - calls(1)) * 25 / 24
