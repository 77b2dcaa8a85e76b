import io

import pytest

from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.formats.columns import read_lines
from lisa_allennlp.formats.conll12 import parse_conll12, write_conll12
from tests import FIXTURES
from tests.sentence.sentences import SAMPLE, in_conll12, without_parse

PATH = FIXTURES / "formats" / "conll12" / "sample.gold_conll"


def read(lines):
    return [sentence for sentence, _ in parse_conll12(lines, PATH)]


def test_agrees_with_the_reader_of_allennlp_models():
    ontonotes = pytest.importorskip("allennlp_models.common.ontonotes").Ontonotes()
    pairs = zip(read(read_lines(PATH)), ontonotes.sentence_iterator(PATH), strict=True)
    for ours, theirs in pairs:
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
    sentences = read(read_lines(PATH))
    # "clerk" has a lemma but no frameset, which makes it no predicate.
    assert sentences == [in_conll12(without_parse(sentence)) for sentence in SAMPLE]
    file = io.StringIO()
    write_conll12(sentences, file)
    again = file.getvalue().splitlines()
    assert read(again) == sentences
    begins = [line for line in PATH.read_text().splitlines() if line.startswith("#begin")]
    assert [line for line in again if line.startswith("#begin")] == begins


def test_marks_and_the_last_column_may_be_missing():
    sentences = read(read_lines(PATH))
    lines = [line for line in read_lines(PATH) if not line.startswith("#")]
    assert read(lines) == sentences
    assert read(line.rstrip().rpartition(" ")[0].rstrip() for line in lines) == sentences


def test_coreference_without_roles():
    rows = [["b", "0", str(n), word, *"_" * 8] for n, word in enumerate(["Ann", "left"])]
    lines = ["\t".join([*rows[0], "(0)"]), "\t".join([*rows[1], ""])]
    (sentence,) = read(["#begin document (b); part 0", *lines, "#end document"])
    assert (sentence.words, sentence.frames) == (["Ann", "left"], None)


def test_the_columns_of_propbanks_release(tmp_path):
    """Eight columns before the roles, and no marks of documents."""
    lines = []
    for line in PATH.read_text().splitlines():
        row = [] if line.startswith("#") else line.split()
        is_predicate = len(row) > 7 and row[7] != "-"
        roleset = [row[6], f"{row[6]}.{row[7]}"] if is_predicate else ["-", "-"] * bool(row)
        lines.append("  ".join([*row[:6], *roleset, *row[11:-1]]))
    path = tmp_path / "release.txt"
    path.write_text("\n".join(lines))
    annotated, expected = read_annotated(path), read(read_lines(PATH))
    assert annotated.format == "gold_conll"
    for ours, theirs in zip(annotated.bare_sentences, expected, strict=True):
        assert (ours.words, ours.pos) == (theirs.words, theirs.pos)
        found = [(f.predicate, f.lemma, f.tags) for f in ours.frames]
        assert found == [(f.predicate, f.lemma, f.tags) for f in theirs.frames]
        assert ours.extra["document"] == theirs.extra["document"]


def test_a_predicate_of_several_words_counts_once_in_propbanks_release():
    rows = [
        f"a 0 {token} {word} NN * x-ray x-ray.01 {role} {role}"
        for token, word, role in [(1, "x", "(V*)"), (2, "rays", "(C-V*)")]
    ]
    (sentence,) = read(["a 0 0 We PRP * - - (ARG0*) (ARG0*)", *rows])
    assert [(f.predicate, f.tags) for f in sentence.frames] == [(1, ["B-ARG0", "B-V", "B-C-V"])]
    with pytest.raises(CorpusFormatError, match=":1: found .WORD."):
        read(["a 0 0 [WORD] PRP * - -"])
