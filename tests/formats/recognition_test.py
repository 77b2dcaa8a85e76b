"""Files are what their first lines are, and tables that no reader knows are no prose."""

import io

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats import WRITABLE_FORMATS
from lisa_allennlp.formats.annotated_files import AnnotatedFile
from lisa_allennlp.formats.columns import LocatedSentence
from lisa_allennlp.formats.conversion import STANDOFF_FORMATS, TABLE_FORMATS, write_annotated
from lisa_allennlp.formats.recognition import recognised
from tests import ROOT
from tests.sentence.sentences import SAMPLE

READ_AS = {"conllup": "conllu", "combined_bio": "conll05"}


@pytest.mark.parametrize(
    "format", sorted({*WRITABLE_FORMATS} - {*TABLE_FORMATS, *STANDOFF_FORMATS})
)
def test_what_is_written_is_recognised(format):
    file = io.StringIO()
    located = [LocatedSentence(sentence, [1] * len(sentence.words)) for sentence in SAMPLE]
    write_annotated(
        AnnotatedFile("in", "json", located, True, True, True, ["in"] * 3), format, file
    )
    lines = file.getvalue().splitlines()
    assert recognised("a", lines) == READ_AS.get(format, format)
    assert recognised("a", lines, "conll05", prose=False) == READ_AS.get(format, format)


@pytest.mark.parametrize(
    "text, noun",
    [
        # CoNLL-2009 has tabs.
        (
            "1 She she she PRP PRP _ _ 2 2 SBJ SBJ _ _ A0\n2 left l l V V _ _ 0 0 R R Y l.1 _",
            "table",
        ),
        ("-DOCSTART- -X- O O\n\nEU NNP B-NP B-ORG\nleft VBD B-VP O", "table"),
        ("She PRP\nleft VBD\n. .", "table"),
        ("She\tpro\tshe\nleft\tverb\tleave", "table"),
        ("1 Ann left early\n2 Bo left late\n3 Al left first", "table"),
        ("She\nleft\n\nHe\nstayed", "word"),
        ('[{"sentence": "She left."}]', "list"),
        ('{\n  "sentence": "She left."\n}', "lines"),
    ],
)
def test_tables_are_refused(text, noun):
    with pytest.raises(ConfigurationError, match=f"a: found .*{noun}"):
        recognised("a", text.splitlines(), "text")


@pytest.mark.parametrize(
    "text",
    [
        "She left. He stayed.",
        "Roses are red\nViolets are blue\nSugar is sweet",
        "Yes\nNo",
        "1. She left early today\n2. He stayed here instead",
        "{a set}\n[1] See there.",
    ],
)
def test_prose_is_prose(text):
    assert recognised("a", text.splitlines(), "text") == "text"


def test_the_pages_are_prose():
    for page in ROOT.glob("docs/**/*.md"):
        assert recognised(page.name, page.read_text().splitlines(), "text") == "text", page
