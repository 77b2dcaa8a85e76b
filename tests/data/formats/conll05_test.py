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
from lisa_allennlp.data.sentence import Frame, Sentence
from tests import FIXTURES
from tests.data.sentences import SAMPLE, without_parse

FOLDER = FIXTURES / "formats" / "conll05"
# allennlp_models itself is slow to import.
SCORER = (
    Path(allennlp.__file__).parents[1] / "allennlp_models/structured_prediction/tools/srl-eval.pl"
)


def written(write, sentences):
    file = io.StringIO()
    write(sentences, file)
    return file.getvalue()


class TestParseConll05:
    @pytest.mark.parametrize("name", ["sample.conll", "sample.combined.bio"])
    def test_sentences_and_their_lines(self, name):
        path = FOLDER / name
        located = list(parse_conll05(read_lines(path), path))
        has_trees = name.endswith(".bio")
        assert [s for s, _ in located] == (
            SAMPLE if has_trees else list(map(without_parse, SAMPLE))
        )
        lines = path.read_text().splitlines()
        for sentence, numbers in located:
            words = [lines[number - 1].split()[3 * has_trees] for number in numbers]
            assert words == sentence.words

    def test_automatic_tags_of_combined_bio(self):
        path = FOLDER / "sample.combined.bio"
        lines = [line.replace("\tVBD\tVBD\t", "\tVBD\tVBN\t") for line in read_lines(path)]
        for (read, _), gold in zip(parse_conll05(lines, path, True), SAMPLE, strict=True):
            pos = ["VBN" if tag == "VBD" else tag for tag in gold.pos]
            assert read == dataclasses.replace(gold, pos=pos)
        path = FOLDER / "sample.conll"
        with pytest.raises(CorpusFormatError, match="conll:1: found a line in the official .*bio"):
            next(parse_conll05(read_lines(path), path, use_predicted_pos=True))


class TestWriting:
    def test_writes_the_sample_as_it_stands(self):
        # Byte by byte: constituents are the one thing that is not kept.
        text = (FOLDER / "sample.combined.bio").read_text()
        assert written(write_combined_bio, SAMPLE) == text
        lines = (FOLDER / "sample.conll").read_text().splitlines()
        props = written(write_props, SAMPLE).splitlines()
        assert [line.split() for line in props] == [line.split()[5:] for line in lines]

    def test_unknown_values(self):
        assert written(write_conll05, [Sentence(["Hm"], frames=[])]) == "Hm - * * - -\n\n"
        # A predicate without a lemma stays a predicate.
        frames = [Frame(0, ["B-V", "O", "O"]), Frame(1, ["O", "B-V", "O"])]
        assert written(write_props, [Sentence(["ran", "-", "up"], frames=frames)]) == (
            "ran (V*) *\n_   *    (V*)\n-   *    *\n\n"
        )

    @pytest.mark.parametrize(
        "write, sentence, message",
        [
            (write_conll05, Sentence(["New York"], frames=[]), "found 'New York'"),
            (write_conll05, Sentence([], frames=[]), "a sentence without words"),
        ],
    )
    def test_what_columns_cannot_hold(self, write, sentence, message):
        with pytest.raises(ValueError, match=message):
            written(write, [sentence])


@pytest.mark.parametrize(
    "token, expected",
    [("-LRB-", "("), ("-RCB-", "}"), (":--RRB-", ":-)"), ("-LSB-", "-LSB-"), ("1\\/2", "1\\/2")],
)
def test_official_form(token, expected):
    assert official_form(token) == expected


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
