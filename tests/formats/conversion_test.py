"""What is written in a format is read back, apart from what the format cannot hold."""

import re
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats import WRITABLE_FORMATS
from lisa_allennlp.formats.annotated_files import AnnotatedFile, read_annotated
from lisa_allennlp.formats.columns import LocatedSentence
from lisa_allennlp.formats.conversion import (
    STANDOFF_FORMATS,
    TABLE_FORMATS,
    can_hold,
    left_out,
    write_annotated,
)
from lisa_allennlp.sentence.sentence import Frame, Morphology, Parse, Sentence
from tests.sentence.sentences import SAMPLE, sentences

# The spans of CoNLL-2009 are those of its trees.
OTHERS = (*TABLE_FORMATS, *STANDOFF_FORMATS, "conll09")
SENTENCES = [name for name in WRITABLE_FORMATS if name not in OTHERS]


def annotated(items, **changes):
    located = [LocatedSentence(s, [i] * len(s.words)) for i, s in enumerate(items, start=1)]
    file = AnnotatedFile("in.jsonl", "json", located, True, True, True, ["in.jsonl"] * len(items))
    return replace(file, **changes)


def converted(file, format, folder):
    path = Path(folder, "out")
    with open(path, "w", encoding="utf-8") as output:
        write_annotated(file, format, output)
    return path


def read_back(file, format, folder):
    path = converted(file, format, folder)
    again = read_annotated(path, "conll05" if format == "combined_bio" else format)
    return [sentence for sentence, _ in again.sentences]


def held(sentence, format):
    """The sentence without what the format cannot hold."""
    lemma_is_needed = format in ("props", "conll05", "combined_bio")
    frames = [
        Frame(
            frame.predicate,
            # Universal PropBank's names are read as PropBank's.
            [re.sub("A(?=[0-9M])", "ARG", tag) for tag in frame.tags]
            if format == "conllup"
            else frame.tags,
            # A hyphen would mean that the word is no predicate.
            {"-": "_"}.get(word := sentence.words[frame.predicate].lower(), word)
            if lemma_is_needed and frame.lemma == "-"
            else frame.lemma,
            frame.sense if can_hold(format, "senses") else "-",
        )
        for frame in sentence.frames or []
    ]
    return Sentence(
        sentence.words if can_hold(format, "words") else ["_"] * len(sentence.words),
        sentence.pos if can_hold(format, "parts of speech") else None,
        None if sentence.frames is None else frames,
        sentence.parse if can_hold(format, "trees") else None,
    )


@st.composite
def corpora(draw):
    """Sentences that all formats can hold, as far as they hold them at all."""
    items = draw(st.lists(sentences(with_parse=True), min_size=1, max_size=3))
    bare = draw(st.booleans())
    chosen = []
    for item in items:
        if any(tag in "-_" for tag in item.pos):
            item = replace(item, pos=None, words=[f"w{i}" for i in range(len(item.words))])
        frames = [
            replace(f, **({"lemma": "-", "sense": "-"} if bare else {"sense": f"{f.lemma}.01"}))
            for f in item.frames
        ]
        chosen.append(replace(item, frames=frames))
    return chosen


@pytest.mark.parametrize("format", SENTENCES)
@given(corpora())
def test_is_read_back(format, items):
    with tempfile.TemporaryDirectory() as folder:
        again = read_back(annotated(items), format, folder)
        assert again == [held(sentence, format) for sentence in items]
        # Nothing more gets lost the second time.
        if format not in ("props", "combined_bio"):
            assert read_back(annotated(again), format, folder) == again


def test_sentences_that_a_format_cannot_hold(tmp_path):
    bad = Sentence(["New York"], frames=[Frame(0, ["B-V"])], parse=Parse([0], ["root"]))
    marked = Sentence(["\ufeffGo"], frames=[Frame(0, ["B-V"])])
    for format, sentence, has_words, message in [
        ("csv", Sentence(["Hm"]), True, "2: found a sentence without roles"),
        ("json", bad, False, "1: found a sentence without words"),
        ("conll05", bad, True, "2: conll05 cannot hold this sentence: found 'New York'"),
        # At the start of a file, it would be read as a byte order mark.
        ("conll05", marked, True, "2: .*: found '.ufeffGo'"),
        # The lines with tokens begin with the document, and the marks of documents with #.
        ("gold_conll", replace(bad, extra={"document": "#"}), True, "2: .*the document '#'"),
    ]:
        with pytest.raises(ConfigurationError, match=f"^in.jsonl:{message}"):
            converted(annotated([SAMPLE[0], sentence], has_words=has_words), format, tmp_path)


def test_what_a_table_leaves_out():
    frame = Frame(0, ["B-V"], "go", "go.01", probability=0.5, span_probabilities=[1.0])
    keys = {"document": "d", "id": 1, "title": "t"}
    go = Sentence(["Go"], frames=[frame.explained], extra=keys)
    positions, lost = "the positions of tokens", ["glosses of roles", "probabilities of spans"]
    assert left_out(annotated([go]), "parquet") == [positions, *lost]
    bare = "1 sentence without a predicate"
    assert left_out(annotated([go, Sentence(["Hm"], frames=[])]), "csv") == [positions, bare, *lost]
    lost = ["the words outside the spans"]
    assert left_out(annotated([go]), "parquet", "spans") == lost


def test_what_only_json_holds():
    comments = {"comments": ["# a"]}
    sentence = Sentence(
        ["Go"],
        frames=[],
        supertags=["S"],
        predicate_probabilities=[0.1],
        offsets=[(0, 2)],
        morphology=Morphology(["VERB"], ["go"]),
        extra={"title": "t", "document": "d", "part": 1, "id": "d-1", "conllu": comments},
    )
    file = annotated([sentence], has_lemmas=False, has_senses=False)
    lost = ["character offsets", "supertags", "probabilities", "other keys"]
    assert (left_out(file, "json"), left_out(file, "conllu")) == ([], lost)
    lost = ["universal parts of speech", "lemmas of all words", *lost[:3], "ids of sentences"]
    lost += ["comments, features and multiword tokens", "other keys"]
    assert left_out(file, "gold_conll") == lost
    file = annotated([replace(sentence, extra={"conllu": 1})])
    assert left_out(file, "gold_conll")[-1] == "comments, features and multiword tokens"
    kept = {"conllu": {"columns": {"PPOS": ["VB"], "NER": ["_"]}}}
    assert left_out(annotated([replace(sentence, extra=kept)]), "conll09")[-1] == "the columns NER"
    file = annotated(SAMPLE, has_words=False)
    assert left_out(file, "props") == ["parts of speech", "trees", "senses"]
