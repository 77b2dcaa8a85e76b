"""The Stanford converter, in whose place there is a script, or a small class of Java."""

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.preparation.stanford_converter import StanfordConverter
from lisa_allennlp.data.preparation.stanford_tool import BracketedSentence
from tests.data.preparation.conll_sources import FakeParser

BAKE = BracketedSentence(["We", "bake"], "(S (NP (PRP We)) (VP (VB bake)))", "a.mrg", 3)
LONG = BracketedSentence(
    list("abcdefghijkl") + ["."],
    f"(S {' '.join(f'(X {c})' for c in 'abcdefghijkl')} (. .))",
    "b",
    1,
)
JAVA = """
package edu.stanford.nlp.trees;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.regex.*;
public class EnglishGrammaticalStructure {
  public static void main(String[] args) throws Exception {
    for (String line : Files.readAllLines(Paths.get(args[1]), StandardCharsets.UTF_8)) {
      Matcher leaf = Pattern.compile("\\\\(([^() ]+) ([^() ]+)\\\\)").matcher(line);
      for (int i = 1; leaf.find(); i++)
        System.out.println(i + "\\t" + leaf.group(2) + "\\t_\\t" + leaf.group(1) + "\\t_\\t_\\t"
            + (i - 1) + "\\t" + (i == 1 ? "root" : "dep") + "\\t_\\t_");
      System.out.println();
    }
  }
}
"""


def convert(parser: FakeParser, *sentences: BracketedSentence, batch_size: int = 2000) -> list:
    cache = parser.log.parent / "cache"
    converter = StanfordConverter(parser.jar, cache, java=str(parser.java), batch_size=batch_size)
    return list(converter.annotate((item, index) for index, item in enumerate(sentences)))


def test_trees_come_back_with_what_was_given(fake_parser: FakeParser):
    hush = BracketedSentence(["Hush"], "(S (VP (VB Hush)))", "a.mrg", 4)
    converted = convert(fake_parser, BAKE, hush, LONG, batch_size=2)
    assert [item for item, _ in converted] == [0, 1, 2]
    assert converted[0][1].head_indices == [1, 1]
    assert converted[0][1].head_tags == ["np", "root"]
    assert converted[2][1].head_indices == [0] * 13
    assert fake_parser.calls() == [2, 1]


def test_what_was_converted_is_kept(fake_parser: FakeParser):
    first = convert(fake_parser, BAKE, LONG, batch_size=1)
    assert convert(fake_parser, BAKE, LONG, batch_size=1) == first
    assert len(fake_parser.calls()) == 2


@pytest.mark.parametrize("label", ["CODE", "RS-1", "IP", "-NONE-"])
def test_words_that_the_converter_would_delete(fake_parser: FakeParser, label: str):
    tree = f"(S ({label} (UH Oh)) (VP (VB go)))"
    ((_, parse),) = convert(fake_parser, BracketedSentence(["Oh", "go"], tree, "a", 1))
    assert parse.head_indices == [1, 1]


@pytest.mark.parametrize("copula_heads, heads", [(True, [2, 0, 2]), (False, [3, 3, 0])])
def test_the_head_of_a_copula(fake_parser: FakeParser, tmp_path: Path, copula_heads, heads):
    tree = "(S (NP (PRP She)) (VP (VBZ is) (ADJP (JJ nice))))"
    options = {"copula_heads": copula_heads, "java": str(fake_parser.java)}
    converter = StanfordConverter(fake_parser.jar, tmp_path / "cache", **options)
    sentence = BracketedSentence(["She", "is", "nice"], tree, "a", 1)
    ((_, parse),) = converter.annotate([(sentence, None)])
    assert parse.heads == heads


@pytest.mark.parametrize(
    "misbehave, message",
    [
        ("other word", r"partial:2: found 'cook' in sentence 1; expected 'bake', as in a.mrg:3"),
        ("one word less", r"partial:4: found 12 words in sentence 2; expected 13, as in b:1"),
        ("one sentence less", "found only 1 sentences; expected 2; the next one is from b"),
        (
            "one sentence more",
            r"partial:18: found sentence 3; expected only 2 sentences, as in the input",
        ),
    ],
)
def test_output_that_does_not_agree(
    fake_parser: FakeParser, monkeypatch: pytest.MonkeyPatch, misbehave: str, message: str
):
    monkeypatch.setenv("MISBEHAVE", misbehave)
    with pytest.raises(CorpusFormatError, match=message):
        convert(fake_parser, BAKE, LONG)
    # It is not taken for good the next time.
    monkeypatch.delenv("MISBEHAVE")
    assert len(convert(fake_parser, BAKE, LONG)) == 2


def test_failure_of_java(fake_parser: FakeParser, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MISBEHAVE", "fail")
    with pytest.raises(ConfigurationError) as error:
        convert(fake_parser, BAKE)
    assert "java failed with exit status 1 on" in str(error.value)
    assert str(error.value).endswith('.mrg: Exception in thread "main" java.lang.Error: no')


def test_programs_and_jars_that_are_not_there(fake_parser: FakeParser, tmp_path: Path):
    with pytest.raises(ConfigurationError, match="--java no-java: found no such program; expected"):
        StanfordConverter(fake_parser.jar, tmp_path, java="no-java")
    with pytest.raises(ConfigurationError, match="no.jar: found no such file; expected stanford-p"):
        StanfordConverter(tmp_path / "no.jar", tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigurationError, match="empty: found a folder without .jar files"):
        StanfordConverter(tmp_path / "empty", tmp_path)


def test_program_that_cannot_be_run(fake_parser: FakeParser):
    fake_parser.java.write_text("#!/no/such/interpreter\n")
    with pytest.raises(ConfigurationError, match="--java .*java: No such file"):
        convert(fake_parser, BAKE)


def test_folder_of_jars(fake_parser: FakeParser, tmp_path: Path):
    converter = StanfordConverter(fake_parser.jar.parent, tmp_path, java=str(fake_parser.java))
    assert len(list(converter.annotate([(BAKE, None)]))) == 1


@pytest.mark.medium
@pytest.mark.skipif(not shutil.which("javac"), reason="no Java compiler")
def test_real_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    source = tmp_path / "edu" / "stanford" / "nlp" / "trees" / "EnglishGrammaticalStructure.java"
    source.parent.mkdir(parents=True)
    source.write_text(JAVA)
    subprocess.run(["javac", "-J-XX:TieredStopAtLevel=1", str(source)], check=True)
    compiled = source.with_suffix(".class")
    jar, other = tmp_path / "my parser.jar", tmp_path / "other.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.write(compiled, compiled.relative_to(tmp_path))
    # Where the terminal does not know these letters.
    monkeypatch.setenv("LC_ALL", "C")
    words = ["Zoë", "日本"]
    sentence = BracketedSentence(words, "(S (NNP Zoë) (NNP 日本))", "a", 1)
    ((_, parse),) = StanfordConverter(jar, tmp_path / "cache").annotate([(sentence, None)])
    assert parse.head_indices == [0, 0]
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("Other.class", b"")
    with pytest.raises(ConfigurationError, match="status 1 .*Could not find or load main class"):
        list(StanfordConverter(other, tmp_path / "cache").annotate([(sentence, None)]))
