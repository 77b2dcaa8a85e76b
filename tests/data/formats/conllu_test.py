import io

import conllu
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.data.formats.columns import read_lines
from lisa_allennlp.data.formats.conllu import (
    parse_conllu,
    parse_conllu_rows,
    write_conllu,
    write_conllu_rows,
)
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.sentence import Parse, Sentence
from tests import FIXTURES
from tests.data.corpora import CORPUS, needs_ewt
from tests.data.sentences import SAMPLE, parses, values

FOLDER = FIXTURES / "formats" / "conllu"


def read(path, **options):
    return [sentence for sentence, _ in parse_conllu(read_lines(path), path, **options)]


def parse(text):
    return [sentence for sentence, _ in parse_conllu(io.StringIO(text), "text")]


def written(sentences):
    file = io.StringIO()
    write_conllu(sentences, file)
    return file.getvalue()


def assert_agrees_with_the_conllu_library(path):
    for ours, theirs in zip(read(path), conllu.parse(path.read_text("utf-8")), strict=True):
        tokens = [token for token in theirs if isinstance(token["id"], int)]
        assert ours.words == [token["form"] for token in tokens]
        assert ours.pos == [token["xpos"] or token["upos"] for token in tokens]
        assert ours.parse.heads == [token["head"] for token in tokens]
        assert ours.parse.head_tags == [token["deprel"] for token in tokens]


