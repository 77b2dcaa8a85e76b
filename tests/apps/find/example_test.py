"""Questions by example, as `english` understands them."""

from typing import Any, Dict, List

import pytest

import lisa_allennlp
from lisa_allennlp.apps.find import Question, understand
from lisa_allennlp.common.errors import ConfigurationError


@pytest.fixture(scope="module")
def lisa() -> Any:
    return lisa_allennlp.load()


@pytest.mark.parametrize(
    "text, sense, conditions, asked",
    [
        ("what did customers return", "return.02", {"ARG0": "customer", "ARG1": "?"}, ["ARG1"]),
        ("What did customers buy?", "buy.01", {"ARG0": "customer", "ARG1": "?"}, ["ARG1"]),
        ("WHAT was acquired by Google", "acquire.01", {"ARG0": "Google", "ARG1": "?"}, ["ARG1"]),
        ("SOMEBODY buys shoes WHY", "buy.01", {"ARG1": "shoe", "why": "?"}, ["why"]),
        ("Why do customers buy WHAT?", "buy.01", None, ["ARG1", "why"]),
        ("Napoleon died WHERE", "die.01", {"ARG1": "Napoleon", "ARGM-LOC": "?"}, ["ARGM-LOC"]),
        ("WHO died in WHEN", "die.01", {"ARG1": "?", "ARGM-TMP": "?"}, ["ARG1", "ARGM-TMP"]),
        ("How many people died?", "die.01", {"ARG1": "people"}, ["ARG1"]),
        ("How much did he pay?", "pay.01", {"ARG0": "he", "ARG1": "?"}, ["ARG1"]),
        ("Apple or Google sued WHO", "sue.02", {"ARG0": "Apple|Google", "ARG1": "?"}, ["ARG1"]),
    ],
)
def test_roles_are_asked(
    text: str, sense: str, conditions: Dict[str, str], asked: List[str], lisa: Any
) -> None:
    question = understand(text, lisa)
    assert (question.senses, question.asked) == ([sense], asked)
    assert question.polarity == "affirmed"
    assert conditions is None or question.conditions == conditions


@pytest.mark.parametrize(
    "text, factuality, tense",
    [
        ("SOMEBODY returned WHAT", [], "past|"),
        ("Customers return WHAT", [], None),
        ("SOMEBODY wants to return WHAT", ["wanted"], None),
        ("WHO is going to acquire WHAT", ["future"], None),
        ("WHO was accused of stealing WHAT", ["accused"], None),
    ],
)
def test_modality_and_tense_count(text: str, factuality: list, tense: Any, lisa: Any) -> None:
    question = understand(text, lisa)
    assert (list(question.factuality), question.where.get("tense")) == (factuality, tense)


def test_small_letters_ask_at_the_edges(lisa: Any) -> None:
    assert understand("customers return what", lisa).asked == ["ARG1"]
    assert understand("who sold what", lisa).asked == ["ARG0", "ARG1"]
    assert understand("WHO sold what", lisa).asked == ["ARG0"]


def test_negated_questions_ask_for_negated_events(lisa: Any) -> None:
    assert understand("WHO failed to find WHAT", lisa).polarity == "negated"
    assert understand("Nobody returned WHAT", lisa).polarity == "negated"
    assert understand("Nobody returned WHAT", lisa).conditions == {"ARG1": "?"}


def test_an_improbable_sense_is_not_asked_alone(lisa: Any) -> None:
    first, *others = understand("WHO passed WHAT", lisa).senses
    assert others and {sense.partition(".")[0] for sense in (first, *others)} == {"pass"}


def test_a_verb_that_propbank_lacks_is_asked_by_its_lemma(lisa: Any) -> None:
    question = understand("SOMEBODY xyzzied WHAT", lisa)
    assert (list(question.senses), question.asked) == ([], ["ARG1"])
    (lemma,) = question.changed(Question(polarity="any")).lemmas
    assert lemma.startswith("xyzz")


def test_a_question_without_an_event(lisa: Any) -> None:
    with pytest.raises(ConfigurationError, match="found no event"):
        understand("WHAT", lisa)
