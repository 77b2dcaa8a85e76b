"""Files of all formats read as the same sentences, and bad ones end in an error with its line."""

import shutil
from pathlib import Path

import pytest

from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats.annotated_files import (
    check_same_sentences,
    read_annotated,
    read_constituent_bits,
)
from lisa_allennlp.formats.constituents import bracketed_tree
from tests import FIXTURES
from tests.sentence.sentences import SAMPLE, in_conll12, without_parse

CONLL05 = FIXTURES / "formats" / "conll05"
CONLL12 = FIXTURES / "formats" / "conll12"
PROPS = "-     (A0*\n-     *)\n-     (R-A0*)\ncut   (V*)\n-     *\n\n-\n"


def write(folder, name, text):
    path = folder / name
    path.write_text(text, "utf-8")
    return path


class TestReadAnnotated:
    @pytest.mark.parametrize(
        "path, format, expected",
        [
            (CONLL05 / "sample.conll", "conll05", SAMPLE),
            (CONLL05 / "sample.combined.bio", "conll05", SAMPLE),
            (CONLL12 / "sample.gold_conll", "gold_conll", list(map(in_conll12, SAMPLE))),
        ],
    )
    def test_roles_and_trees(self, path, format, expected):
        annotated = read_annotated(path, parses=True)
        assert (annotated.format, annotated.has_words) == (format, True)
        assert (annotated.has_lemmas, annotated.has_senses) == (True, True)
        assert annotated.bare_sentences == expected
        if path.suffix != ".bio":
            bare = read_annotated(path).bare_sentences
            assert bare == list(map(without_parse, expected))

    def test_a_folder(self, tmp_path):
        for name in ("b.gold_conll", "a.v4_gold_conll"):
            shutil.copy(CONLL12 / "sample.gold_conll", tmp_path / name)
        annotated = read_annotated(tmp_path)
        names = [Path(file).name for file in annotated.files]
        assert names == ["a.v4_gold_conll"] * 3 + ["b.gold_conll"] * 3
        assert annotated.place(3, token=1) == f"{tmp_path / 'b.gold_conll'}:3"

    def test_treebanks_with_and_without_roles(self, tmp_path):
        token = "1\tGo" + 7 * "\t_"
        bare, marked = f"{token}\t_\n\n", f"{token}\tUP:PRED=go.01\n\n"
        frames = [
            [s.frames and len(s.frames) for s in read_annotated(path).bare_sentences]
            for path in (
                write(tmp_path, "roles.conllu", bare + marked),
                write(tmp_path, "tree.conllu", bare),
                write(tmp_path, "none.conllu", bare + "# predicates = 0\n" + bare),
            )
        ]
        assert frames == [[[], 1], [None], [[], []]]

    def test_an_unclear_format(self, tmp_path):
        path = write(tmp_path, "predicted.txt", "She sang.\n")
        with pytest.raises(ConfigurationError, match="predicted.txt: found none of the endings"):
            read_annotated(path)
        assert len(read_annotated(write(tmp_path, "a", PROPS), "props").sentences) == 2
        with pytest.raises(ConfigurationError, match="format 'xml': expected one of props, gold"):
            read_annotated(path, "xml")
        with pytest.raises(ConfigurationError, match="none.txt: found no such file or folder"):
            read_annotated(tmp_path / "none.txt")


class TestCheckSameSentences:
    def test_words(self, tmp_path):
        gold = read_annotated(CONLL05 / "sample.conll")
        plain = (CONLL05 / "sample.conll").read_text().replace("-LRB-", "(")
        check_same_sentences(gold, read_annotated(write(tmp_path, "plain.conll", plain)))
        other = read_annotated(write(tmp_path, "other.conll", plain.replace("costs", "coasts")))
        expected = f"{other.place(0, 4)}: found the word 'coasts'; .* as in {gold.place(0, 4)}"
        with pytest.raises(CorpusFormatError, match=expected):
            check_same_sentences(gold, other)

    def test_number_of_sentences(self, tmp_path):
        short = read_annotated(write(tmp_path, "short.props", PROPS))
        long = read_annotated(write(tmp_path, "long.props", PROPS + "\n-\n-\n"))
        other = read_annotated(write(tmp_path, "other.props", PROPS + "-\n"))
        for gold, predicted, message in [
            (short, long, "long.props:9: found sentence 3; expected the"),
            (long, short, "short.props: found only 2 sentences; expected also the .*long.props:9"),
            (short, other, "other.props:7: found a sentence of 2 tokens; expected 1, as at .*:7"),
        ]:
            with pytest.raises(CorpusFormatError, match=message):
                check_same_sentences(gold, predicted)


@pytest.mark.parametrize("tag, pos", [("-", None), ("VBD", ["-", "VBD"])])
def test_tags_are_missing_if_all_are(tmp_path, tag, pos):
    text = f"She - * * - - (A0*)\nsang {tag} * * 01 sing (V*)\n"
    (sentence,) = read_annotated(write(tmp_path, "dev.conll", text)).bare_sentences
    assert sentence.pos == pos


class TestConstituentBits:
    def test_bits_of_each_sentence(self, tmp_path):
        shutil.copy(CONLL12 / "sample.gold_conll", tmp_path)
        for path in (CONLL05 / "sample.conll", CONLL12 / "sample.gold_conll", tmp_path):
            annotated = read_annotated(path)
            bits = read_constituent_bits(annotated)
            for sentence, column in zip(annotated.bare_sentences, bits, strict=True):
                assert bracketed_tree(sentence.words, ["X"] * len(column), column) is not None