class TestParseConllu:
    def test_leaves_out_multiword_tokens_and_empty_nodes(self):
        first, second = read(FOLDER / "sample.conllu")
        assert first == Sentence(
            words="Do n't : he ca n't , nor she .".split(),
            pos="VB RB : PRP MD RB , CC PRP .".split(),
            parse=Parse(
                [0, 0, 0, 4, 0, 4, 8, 8, 4, 0],
                "root advmod punct nsubj parataxis advmod punct cc conj punct".split(),
            ),
        )
        # A space within a word; a token without XPOS.
        assert second == Sentence(
            words=["100 000", "times"],
            pos=["NUM", "NNS"],
            parse=Parse([1, 1], ["nummod", "root"]),
        )

    def test_reads_universal_tags(self):
        _, second = read(FOLDER / "sample.conllu", use_language_specific_pos=False)
        assert second.pos == ["NUM", "NOUN"]

    def test_reads_conllx(self):
        # Two roots: a parser that picks each token's best head can give that.
        assert read(FOLDER / "sample.conll") == [
            Sentence(
                words=["He", "came", "-LRB-", "late"],
                pos=["PRP", "VBD", "-LRB-", "RB"],
                parse=Parse([1, 1, 2, 1], ["nsubj", "root", "punct", "advmod"]),
            )
        ]

    def test_cycles_are_left_alone(self):
        text = written([Sentence(["a", "b", "c"], parse=Parse([1, 0, 2], ["x", "y", "root"]))])
        assert parse(text)[0].parse.head_indices == [1, 0, 2]

    def test_a_sentence_without_tags_has_none(self):
        text = written([Sentence(["Hm"], parse=Parse([0], ["root"]))])
        assert parse(text)[0].pos is None

    def test_knows_the_lines_of_tokens(self):
        path = FOLDER / "sample.conllu"
        lines = path.read_text().splitlines()
        for sentence, numbers in parse_conllu(read_lines(path), path):
            assert [lines[number - 1].split("\t")[1] for number in numbers] == sentence.words

    @pytest.mark.parametrize(
        "path", [FOLDER / "sample.conllu", FIXTURES / "formats" / "conll05" / "sample.conllu"]
    )
    def test_agrees_with_the_conllu_library(self, path):
        assert_agrees_with_the_conllu_library(path)

    @pytest.mark.parametrize(
        "name, line, found, expected",
        [
            ("nine_columns.conllu", 2, "9 columns", "10 separated by tabs (id, form"),
            ("spaces_for_tabs.conllu", 1, "1 column", "10 separated by tabs"),
            ("head_no_number.conllu", 1, "head 'two'", "0 for a root, or the position"),
            ("head_negative.conllu", 1, "head '-1'", "0 for a root, or the position"),
            ("head_out_of_range.conllu", 3, "head '4'", "0 for a root, or the position of another"),
            ("own_head.conllu", 2, "'2', its own head", "0 for a root, or the position of another"),
            ("no_root.conllu", 3, "a sentence without a root", "at least one token with head 0"),
            ("not_parsed.conllu", 1, "no head ('_')", "a parsed sentence"),
            ("no_blank_line.conllu", 2, "token id '1'", "2, or a blank line before the next"),
            ("skipped_id.conllu", 2, "token id '3'", "2, or a blank line before the next"),
            ("only_empty_nodes.conllu", 1, "a sentence without words", "a token with id 1"),
            ("latin1.conllu", 1, "the byte 0xe9", "text encoded in UTF-8"),
            ("empty.conllu", None, "no sentences", "at least one sentence"),
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


@pytest.mark.parametrize("token_id", ["1", "1-2", "1.1"])
def test_tokens_without_a_form(token_id):
    with pytest.raises(CorpusFormatError, match="text:1: found a token without a form; expected"):
        parse(f"{token_id}\t\t_\t_\t_\t_\t0\troot\t_\t_\n")


def test_a_comment_within_a_sentence():
    # A damaged token, which would be lost as a comment.
    lines = ["# text = Go on", "1\tGo\t_\t_\t_\t_\t0\troot\t_\t_", "#\ton\t_\t_\t_\t_\t1\tdep"]
    with pytest.raises(CorpusFormatError) as error:
        list(parse_conllu(lines, "text"))
    assert (error.value.line, error.value.expected) == (
        3,
        "comments above the first token of a sentence only",
    )


tags = values.filter(lambda value: value != "_")
# Spaces belong to words here; a blank line would not be one of ten columns.
words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\r\n"), min_size=1)


@st.composite
def parsed_sentences(draw, words=words):
    length = draw(st.integers(1, 6))
    columns = [draw(st.lists(item, min_size=length, max_size=length)) for item in (words, tags)]
    return Sentence(columns[0], columns[1], parse=draw(parses(length)))


class TestParsesThatAreNotRequired:
    def test_sentences_without_tree(self):
        bare, parsed = Sentence(["Hm"], ["UH"]), Sentence(["Go"], parse=Parse([0], ["root"]))
        lines = io.StringIO(written([bare, parsed]))
        located = parse_conllu(lines, "text", requires_parses=False)
        assert [sentence for sentence, _ in located] == [bare, parsed]

    def test_half_a_tree_is_still_an_error(self):
        text = written([Sentence(["a", "b"], parse=Parse([0, 0], ["root", "x"]))])
        lines = io.StringIO(text.replace("\t1\tx", "\t_\tx"))
        with pytest.raises(CorpusFormatError, match=r"text:2: found no head \('_'\)"):
            list(parse_conllu(lines, "text", requires_parses=False))


class TestRows:
    def test_everything_but_multiword_tokens_and_empty_nodes_is_kept(self):
        path = FOLDER / "sample.conllu"
        first, second = parse_conllu_rows(read_lines(path), path)
        theirs = conllu.parse(path.read_text("utf-8"))
        for ours, their in zip((first, second), theirs, strict=True):
            assert [row[2] for row in ours.rows] == [
                token["lemma"] for token in their if isinstance(token["id"], int)
            ]
            for key, value in their.metadata.items():
                assert ours.comment(key) == value
        assert first.comment("no such key") is None
        assert [first.located.sentence, second.located.sentence] == read(path)

    def test_written_rows_are_read_back(self):
        path = FIXTURES / "formats" / "conll05" / "sample.conllu"
        file = io.StringIO()
        rows = list(parse_conllu_rows(read_lines(path), path))
        for sentence in rows:
            write_conllu_rows(sentence, file)
        file.seek(0)
        again = list(parse_conllu_rows(file, "again"))
        assert [(s.rows, s.comments) for s in again] == [(s.rows, s.comments) for s in rows]

    def test_errors_name_the_line(self):
        path = FOLDER / "broken" / "head_out_of_range.conllu"
        with pytest.raises(CorpusFormatError, match="head_out_of_range.conllu:"):
            list(parse_conllu_rows(read_lines(path), path))


class TestWriteConllu:
    @given(st.lists(parsed_sentences(), min_size=1, max_size=3))
    def test_is_read_back(self, sentences):
        assert parse(written(sentences)) == sentences

    def test_the_conllu_library_reads_it(self, tmp_path):
        path = tmp_path / "written.conllu"
        path.write_text(written(SAMPLE), "utf-8")
        assert_agrees_with_the_conllu_library(path)

    def test_what_is_not_annotated_is_an_underscore(self):
        assert written([Sentence(["Hm"])]) == "1\tHm\t_\t_\t_\t_\t_\t_\t_\t_\n\n"

    def test_a_tab_in_a_word_is_an_error(self):
        with pytest.raises(ValueError, match=r"found 'New\\tYork'"):
            written([Sentence(["New\tYork"])])


@needs_ewt
@pytest.mark.parametrize("part", ["train", "dev"])
def test_agrees_with_the_conllu_library_on_the_english_web_treebank(part):
    assert_agrees_with_the_conllu_library(CORPUS / f"ewt-{part}.conllu")
