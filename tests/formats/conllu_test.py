"""CoNLL-U, also with roles and with documents, and the `conllu` library as a second opinion."""

import io
import json
from dataclasses import replace

import conllu
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.formats.columns import read_lines
from lisa_allennlp.formats.conllu import (
    parse_conllu,
    parse_conllu_roles,
    write_conllu,
    write_conllu_document,
    write_conllu_roles,
)
from lisa_allennlp.sentence.document import Document
from lisa_allennlp.sentence.roles import join_roleset
from lisa_allennlp.sentence.sentence import Frame, Morphology, Parse, Sentence
from lisa_allennlp.text.raw_text import RawTextTokenizer
from tests import FIXTURES
from tests.sentence.sentences import SAMPLE, parses, role_labels, values

FOLDER = FIXTURES / "formats" / "conllu"


def parse(text):
    return [sentence for sentence, _ in parse_conllu(io.StringIO(text), "text")]


def written(sentences, write=write_conllu):
    file = io.StringIO(newline="")
    write(sentences, file)
    return file.getvalue()


def written_roles(sentences):
    return written(sentences, write_conllu_roles)


# In the sample of CoNLL-X, a sentence has two roots: a parser that picks each token's best head can
# give that.
@pytest.mark.parametrize("name", ["sample.conllu", "sample.conll"])
def test_agrees_with_the_conllu_library(name):
    path = FOLDER / name
    ours_of_file = (sentence for sentence, _ in parse_conllu(read_lines(path), path))
    for ours, theirs in zip(ours_of_file, conllu.parse(path.read_text("utf-8")), strict=True):
        # Without multiword tokens and empty nodes.
        tokens = [token for token in theirs if isinstance(token["id"], int)]
        assert ours.words == [token["form"] for token in tokens]
        assert ours.pos == [token["xpos"] or token["upos"] for token in tokens]
        assert ours.parse.heads == [token["head"] for token in tokens]
        assert ours.parse.head_tags == [token["deprel"] for token in tokens]


tags = values.filter(lambda value: value != "_")
# Spaces belong to words here; a blank line would not be one of ten columns.
words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\r\n"), min_size=1)


@st.composite
def parsed_sentences(draw):
    length = draw(st.integers(1, 6))
    columns = [draw(st.lists(item, min_size=length, max_size=length)) for item in (words, tags)]
    return Sentence(columns[0], columns[1], parse=draw(parses(length)))


@given(st.lists(parsed_sentences(), min_size=1, max_size=3), st.data())
def test_trees_and_morphology_are_read_back(sentences, data):
    columns = [
        [data.draw(st.none() | st.lists(tags, min_size=n, max_size=n)) for _ in "ab"]
        for n in (len(sentence.words) for sentence in sentences)
    ]
    sentences = [
        replace(sentence, morphology=Morphology(*known))
        for sentence, known in zip(sentences, columns, strict=True)
    ]
    again = parse(written(sentences))
    assert again == sentences
    assert [[sentence.upos, sentence.lemmas] for sentence in again] == columns


names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)
known_names = names.filter(lambda name: name != "-")


def parse_roles(text):
    # In a file, only line feeds end lines.
    return [sentence for sentence, _ in parse_conllu_roles(io.StringIO(text, newline="\n"), "text")]


@st.composite
def sentences_with_roles(draw):
    length = draw(st.integers(1, 6))
    predicates = draw(st.lists(st.integers(0, length - 1), unique=True, max_size=length))
    words = draw(st.lists(values, min_size=length, max_size=length))
    lemmas = draw(st.lists(known_names, min_size=length, max_size=length))
    frames = [
        Frame(p, draw(role_labels(length, p)), lemma, join_roleset(lemma, draw(names)))
        for p, lemma in zip(sorted(predicates), lemmas, strict=False)
    ]
    parse = draw(st.none() | parses(length))
    if parse is not None and any("_" == tag for tag in parse.head_tags):
        parse = None
    return Sentence(words, frames=draw(st.sampled_from([frames, frames, None])), parse=parse)


