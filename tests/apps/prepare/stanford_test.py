"""The Stanford tools, in whose place there is a script, or a small class of Java."""

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from lisa_allennlp.apps.prepare.stanford import BracketedSentence, StanfordAnnotator
from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.common.errors import ConfigurationError
from tests.apps.prepare.conll_sources import FakeParser

BAKE = BracketedSentence(["We", "bake"], "(S (NP (PRP We)) (VP (VB bake)))", "a.mrg", 3)
BRACKETS = BracketedSentence(["-LRB-", "Zoë", "-RRB-"], "(X (A -LRB-) (B Zoë) (C -RRB-))", "b", 1)
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


def annotate(parser: FakeParser, *sentences: BracketedSentence, **options: object) -> list:
    items = ((item, index) for index, item in enumerate(sentences))
    return list(parser.annotator(**options).annotate(items))


def test_annotation_comes_back_with_what_was_given(fake_parser: FakeParser):
    found = annotate(fake_parser, BAKE, BRACKETS, BAKE, batch_size=2, with_tagger=True)
    assert [item for item, _, _ in found] == [0, 1, 2]
    assert found[0][1].heads == [2, 0] and found[0][1].head_tags == ["np", "root"]
    assert found[1][1].head_indices == [0] * 3
    assert [pos for _, _, pos in found] == [["W", "B"], ["-", "Z", "-RRB-"], ["W", "B"]]
    assert fake_parser.calls() == [2, 1]
    assert annotate(fake_parser, BAKE)[0][2] is None


def test_words_that_the_converter_would_delete(fake_parser: FakeParser):
    labels = ["CODE", "RS-1", "IP", "-NONE-"]
    trees = [f"(S ({label} (UH Oh)) (VP (VB go)))" for label in labels]
    sentences = [BracketedSentence(["Oh", "go"], tree, "a", 1) for tree in trees]
    found = annotate(fake_parser, *sentences)
    assert [parse.head_indices for _, parse, _ in found] == [[1, 1]] * len(labels)


@pytest.mark.parametrize(
    "misbehave, message",
    [
        ("other word", "parser:2: found 'cook' as word 2 of sentence 1; expected 'bake', as in a"),
        (
            "one sentence less",
            "parser: found '' as word 1 of sentence 2; expected '-LRB-', as in",
        ),
        ("no tab", "tagger:1: found 1 column"),
    ],
)
def test_output_that_does_not_agree(
    fake_parser: FakeParser, monkeypatch: pytest.MonkeyPatch, misbehave: str, message: str
):
    monkeypatch.setenv("MISBEHAVE", misbehave)
    with pytest.raises(CorpusFormatError, match=message):
        annotate(fake_parser, BAKE, BRACKETS, with_tagger=True)


def test_failures_of_java(fake_parser: FakeParser, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MISBEHAVE", "fail")
    with pytest.raises(ConfigurationError) as error:
        annotate(fake_parser, BAKE)
    assert "java failed with exit status 1 on" in str(error.value)
    assert str(error.value).endswith(': Exception in thread "main" java.lang.Error: no')
    fake_parser.java.write_text("#!/no/such/interpreter\n")
    with pytest.raises(ConfigurationError, match="--java .*java: No such file"):
        annotate(fake_parser, BAKE)


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
    ((_, parse, _),) = StanfordAnnotator(jar).annotate([(sentence, None)])
    assert parse.head_indices == [0, 0]
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("Other.class", b"")
    with pytest.raises(ConfigurationError, match="status 1 .*Could not find or load main class"):
        list(StanfordAnnotator(other).annotate([(sentence, None)]))
