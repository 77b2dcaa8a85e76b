"""What is written beside a text is what the sentences have, in the text's own places."""

import io
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.formats.standoff import (
    ARGUMENT,
    PREDICATE,
    TOKEN,
    placed,
    write_brat,
    write_cas,
)
from lisa_allennlp.sentence.roles import bio_to_spans
from lisa_allennlp.sentence.sentence import Frame, Parse, Sentence
from tests.sentence.sentences import sentences

RAW = "😀 She  sold\nit."
PLACED = Sentence(
    "She sold it .".split(),
    frames=[Frame(1, "B-ARG0 B-V B-ARG1 O".split(), "sell", "sell.01")],
    parse=Parse([1, 1, 1, 1], "nsubj root obj punct".split()),
    offsets=[(2, 5), (7, 11), (12, 14), (14, 15)],
    text=RAW,
)


def blank(text):
    return "".join(" " if character.isspace() else character for character in text)


def test_raw_text_keeps_its_characters():
    text, (first, second) = placed([PLACED, Sentence(["Hm"])])
    assert text == "She  sold it.\nHm\n"
    assert (first, second) == ([(0, 3), (5, 9), (10, 12), (12, 13)], [(14, 16)])


@given(st.lists(sentences(with_parse=False), max_size=3).map(lambda items: [PLACED, *items]))
def test_brat(items):
    file = io.StringIO()
    write_brat(items, file)
    text, _ = placed(items)
    spans, pairs = {}, []
    for line in file.getvalue().rstrip("\n").split("\n"):
        id, what, *rest = line.split("\t")
        if id[0] == "T":
            label, start, end = what.split(" ")
            assert rest == [text[int(start) : int(end)]]
            spans[id] = (label, *rest)
        elif id[0] == "R":
            role, *ends = what.split(" ")
            verb, other = (spans[end.partition(":")[2]] for end in ends)
            assert (verb[0], other[0]) == ("V", role)
            pairs.append(other)
    expected = Counter(
        (span.role, blank(span.text))
        for sentence in items
        for frame in sentence.frames
        for span in frame.roles
        if span.role != "V"
    )
    assert Counter((role, blank(covered)) for role, covered in pairs) == expected


@settings(max_examples=5)
@given(st.lists(sentences(with_parse=True), max_size=2).map(lambda items: [PLACED, *items]))
def test_cas(items):
    cassis = pytest.importorskip("cassis")
    items = [replace(item, words=[f"w{word}\U0001f600" for word in item.words]) for item in items]
    items[0] = PLACED
    file = io.StringIO()
    write_cas(items, file)
    file.seek(0)
    cas = cassis.load_cas_from_json(file)
    words = [blank(word) for item in items for word in item.words]
    assert [token.get_covered_text() for token in cas.select(TOKEN)] == words
    frames = [frame for item in items for frame in item.frames]
    found = Counter(
        (blank(predicate.get_covered_text()), link.role)
        for predicate in cas.select(PREDICATE)
        for link in (predicate.arguments.elements if predicate.arguments else ())
    )
    expected = [
        (blank(f.verb), s.role) for f in frames for s in bio_to_spans(f.tags) if s.role != "V"
    ]
    assert found == Counter(expected)
    assert len(list(cas.select(ARGUMENT))) == len(expected)
    heads = [
        (arc.Dependent.begin, arc.Governor.begin)
        for arc in cas.select_all()
        if arc.type.name.endswith(".Dependency")
    ][:4]
    assert {*heads} >= {(0, 5), (5, 5)}
