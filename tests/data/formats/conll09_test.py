import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.data.formats.columns import read_lines
from lisa_allennlp.data.formats.conll09 import parse_conll09
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.sentence import Parse, Sentence
from tests import FIXTURES
from tests.data.formats.conllu_test import parsed_sentences

FOLDER = FIXTURES / "formats" / "conll09"

FIRST = Sentence(
    words="The clerk quickly cut 5 costs to please #".split(),
    pos="DT NN RB VBD CD NNS TO VB #".split(),
    parse=Parse([1, 3, 3, 3, 5, 3, 3, 6, 7], "NMOD SBJ MNR ROOT NMOD OBJ PRP IM OBJ".split()),
)
SECOND = Sentence(["2", "."], ["CD", "."], parse=Parse([0, 0], ["ROOT", "P"]))


def read(path, **options):
    return [sentence for sentence, _ in parse_conll09(read_lines(path), path, **options)]


def rows(sentence, predicted_pos, predicates):
    """The lines of a sentence; all that is not read is `?`."""
    columns = zip(
        sentence.words, sentence.pos, sentence.parse.heads, sentence.parse.head_tags, strict=True
    )
    for number, (word, tag, head, label) in enumerate(columns, start=1):
        line = [number, word, "?", "?", tag, predicted_pos, "?", "?", head, "?", label, "?"]
        yield "\t".join(map(str, [*line, "?", "?", *["?"] * predicates]))
    yield ""


class TestParseConll09:
    def test_reads_gold_columns(self):
        assert read(FOLDER / "sample.conll09") == [FIRST, SECOND]

    def test_reads_predicted_tags_and_gold_trees(self):
        first, second = read(FOLDER / "sample.conll09", use_predicted_pos=True)
        assert first.pos == "DT NN RB VBN CD VBZ TO VB #".split()
        assert second.pos == ["LS", "."]
        assert (first.parse, second.parse) == (FIRST.parse, SECOND.parse)

    @given(st.lists(parsed_sentences(), min_size=1), st.integers(0, 3))
    def test_any_sentence(self, sentences, predicates):
        lines = [line for sentence in sentences for line in rows(sentence, "?", predicates)]
        assert [sentence for sentence, _ in parse_conll09(lines, "text")] == sentences

    def test_knows_the_lines_of_tokens(self):
        path = FOLDER / "sample.conll09"
        located = list(parse_conll09(read_lines(path), path))
        assert [numbers for _, numbers in located] == [list(range(1, 10)), [11, 12]]

    def test_gold_tags_and_trees_may_be_missing(self):
        line = "\t".join("1 Go _ go _ VB _ _ _ _ _ _ _ _".split())
        [(sentence, _)] = parse_conll09([line], "text", requires_parses=False)
        assert sentence == Sentence(["Go"])
        [(sentence, _)] = parse_conll09([line], "text", True, requires_parses=False)
        assert sentence == Sentence(["Go"], ["VB"])

    def test_tokens_without_a_form(self):
        line = "1\t\tgo\tgo\tVB\tVB\t_\t_\t0\t0\tROOT\tROOT\t_\t_"
        with pytest.raises(CorpusFormatError, match="text:1: found a token without a form"):
            list(parse_conll09([line], "text"))

    @pytest.mark.parametrize(
        "name, line, found, expected",
        [
            ("twelve_columns", 2, "12 columns", "at least 14 separated by tabs (ID, FORM"),
            ("ragged", 5, "15 columns", "16, as in line 4, the first of the sentence"),
            ("head_out_of_range", 2, "head '3'", "0 for a root, or the position"),
            ("no_head", 2, "no head ('_')", "a parsed sentence"),
            ("no_root", 1, "a sentence without a root", "at least one token with head 0"),
            ("skipped_id", 2, "token id '3'", "2, or a blank line before the next"),
            ("no_blank_line", 3, "token id '1'", "3, or a blank line before the next"),
            ("no_ppos", 2, "no PPOS ('_')", "a predicted part of speech"),
            ("latin1", 1, "the byte 0xe9", "text encoded in UTF-8"),
            ("empty", None, "no sentences", "at least one sentence"),
        ],
    )
    def test_errors_name_the_line(self, name, line, found, expected):
        path = FOLDER / "broken" / f"{name}.conll09"
        with pytest.raises(CorpusFormatError) as error:
            read(path, use_predicted_pos=True)
        assert error.value.line == line
        assert error.value.found.startswith(found)
        assert error.value.expected.startswith(expected)
        assert str(path) in str(error.value)
