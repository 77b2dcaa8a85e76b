import csv
import io
import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.formats.role_tables import (
    FORMULA,
    FRAMES,
    SPANS,
    Table,
    make_tables,
    role_names,
)
from lisa_allennlp.sentence.sentence import Frame, Sentence
from tests.sentence.sentences import role_labels

# Any word that JSON can hold; Python 3.10's csv module cannot read NUL.
words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)


def written(sentences, table=None):
    file = io.StringIO(newline="")
    table = table or Table(SPANS)
    table.write_csv(table.rows(sentences), file)
    return file.getvalue()


def parse(text):
    """The rows, without the apostrophe before what a spreadsheet would run."""
    rows = csv.DictReader(io.StringIO(text, newline=""))
    return [
        {
            name: cell[1:] if cell.startswith("'") and FORMULA.match(cell[1:]) else cell
            for name, cell in row.items()
        }
        for row in rows
    ]


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
    known = list(Table(SPANS).rows(sentences))
    assert rows == [{k: "" if v is None else str(v) for k, v in row.items()} for row in known]
    for number, sentence in enumerate(sentences, start=1):
        (frame,) = sentence.frames
        of_one = [row for row in rows if row["sentence"] == str(number)]
        spans = [(row["role"], int(row["first"]), int(row["last"])) for row in of_one]
        assert spans == [(span.role, span.first, span.last) for span in frame.roles]


GIFTS = "Gifts that he , she and I gave fell".split()
FRAME = Frame(7, "B-ARG1 B-R-ARG1 B-ARG0 O B-ARG0 O B-ARG0 B-V B-C-ARG1".split())


def frames_of(*sentences, columns=None):
    table = Table(FRAMES, ["ARG0", "ARG1", "ARG2"], columns)
    return list(table.rows(sentences))


def test_all_spans_of_a_role_are_in_its_column():
    offsets = [(10 * i, 10 * i + len(word)) for i, word in enumerate(GIFTS)]
    sentence = Sentence(GIFTS, frames=[FRAME], offsets=offsets)
    (row,) = frames_of(sentence)
    assert (row["start_char"], row["end_char"]) == offsets[7]
    assert row["ARG0"] == ["he", "she", "I"]
    assert row["ARG0_offsets"] == [list(offsets[2]), list(offsets[4]), list(offsets[6])]
    # The continuation is that of the argument and not of the relative pronoun.
    assert row["ARG1"] == ["Gifts ... fell", "that"]
    assert row["ARG1_offsets"] == [[*offsets[0], *offsets[8]], list(offsets[1])]
    assert "ARG2" not in row and "ARG2_offsets" not in row
    (row,) = frames_of(Sentence(GIFTS, frames=[FRAME]))
    assert row["ARG0_offsets"] is None


@given(st.data())
def test_the_columns_of_roles_have_all_spans(data):
    length = data.draw(st.integers(1, 7))
    predicate = data.draw(st.integers(0, length - 1))
    frame = Frame(predicate, data.draw(role_labels(length, predicate)))
    sentence = Sentence(
        [f"w{i}" for i in range(length)],
        frames=[frame],
        offsets=[(10 * i, 10 * i + 2) for i in range(length)],
    )
    roles = role_names(span.role for span in sentence.frames[0].roles)
    (row,) = Table(FRAMES, roles).rows([sentence])
    pieces = sorted(
        (ends[i], ends[i + 1])
        for role in roles
        for ends in row[f"{role}_offsets"]
        for i in range(0, len(ends), 2)
    )
    spans = [s for s in sentence.frames[0].roles if s.role not in ("V", "C-V", "R-V")]
    assert pieces == sorted((span.start_char, span.end_char) for span in spans)
    texts = sorted(word for role in roles for text in row[role] for word in text.split(" ... "))
    assert texts == sorted(span.text for span in spans)


def test_cells_of_csv():
    sentences = [
        Sentence(GIFTS, frames=[replace(FRAME, probability=0.5)]),
        Sentence(["Go"], frames=[Frame(0, ["B-ARG0"])]),
    ]
    text = written(sentences, Table(FRAMES, ["ARG0"], ["sense", "probability", "ARG0"]))
    first, second = csv.DictReader(io.StringIO(text))
    assert json.loads(first.pop("ARG0")) == ["he", "she", "I"]
    assert first == {"sense": "", "probability": "0.5"}
    # A list of one text is that text.
    assert second["ARG0"] == "Go"


def test_names_of_documents_and_sentences():
    extras = [{"document": 3}, {"document": 3}, {"document": "d", "id": 7}, {"document": "d"}]
    sentences = [Sentence(["Go"], frames=[Frame(0, ["B-V"])], extra=e) for e in [*extras, {}, {}]]
    expected = [("3", "1"), ("3", "2"), ("d", "7"), ("d", "2"), (None, "1"), (None, "2")]
    assert [(row["document"], row["sentence"]) for row in frames_of(*sentences)] == expected
    rows = parse(written(sentences))
    assert [(row["document"] or None, row["sentence"]) for row in rows] == expected


def test_texts_and_other_keys():
    text = "Rain.  It pours\nnow."
    offsets = [(7, 9), (10, 15), (16, 19), (19, 20)]
    words, frames = ["It", "pours", "now", "."], [Frame(1, ["O", "B-V", "O", "O"])]
    extra = {"document": "d", "conllu": {}, "title": "é", "stars": 5, "by": "Ann"}
    sentence = Sentence(words, frames=frames, offsets=offsets, text=text, extra=extra)
    assert frames_of(sentence)[0]["text"] == "It pours\nnow."
    assert frames_of(Sentence(words, frames=frames))[0]["text"] == "It pours now ."
    kept = {"stars": str, "by": str, "year": str, "extra": str}
    for name in (FRAMES, SPANS):
        (row,) = make_tables(["ARG0"], kept=kept)[name].rows([sentence])
        assert [row[name] for name in kept] == ["5", "Ann", None, '{"title": "é"}']
