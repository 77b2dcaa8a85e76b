import pytest

from lisa_allennlp.apps.analyze import analyze
from tests.apps.analyze.systems import GOLD, WORSE
from tests.counting import num_calls
from tests.sentence.sentences import without_parse


def test_sizes_and_tables_of_parsers():
    analysis = analyze(GOLD, {"right": GOLD, "worse": WORSE}, {"D&M": GOLD})
    assert (analysis.sentences, analysis.frames, analysis.arguments) == (3, 4, 8)
    # Systems that parse are parsers too.
    assert analysis.parse_table("D&M", "worse", labelled=False).parsers == ("worse", "D&M")


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
