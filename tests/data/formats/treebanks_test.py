"""One reader of trees for all formats."""

import io
from typing import Any, List

import pytest
from hypothesis import given

from lisa_allennlp.data.formats.columns import read_lines
from lisa_allennlp.data.formats.conll05 import parse_conll05, write_combined_bio
from lisa_allennlp.data.formats.conllu import parse_conllu, write_conllu
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.treebanks import parse_conll09, parse_treebank
from lisa_allennlp.data.sentence import Parse, Sentence
from tests import FIXTURES
from tests.data.formats.conllu_test import parsed_sentences

FOLDER = FIXTURES / "formats"


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
        assert read(FOLDER / "conll09" / "sample.conll09") == [FIRST, SECOND]

    def test_reads_predicted_tags_and_gold_trees(self):
        first, second = read(FOLDER / "conll09" / "sample.conll09", use_predicted_pos=True)
        assert first.pos == "DT NN RB VBN CD VBZ TO VB #".split()
        assert second.pos == ["LS", "."]
        assert (first.parse, second.parse) == (FIRST.parse, SECOND.parse)

    def test_gold_tags_and_trees_may_be_missing(self):
        line = "\t".join("1 Go _ go _ VB _ _ _ _ _ _ _ _".split())
        [(sentence, _)] = parse_conll09([line], "text", requires_parses=False)
        assert sentence == Sentence(["Go"])


@pytest.mark.parametrize(
    "name, parse",
    [
        ("conllu/sample.conllu", parse_conllu),
        ("conllu/sample.conll", parse_conllu),
        ("conll09/sample.conll09", parse_conll09),
        ("conll05/sample.combined.bio", parse_conll05),
    ],
)
def test_each_format_is_recognised(name: str, parse: Any) -> None:
    path = FOLDER / name
    expected = list(parse(read_lines(path), path))
    assert list(parse_treebank(read_lines(path), path)) == expected
    assert expected[0].sentence.parse is not None


def test_other_formats_have_no_predicted_tags() -> None:
    path = FOLDER / "conllu/sample.conllu"
    with pytest.raises(CorpusFormatError, match="found no predicted parts of speech; expected the"):
        list(parse_treebank(read_lines(path), path, use_predicted_pos=True))


@given(parsed_sentences())
def test_words_do_not_change_the_format(sentence: Sentence) -> None:
    file = io.StringIO(newline="")
    write_conllu([sentence], file)
    lines = ["# a comment", "", *file.getvalue().split("\n")]
    assert [read for read, _ in parse_treebank(lines, "text")] == [sentence]
    lines = list(rows(sentence, "?", predicates=1))
    assert [read for read, _ in parse_treebank(lines, "text")] == [sentence]


def test_options_reach_each_format() -> None:
    def tags(lines: List[str], **options: bool) -> Any:
        return next(parse_treebank(lines, "text", **options)).sentence.pos

    file = io.StringIO()
    write_combined_bio([Sentence(["Go"], ["VB"], [], Parse([0], ["root"]))], file)
    combined = [file.getvalue().replace("VB\tVB", "VB\tNN")]
    assert tags(combined) == ["VB"]
    assert tags(combined, use_predicted_pos=True) == ["NN"]
    conll09 = ["\t".join("1 Go _ _ VB NN _ _ _ _ _ _ _ _".split())]
    assert tags(conll09, requires_parses=False) == ["VB"]
    assert tags(conll09, requires_parses=False, use_predicted_pos=True) == ["NN"]
    conllu = ["\t".join("1 Go _ VERB VB _ _ _ _ _".split())]
    assert tags(conllu, requires_parses=False) == ["VB"]
    assert tags(conllu, requires_parses=False, use_language_specific_pos=False) == ["VERB"]
