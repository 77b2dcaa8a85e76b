import io

import pytest

from lisa_allennlp.data.formats.columns import read_lines
from lisa_allennlp.data.formats.conll12 import parse_conll12, write_conll12
from lisa_allennlp.data.sentence import Frame, Sentence
from tests import FIXTURES
from tests.data.sentences import SAMPLE, in_conll12, without_parse

PATH = FIXTURES / "formats" / "conll12" / "sample.gold_conll"


def test_sentences_and_their_lines():
    located = list(parse_conll12(read_lines(PATH), PATH))
    # "clerk" has a lemma but no frameset, which makes it no predicate.
    assert [s for s, _ in located] == [in_conll12(without_parse(s)) for s in SAMPLE]
    lines = PATH.read_text().splitlines()
    for sentence, numbers in located:
        assert [lines[number - 1].split()[3] for number in numbers] == sentence.words


def test_agrees_with_the_reader_of_allennlp_models():
    ontonotes = pytest.importorskip("allennlp_models.common.ontonotes").Ontonotes()
    ours_of_file = (sentence for sentence, _ in parse_conll12(read_lines(PATH), PATH))
    for ours, theirs in zip(ours_of_file, ontonotes.sentence_iterator(PATH), strict=True):
        assert (ours.words, ours.pos) == (theirs.words, theirs.pos_tags)
        frames = [(ours.words[frame.predicate], frame.tags) for frame in ours.frames]
        assert frames == theirs.srl_frames
        framesets = [f for f in theirs.predicate_framenet_ids if f not in (None, "-")]
        # The frameset XX is PropBank's "unknown".
        assert [frame.sense for frame in ours.frames] == [
            "-" if frameset == "XX" else f"{frame.lemma}.{frameset}"
            for frame, frameset in zip(ours.frames, framesets, strict=True)
        ]


def test_documents_are_written_again():
    sentences = [sentence for sentence, _ in parse_conll12(read_lines(PATH), PATH)]
    file = io.StringIO()
    write_conll12(sentences, file)
    again = parse_conll12(file.getvalue().splitlines(), "again")
    assert [sentence for sentence, _ in again] == sentences
    begins = [line for line in file.getvalue().splitlines() if line.startswith("#begin")]
    assert begins == [line for line in PATH.read_text().splitlines() if line.startswith("#begin")]


def test_documents_and_unknown_framesets():
    sentence = Sentence(["Run"], frames=[Frame(0, ["B-V"])])
    file = io.StringIO()
    write_conll12([sentence], file, document="nw/0001", part=2)
    # An unknown frameset must not be a hyphen, which marks words that are no predicates.
    assert file.getvalue() == (
        "#begin document (nw/0001); part 002\n"
        "nw/0001 2 0 Run - * - XX - - * (V*) -\n\n"
        "#end document\n"
    )
