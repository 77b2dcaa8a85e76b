import io

import pytest

from lisa_allennlp.data.formats.bio import parse_bio, write_bio
from lisa_allennlp.data.formats.errors import CorpusFormatError, shortened
from lisa_allennlp.data.sentence import Frame, Sentence


def written(items):
    file = io.StringIO()
    write_bio(items, file)
    return file.getvalue()


def parse(text):
    return [sentence for sentence, _ in parse_bio(io.StringIO(text), "text")]


@pytest.mark.parametrize(
    "word, message", [("a|||b", r"a word with '\|\|\|'"), ("a b", "expected a value that is not")]
)
def test_what_the_format_cannot_hold(word, message):
    with pytest.raises(ValueError, match=message):
        written([Sentence([word], frames=[Frame(0, ["B-V"])])])


@pytest.mark.parametrize(
    "line, found",
    [
        ("1 She sang", "'1 She sang'"),
        ("2 She sang ||| B-A0 B-V", "the predicate 2"),
        ("9" * 5000 + " She ||| O", shortened(f"the predicate '{'9' * 5000}'")),
        ("1 She sang\r0 Go ||| B-V", "a carriage return after character 10 of the line"),
        ("1 She sang ||| B-V", "1 labels for the predicate 1"),
        ("1 She sang ||| A0 B-V", "'A0' at token 0 of the predicate 1"),
    ],
)
def test_errors_name_the_line(line, found):
    with pytest.raises(CorpusFormatError) as error:
        parse(f"0 Go ||| B-V\n{line}\n")
    assert (error.value.line, error.value.found) == (2, found)