@given(st.lists(sentences_with_roles(), min_size=1, max_size=3))
def test_roles_are_read_back(sentences):
    assert parse_roles(written_roles(sentences)) == sentences


def test_keys_and_separators():
    first, second, _ = conllu.parse(written_roles(SAMPLE))
    assert first[3]["misc"] == {"UP:PRED": "cut.01", "UP:ARGSPANS": "A0:1-2,R-A0:3-3,A1:5-5"}
    assert second.metadata == {"predicates": "0"}
    frame = Frame(0, ["B-V", "B-A,|:1"], "_", "_.a.b")
    text = written_roles([Sentence(["a", "b"], frames=[frame])])
    assert "\tUP:PRED=%5F.a%2Eb|UP:ARGSPANS=A%2C%7C:1:2-2\n" in text


def lines(*misc):
    return "".join(f"{i}\tw\t_\t_\t_\t_\t_\t_\t_\t{m}\n" for i, m in enumerate(misc, 1))


@pytest.mark.parametrize(
    "roleset, lemma, sense",
    [("U.S..01", "U.S.", "U.S..01"), ("have", "have", "-"), ("_.03", "-", "03"), ("_", "-", "-")],
)
def test_rolesets_and_keys_of_others(roleset, lemma, sense):
    (sentence,) = parse_roles(lines(f"SpaceAfter=No|UP:PRED={roleset}"))
    frame = sentence.frames[0]
    assert (frame.lemma, frame.sense, frame.tags) == (lemma, sense, ["B-V"])
    (sentence,) = parse_roles("# predicates = 3\n" + lines("Gloss=x|Typo=Yes"))
    assert sentence.frames is None


def labelled(text: str) -> Document:
    """The first token of each sentence is its root and predicate."""
    sentences = []
    for offsets in RawTextTokenizer().sentences(text, 9):
        n = len(offsets)
        parse = Parse([0] * n, ["root"] + ["dep"] * (n - 1))
        frames = [Frame(0, ["B-V"] + ["B-ARG1"] * (n > 1) + ["I-ARG1"] * (n - 2))]
        words = [text[start:end] for start, end in offsets]
        sentences.append(Sentence(words, ["X"] * n, frames, parse, offsets=offsets, text=text))
    return Document(text, sentences, {"id": "a b\n1"})


texts = st.lists(
    st.sampled_from(["She sang.", "Hm...", "don't", "\n\n", "\n", "\t", "A (b)", "é😀", "Go!"]),
    min_size=1,
).map(" ".join)


@given(texts.filter(str.strip))
def test_text_and_annotation_are_read_back(text: str) -> None:
    document = labelled(text)
    output = written(document, write_conllu_document)
    parsed = conllu.parse(output)
    assert [tokens.metadata["text"] for tokens in parsed] == [
        " ".join(document.text_of(sentence).split()) for sentence in document.sentences
    ]
    for number, tokens in enumerate(parsed, start=1):
        words = (t["form"] + " " * ("SpaceAfter" not in (t["misc"] or {})) for t in tokens)
        assert "".join(words).strip() == tokens.metadata["text"]
        assert tokens.metadata["sent_id"] == f"a b 1-{number}"
        assert tokens.metadata.get("newdoc id") == ("a b 1" if number == 1 else None)
    starts = [n for n, tokens in enumerate(parsed) if "newpar" in tokens.metadata]
    assert starts == document.paragraph_starts()
    again = [item.sentence for item in parse_conllu_roles(output.splitlines(), "output")]
    bare = [replace(sentence, offsets=None, text=None) for sentence in document.sentences]
    for sentence in again:
        assert [sentence.text[start:end] for start, end in sentence.offsets] == sentence.words
    unplaced = [replace(sentence, extra={}, offsets=None, text=None) for sentence in again]
    assert unplaced == bare
    assert {sentence.extra["document"] for sentence in again} == {"a b 1"}


