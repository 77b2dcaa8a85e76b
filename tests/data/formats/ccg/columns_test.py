import io

import pytest
from hypothesis import given

from lisa_allennlp.data.formats.ccg.columns import parse_columns, write_columns
from lisa_allennlp.data.formats.columns import read_lines
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.sentence import Sentence
from tests import FIXTURES
from tests.data.formats.ccg.pipes_test import supertagged_sentences

FOLDER = FIXTURES / "ccg"


def read(path):
    return list(parse_columns(read_lines(path), path))


def test_sample():
    assert read(FOLDER / "sample.tsv") == [
        Sentence(
            ["The", "board", "approved", "10 000"],
            "DT NN VBD CD".split(),
            supertags=r"NP[nb]/N N (S[dcl]\NP)/NP NP".split(),
        ),
        Sentence(["#", "fell"], None, supertags=["N", r"S[dcl]\NP"]),
    ]


@pytest.mark.medium
@given(supertagged_sentences())
def test_round_trip(sentence):
    file = io.StringIO(newline="\n")
    write_columns([sentence, sentence], file)
    lines = file.getvalue().split("\n")
    assert list(parse_columns(lines, "text")) == [sentence, sentence]


@pytest.mark.parametrize(
    "name, line, message",
    [
        ("three_columns", 2, "found '2 board N', 3 columns; expected 4 separated by tabs"),
        ("skipped_number", 2, "found token number '3'; expected 2, or a blank line"),
        ("spaces_for_tabs", 1, "1 column; expected 4 separated by tabs"),
        ("bad_category", 1, "found ')' at character 3 of the category 'NP)'"),
    ],
)
def test_broken_files(name, line, message):
    path = FOLDER / "broken" / f"{name}.tsv"
    with pytest.raises(CorpusFormatError) as caught:
        read(path)
    assert caught.value.line == line and message in str(caught.value)


def test_a_comment_within_a_sentence():
    with pytest.raises(CorpusFormatError, match="x.tsv:2: found the comment '# two' within a sent"):
        list(parse_columns(["1\tShe\t_\tNP\n", "# two\n"], "x.tsv"))
