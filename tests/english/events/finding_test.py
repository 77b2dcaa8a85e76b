"""Events, against sentences whose trees, roles and events are annotated by hand."""

import re
from dataclasses import replace
from typing import Any, Dict, List, Tuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lisa_allennlp
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.sentence.document import Document
from lisa_allennlp.sentence.event import Event
from lisa_allennlp.sentence.sentence import Frame, Parse, Sentence
from tests import FIXTURES


def annotated() -> List[Tuple[Sentence, Dict[str, str]]]:
    """The sentences of the fixture, each with the annotation of its events by their names."""
    content = (FIXTURES / "events.conllu").read_text(encoding="utf-8")
    found = []
    for block in content.strip().split("\n\n"):
        first, rest = block.split("\n", 1)
        events = first.removeprefix("# events = ").split(" | ")
        described = dict(event.split(" ", 1) for event in events)
        found.append((Sentence.from_conllu(rest + "\n\n"), described))
    return found


ANNOTATED = annotated()


def described(event: Event, names: List[str]) -> Dict[str, Any]:
    tense = [event.tense] if event.tense else []
    voice = ["passive"] if event.voice == "passive" else []
    words = {event.factuality, *["negated"] * event.negated, *tense, *voice}
    return {"": words, **{name: getattr(event, name) for name in names}}


@pytest.mark.parametrize(
    ("sentence", "expected"), ANNOTATED, ids=[" ".join(s.words) for s, _ in ANNOTATED]
)
def test_events_are_those_annotated(sentence: Sentence, expected: Dict[str, str]) -> None:
    events = {event.name.replace(" ", "_"): event for event in sentence.events}
    assert list(events) == list(expected)
    for name, annotation in expected.items():
        values = dict(re.findall(r"(\w+)=(.*?)(?= \w+=|$)", annotation))
        words = re.sub(r"\w+=.*", "", annotation).split()
        if "modal" in values:
            values["modal"] = values["modal"].replace("_", " ")
        wanted = {"": set(words) - {"active"}, **values}
        assert described(events[name], list(values)) == wanted


def labelled(text: str) -> Document:
    (document,) = lisa_allennlp.load("english-fast").documents([text])
    return document


def test_pronoun_carries_the_name_of_its_cluster() -> None:
    text = "The Acme Corporation grew. It bought two rivals."
    clusters = [[[0, 20], [27, 29]]]
    document = replace(labelled(text), extra={"clusters": clusters})
    grow, buy = document.events
    assert (grow.what or grow.who) == "The Acme Corporation"
    assert (buy.who, buy["ARG0"].text, buy["ARG0"].head_lemma) == (
        "The Acme Corporation",
        "It",
        "Acme Corporation",
    )
    assert labelled(text).events[1].who == "It"


def test_relative_pronoun_carries_its_antecedent() -> None:
    # Annotated without an ARG0 besides the pronoun.
    tags = ["O", "O", "B-R-ARG0", "B-V", "B-ARG1"]
    sentence = Sentence(
        ["The", "man", "who", "sold", "it"],
        pos=["DT", "NN", "WP", "VBD", "PRP"],
        frames=[Frame(3, tags, "sell", "sell.01")],
        parse=Parse([1, 1, 3, 1, 3], ["det", "root", "nsubj", "acl:relcl", "obj"]),
    )
    (event,) = sentence.events
    assert (event.who, event["ARG0"].text) == ("The man", "who")


def test_coordinated_fillers_are_an_event_each() -> None:
    sentence = next(s for s, _ in ANNOTATED if "tablets" in s.words)
    (event,) = sentence.events
    assert event["ARG1"].heads == ("phone", "tablet")
    assert [(one.what, one["ARG1"].head_lemma) for one in event.each()] == [
        ("phones", "phone"),
        ("tablets", "tablet"),
    ]


def test_head_of_a_quantity_is_what_it_is_of() -> None:
    sentence = next(s for s, _ in ANNOTATED if s.words[:2] == ["A", "lot"])
    assert sentence.events[0]["ARG0"].head_lemma == "customer"


def test_names_are_whole_and_of_propbank() -> None:
    (event,) = labelled("John Smith sold New York City to us.").events
    assert event["ARG0"].head_lemma == "John Smith"
    assert event["ARG1"].head_lemma == "New York City"
    assert event.names["seller"] == "John Smith"


def test_offsets_are_those_of_the_text() -> None:
    document = labelled("Prices, he said, fell.  The car was sold by us in Rome, and we left.")
    for event in document.events:
        for filler in event.fillers:
            assert filler.text == " ... ".join(document.text[a:b] for a, b in filler.pieces or ())


def test_sentence_without_a_tree_has_no_events() -> None:
    with pytest.raises(ConfigurationError, match="events: found a sentence without a tree"):
        Sentence(["Go"], ["VB"], [Frame(0, ["B-V"])]).events  # noqa: B018


@given(
    st.integers(1, 7).flatmap(
        lambda n: st.tuples(*[st.lists(st.integers(0, n - 1), min_size=n, max_size=n)] * 2)
    ),
    st.randoms(),
)
def test_trees_with_cycles_have_events(columns: Tuple[List[int], List[int]], random: Any) -> None:
    heads, ends = columns
    relations = "nsubj obj conj xcomp advcl ccomp acl:relcl cop aux root".split()
    tree = Parse(heads, [random.choice(relations) for _ in heads])
    tags = ["O"] * len(heads)
    tags[ends[0]] = "B-ARG1"
    frames = [Frame(token, tags, sense="sell.01") for token in {*ends}]
    pos = [random.choice(["NN", "VB", "NNP", "WP"]) for _ in heads]
    sentence = Sentence([random.choice(["who", "it", "did"]) for _ in heads], pos, frames, tree)
    assert {event.predicate for event in sentence.events} <= {*ends}
    acyclic = tree.without_cycles
    assert len(
        {
            token
            for root in range(len(heads))
            if acyclic.head_indices[root] == root
            for token in acyclic.subtree(root)
        }
    ) == len(heads)
    assert acyclic.without_cycles is acyclic