KEPT = """\
# newdoc id = d 1
# sent_id = d 1-1
# text = Don't give it up
1-2	Don't	_	_	_	_	_	_	_	Start=0
1	Do	do	AUX	VB	Mood=Imp	3	aux	3:aux	_
2	n't	not	PART	RB	_	3	advmod	3:advmod	_
3	give	give	VERB	VB	_	0	root	_	Gloss=x|UP:PRED=give.01|UP:ARGSPANS=A1:4-4
3.1	gone	go	VERB	_	_	_	_	3:conj	_
4	it	it	PRON	PRP	_	3	obj	3:obj	_
5	up	up	ADP	RP	_	3	compound:prt	_	SpaceAfter=No
5.1	too	too	ADV	_	_	_	_	3:advmod	_

# a note
# predicates = 0
1	Hm	_	_	_	_	_	_	_	_

# newdoc
1	Go	_	_	_	_	_	_	_	_

"""


def test_all_of_a_file_is_written_again():
    sentences = parse_roles(KEPT)
    assert written_roles(sentences) == KEPT
    assert [s.extra.get("document") for s in sentences] == ["d 1", "d 1", None]
    assert [s.extra.get("id") for s in sentences] == ["d 1-1", None, None]
    assert (sentences[0].lemmas[0], sentences[0].upos[0]) == ("do", "AUX")
    # Through JSON, too, and sentence by sentence.
    again = [Sentence.from_dict(json.loads(json.dumps(s.to_dict()))) for s in sentences]
    assert "".join(s.to_conllu() for s in again) == KEPT


def token(id, form, *others):
    return "\t".join([id, form, *others, *["_"] * (8 - len(others))])


def test_offsets_are_those_of_the_text():
    rows = [("1-2", "Joe's"), ("1", "Joe"), ("2", "'s"), ("3-4", "del"), ("3", "de"), ("4", "el")]
    lines = [token(*row) for row in rows] + [token("5", "!", *"_______", "SpaceAfter=No")]
    lines[3] += "|SpaceAfter=No"
    expected = [(0, 3), (3, 5), (6, 9), (6, 9), (9, 10)]
    for text, found in (
        (["# text = Joe's del!"], expected),
        ([], expected),
        # White space may be of any kind, and what is not the text of the words is none.
        (["# text = Joe's\u00a0 del !"], [(0, 3), (3, 5), (7, 10), (7, 10), (11, 12)]),
        (["# text = Joe del!"], None),
    ):
        (sentence,) = parse_roles("\n".join([*text, *lines]))
        assert sentence.offsets == found
    (bare,) = parse_roles(token("1", "Go"))
    assert (bare.offsets, bare.text) == (None, None)


def test_partly_parsed_sentences_and_equal_tags_are_written_again():
    rows = [
        token("1", "She", "_", "PRON", "PRON"),
        token("2", "left", "_", "VERB", "_", "_", "0", "root"),
        token("3", "!", "_", "PUNCT", "PUNCT", "_", "2"),
    ]
    text = "\n".join(rows) + "\n\n"
    (sentence,) = parse_roles(text)
    assert (sentence.parse, sentence.injected_parse.head_indices) == (None, [-1, 1, 1])
    assert written_roles([sentence]) == text
    changed = replace(sentence, pos=["PRP", "VBD", "."])
    assert [row.split("\t")[4] for row in changed.to_conllu().split("\n")[:3]] == changed.pos
    with pytest.raises(CorpusFormatError, match=":1: found no head"):
        list(parse_conllu(rows, "a"))


def test_ids_of_other_formats_are_written():
    extras = [{"document": 1, "id": "a\nb"}, {"document": 1}, {"document": "2"}, {}]
    text = written_roles([Sentence(["w"], extra=extra) for extra in extras])
    comments = [line for line in text.splitlines() if line.startswith("#")]
    assert comments == ["# newdoc id = 1", "# sent_id = a b", "# newdoc id = 2"]


@pytest.mark.parametrize("record", [7, {"feats": ["a", "b"]}, {"comments": ["#\n1"]}])
def test_a_key_of_others_is_refused(record):
    with pytest.raises(ValueError, match="in `conllu`"):
        Sentence(["w"], extra={"conllu": record}).to_conllu()
