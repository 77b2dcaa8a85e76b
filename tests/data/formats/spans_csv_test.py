import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.spans_csv import (
    SpanRow,
    parse_spans_csv,
    span_rows,
    write_spans_csv,
)
from lisa_allennlp.data.sentence import Frame, Sentence
from tests.data.sentences import SAMPLE, role_labels

HEADER = ",".join(SpanRow._fields)
# Any word that JSON can hold; Python 3.10's csv module cannot read NUL.
words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)


def written(sentences):
    file = io.StringIO(newline="")
    write_spans_csv(sentences, file)
    return file.getvalue()


def parse(text):
    return list(parse_spans_csv(io.StringIO(text, newline="\n"), "text"))


@st.composite
def sentences_with_offsets(draw):
    length = draw(st.integers(1, 5))
    predicate = draw(st.integers(0, length - 1))
    frame = Frame(predicate, draw(role_labels(length, predicate)), "-", draw(words))
    items = draw(st.lists(words, min_size=length, max_size=length))
    offsets = [(2 * i, 2 * i + 1) for i in range(length)] if draw(st.booleans()) else None
    return Sentence(items, frames=[frame], offsets=offsets)


@given(st.lists(sentences_with_offsets(), max_size=3))
def test_the_spans_are_read_back(sentences):
    rows = parse(written(sentences))
    assert rows == list(span_rows(sentences))
    for number, sentence in enumerate(sentences, start=1):
        (frame,) = sentence.frames
        spans = [(r.role, r.first, r.last) for r in rows if r.sentence == number]
        assert spans == [(span.role, span.first, span.last) for span in frame.roles]


def test_other_programs_read_it():
    rows = list(csv.DictReader(io.StringIO(written(SAMPLE))))
    assert len(rows) == 4 + 3 + 4 + 2
    first = ["1", "3", "cut", "cut", "cut.01", "A0", "0", "1", "", "", "The clerk", "", "", "", ""]
    assert list(rows[0].values()) == first
    # A sentence without predicates has no rows, but it counts; an unknown sense is empty.
    assert [(row["sentence"], row["sense"]) for row in rows[7:9]] == [("3", ""), ("3", "")]


def test_glosses_and_links():
    frame = Frame(1, ["B-ARG0", "B-V", "B-ARGM-TMP"], "sell", "sell.01").explained
    rows = parse(written([Sentence(["She", "sold", "early"], frames=[frame])]))
    links = ("13.1-1", "Commerce_sell")
    assert [row[-4:] for row in rows] == [
        ("Seller", "Agent", *links),
        ("commerce: seller, giving in exchange for money", "", *links),
        ("", "", *links),
    ]


@pytest.mark.parametrize(
    "text, line, found",
    [
        ("sentence,role\n", 1, "the columns 'sentence,role'"),
        (f"{HEADER}\n1,0,Go\n", 2, "3 columns"),
        (f"{HEADER}\n1,0,Go,,,V,0,zero,,,Go,,,,\n", 2, "'zero' as last"),
        (f'{HEADER}\n"a"b,0,Go,,,V,0,0,,,Go\n', 2, "a row with ',' expected after '\"'"),
    ],
)
def test_errors_name_the_line(text, line, found):
    with pytest.raises(CorpusFormatError) as error:
        parse(text)
    assert (error.value.line, error.value.found) == (line, found)
