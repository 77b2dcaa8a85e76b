import io

from lisa_allennlp.formats.conll05 import (
    official_form,
    write_combined_bio,
    write_props,
)
from tests import FIXTURES
from tests.sentence.sentences import SAMPLE

FOLDER = FIXTURES / "formats" / "conll05"


def written(write, sentences):
    file = io.StringIO()
    write(sentences, file)
    return file.getvalue()


def test_the_sample_is_written_as_it_stands():
    # Byte by byte: constituents are the one thing that is not kept.
    text = (FOLDER / "sample.combined.bio").read_text()
    assert written(write_combined_bio, SAMPLE) == text
    lines = (FOLDER / "sample.conll").read_text().splitlines()
    props = written(write_props, SAMPLE).splitlines()
    assert [line.split() for line in props] == [line.split()[5:] for line in lines]


def test_official_form():
    tokens = ["-LRB-", "-RCB-", ":--RRB-", "-LSB-", "1\\/2"]
    assert [official_form(token) for token in tokens] == ["(", "}", ":-)", "-LSB-", "1\\/2"]
