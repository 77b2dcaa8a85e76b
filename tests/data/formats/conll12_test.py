import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.data.formats.columns import read_lines
from lisa_allennlp.data.formats.conll12 import parse_conll12, write_conll12
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.sentence import Frame, Sentence
from tests import FIXTURES
from tests.data.corpora import CORPUS, needs_ewt
from tests.data.sentences import SAMPLE, in_conll12, sentences, without_parse

FOLDER = FIXTURES / "formats" / "conll12"


def read(path):
    return [sentence for sentence, _ in parse_conll12(read_lines(path), path)]


def parse(text):
    return [sentence for sentence, _ in parse_conll12(io.StringIO(text), "text")]


def written(sentences, **options):
    file = io.StringIO()
    write_conll12(sentences, file, **options)
    return file.getvalue()


class TestParseConll12:
    def test_reads_the_sample(self):
        # "clerk" has a lemma but no frameset, which makes it no predicate.
        expected = [in_conll12(without_parse(sentence)) for sentence in SAMPLE]
        assert read(FOLDER / "sample.gold_conll") == expected

    def test_knows_the_lines_of_tokens(self):
        path = FOLDER / "sample.gold_conll"
        lines = path.read_text().splitlines()
        for sentence, numbers in parse_conll12(read_lines(path), path):
            assert [lines[number - 1].split()[3] for number in numbers] == sentence.words

    def test_agrees_with_the_reader_of_allennlp_models(self):
        ontonotes = pytest.importorskip("allennlp_models.common.ontonotes").Ontonotes()
        path = FOLDER / "sample.gold_conll"
        for ours, theirs in zip(read(path), ontonotes.sentence_iterator(path), strict=True):
            assert (ours.words, ours.pos) == (theirs.words, theirs.pos_tags)
            assert [frame.tags for frame in ours.frames] == [
                roles for _, roles in theirs.srl_frames
            ]
            assert [ours.words[f.predicate] for f in ours.frames] == [
                v for v, _ in theirs.srl_frames
            ]
            framesets = [f for f in theirs.predicate_framenet_ids if f not in (None, "-")]
            # The frameset XX is PropBank's "unknown".
            assert [frame.sense for frame in ours.frames] == [
                "-" if frameset == "XX" else f"{frame.lemma}.{frameset}"
                for frame, frameset in zip(ours.frames, framesets, strict=True)
            ]

    @pytest.mark.parametrize(
        "name, line, found, expected",
        [
            ("too_few_columns.gold_conll", 2, "11 columns", "at least 12 (document, part, token"),
            ("ragged.gold_conll", 3, "12 columns", "13, as in line 2"),
            (
                "predicate_without_column.gold_conll",
                2,
                "0 role columns",
                "1, one per predicate of the sentence (in line 3)",
            ),
            ("unbalanced.gold_conll", 3, "'(V*))' in column 12", "one of '*', '(ROLE*'"),
            ("swapped_columns.gold_conll", 3, "the V of column 12", "it in line 2"),
            ("outside_document.gold_conll", 1, "a line outside any", "'#begin document (...)'"),
            (
                "begin_inside_document.gold_conll",
                4,
                "'#begin document (d); part 000'",
                "'#end document' for the document that begins in line 1",
            ),
            ("end_without_begin.gold_conll", 5, "'#end document'", "'#begin document (...)'"),
            (
                "document_without_end.gold_conll",
                2,
                "the end of the file inside the document that begins in line 1",
                "'#end document'",
            ),
            ("unknown_marker.gold_conll", 2, "'# a comment'", "'#end document' for the document"),
            ("no_sentences.gold_conll", None, "no sentences", "at least one sentence"),
            ("latin1.gold_conll", 2, "the byte 0xe9", "text encoded in UTF-8"),
        ],
    )
    def test_errors_name_the_line(self, name, line, found, expected):
        path = FOLDER / "broken" / name
        with pytest.raises(CorpusFormatError) as error:
            read(path)
        assert error.value.line == line
        assert error.value.found.startswith(found)
        assert error.value.expected.startswith(expected)
        assert str(path) in str(error.value)


class TestWriteConll12:
    @given(st.lists(sentences(with_parse=False), min_size=1, max_size=3))
    def test_is_read_back(self, sentences):
        assert parse(written(sentences)) == sentences

    def test_marks_the_document(self):
        sentence = Sentence(["Run"], frames=[Frame(0, ["B-V"])])
        # An unknown frameset must not be a hyphen, which marks words that are no predicates.
        assert written([sentence], document="nw/0001", part=2) == (
            "#begin document (nw/0001); part 002\n"
            "nw/0001 2 0 Run - * - XX - - * (V*) -\n\n"
            "#end document\n"
        )

    def test_a_blank_in_a_word_is_an_error(self):
        with pytest.raises(ValueError, match="found 'New York'"):
            written([Sentence(["New York"], frames=[])])


@needs_ewt
@pytest.mark.parametrize(
    "part, num_sentences, num_tokens, num_predicates",
    [("train", 12504, 203849, 40331), ("dev", 1937, 24612, 4906)],
)
def test_reads_the_english_web_treebank(part, num_sentences, num_tokens, num_predicates):
    corpus = read(CORPUS / f"ewt-{part}.gold_conll")
    assert len(corpus) == num_sentences
    assert sum(len(sentence.words) for sentence in corpus) == num_tokens
    assert sum(len(sentence.frames) for sentence in corpus) == num_predicates
    if part == "train":
        labels = {role for s in corpus for frame in s.frames for role in frame.tags}
        assert len(labels) == 107
    assert parse(written(corpus)) == corpus
