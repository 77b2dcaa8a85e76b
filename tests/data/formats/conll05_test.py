import dataclasses
import io
import shutil
import subprocess
from pathlib import Path

import allennlp
import pytest

from lisa_allennlp.data.formats.columns import read_lines
from lisa_allennlp.data.formats.conll05 import (
    official_form,
    parse_conll05,
    write_combined_bio,
    write_conll05,
    write_props,
)
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.sentence import Sentence
from tests import FIXTURES
from tests.data.sentences import SAMPLE

FOLDER = FIXTURES / "formats" / "conll05"
# allennlp_models itself is slow to import.
SCORER = (
    Path(allennlp.__file__).parents[1] / "allennlp_models/structured_prediction/tools/srl-eval.pl"
)


def written(write, sentences):
    file = io.StringIO()
    write(sentences, file)
    return file.getvalue()


def test_the_official_columns_have_no_predicted_tags():
    path = FOLDER / "sample.conll"
    with pytest.raises(CorpusFormatError, match="conll:1: found a line in the official .*bio"):
        next(parse_conll05(read_lines(path), path, use_predicted_pos=True))


def test_the_sample_is_written_as_it_stands():
    # Byte by byte: constituents are the one thing that is not kept.
    text = (FOLDER / "sample.combined.bio").read_text()
    assert written(write_combined_bio, SAMPLE) == text
    lines = (FOLDER / "sample.conll").read_text().splitlines()
    props = written(write_props, SAMPLE).splitlines()
    assert [line.split() for line in props] == [line.split()[5:] for line in lines]


def test_a_sentence_without_words():
    with pytest.raises(ValueError, match="a sentence without words"):
        written(write_conll05, [Sentence([], frames=[])])


def test_official_form():
    tokens = ["-LRB-", "-RCB-", ":--RRB-", "-LSB-", "1\\/2"]
    assert [official_form(token) for token in tokens] == ["(", "}", ":-)", "-LSB-", "1\\/2"]


@pytest.mark.skipif(shutil.which("perl") is None, reason="srl-eval.pl needs perl")
def test_the_official_scorer_reads_props(tmp_path):
    *others, last = SAMPLE
    verb_only = dataclasses.replace(last.frames[1], tags=["O"] * 5 + ["B-V", "O"])
    predicted = [*others, dataclasses.replace(last, frames=[last.frames[0], verb_only])]
    # A0, R-A0, A1; A0, AM-TMP; A1 with its C-A1, A0; A1.
    for corpus, expected in ((SAMPLE, ["8", "0", "0"]), (predicted, ["7", "0", "1"])):
        paths = [tmp_path / "gold.props", tmp_path / "predicted.props"]
        for path, sentences in zip(paths, [SAMPLE, corpus], strict=True):
            path.write_text(written(write_props, sentences))
        command = ["perl", str(SCORER), *map(str, paths)]
        output = subprocess.run(command, capture_output=True, text=True, check=True)
        assert not output.stderr
        overall = next(line for line in output.stdout.splitlines() if "Overall" in line).split()
        assert overall[1:4] == expected
