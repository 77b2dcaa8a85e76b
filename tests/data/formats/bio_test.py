import io

import pytest

from lisa_allennlp.data.formats.bio import parse_bio, write_bio
from lisa_allennlp.data.formats.errors import CorpusFormatError, shortened
from lisa_allennlp.data.sentence import Frame, Sentence


def test_a_word_with_the_separator():
    with pytest.raises(ValueError, match=r"a word with '\|\|\|'"):
        write_bio([Sentence(["a|||b"], frames=[Frame(0, ["B-V"])])], io.StringIO())


@pytest.mark.parametrize(
    "line, found",
    [
        ("1 She sang", "'1 She sang'"),
        ("2 She sang ||| B-A0 B-V", "the predicate 2"),
        ("9" * 5000 + " She ||| O", shortened(f"the predicate '{'9' * 5000}'")),
        ("1 She sang ||| B-V", "1 labels for the predicate 1"),
    ],
)
def test_errors_name_the_line(line, found):
    with pytest.raises(CorpusFormatError) as error:
        list(parse_bio(["0 Go ||| B-V\n", line], "text"))
    assert (error.value.line, error.value.found) == (2, found)
