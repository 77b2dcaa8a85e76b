"""The examples of docs/formats.md and fixtures/said are what the package writes."""

import io
import json
import re

import pytest

from lisa_allennlp.formats import WRITABLE_FORMATS
from lisa_allennlp.formats.annotated_files import AnnotatedFile
from lisa_allennlp.formats.columns import LocatedSentence
from lisa_allennlp.formats.conversion import (
    BINARY_FORMATS,
    make_table,
    with_glosses,
    write_annotated,
)
from lisa_allennlp.sentence.sentence import Frame, Parse, Sentence
from lisa_allennlp.text.propbank_frames import packaged_inventory
from tests import ROOT

PAGE = (ROOT / "docs" / "formats.md").read_text()
SECTIONS = [section.partition("\n") for section in re.split(r"^## ", PAGE, flags=re.M)]
BLOCKS = {name: re.search(r"^```\w+\n(.*?)^```$", text, re.S | re.M) for name, _, text in SECTIONS}
FILES = {path.name.partition(".")[0]: path for path in (ROOT / "fixtures" / "said").iterdir()}
EXAMPLES = {name: block[1] for name, block in BLOCKS.items() if block}
EXAMPLES.update({name: path.read_text() for name, path in FILES.items()})
SENTENCE = Sentence(
    words="Prices , he said , fell .".split(),
    pos="NNS , PRP VBD , VBD .".split(),
    frames=[
        Frame(3, "B-ARG1 O B-ARG0 B-V O B-C-ARG1 O".split(), "say", "say.01"),
        Frame(5, "B-ARG1 O O O O B-V O".split(), "fall", "fall.01"),
    ],
    parse=Parse([5, 3, 3, 5, 3, 5, 5], "nsubj punct nsubj parataxis punct root punct".split()),
)


@pytest.mark.parametrize(
    "format", [f for f in WRITABLE_FORMATS if f not in (*BINARY_FORMATS, "cas")]
)
def test_examples_are_written(format):
    file = io.StringIO()
    located = [LocatedSentence(SENTENCE, [1] * 7)]
    annotated = AnnotatedFile("in", "json", located, True, True, True, ["in"])
    if format == "csv":
        annotated = with_glosses(annotated, packaged_inventory())
    write_annotated(annotated, format, file)
    if format == "json":
        assert json.loads(file.getvalue()) == json.loads(EXAMPLES[format])
    else:
        assert file.getvalue().rstrip("\n") == EXAMPLES[format].rstrip("\n")
    if format == "csv":
        spans = io.StringIO()
        write_annotated(annotated, format, spans, make_table(annotated, "spans"))
        assert spans.getvalue() == EXAMPLES["spans"]
