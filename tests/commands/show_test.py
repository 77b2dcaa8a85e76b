"""`lisa show`: pictures of sentences and files."""

import io
import re
import sys
from pathlib import Path
from typing import Dict, List
from xml.etree import ElementTree

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.annotated_files import read_annotated
from lisa_allennlp.data.formats.errors import CorpusFormatError
from tests import ROOT
from tests.commands.in_process import execute, in_process  # noqa: F401
from tests.documentation.workspace import first_sentences
from tests.visualisation.page_test import read

GOLD = str(ROOT / "fixtures/sample/dev.gold_conll")
TREE = '{"tokens": ["She", "left", "."], "head_indices": [2, 0, 2]}'


def run(*arguments: object) -> None:
    execute("show", *arguments)


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    """An annotated file, with its trees beside it."""
    for name in ("dev.gold_conll", "dev.conllu"):
        first_sentences(ROOT / "fixtures/sample" / name, tmp_path / name, 20)
    return tmp_path / "dev.gold_conll"


@pytest.mark.medium
def test_sentences_are_labelled_and_drawn(
    archives: Dict[str, Path], capsys: pytest.CaptureFixture, tmp_path: Path
) -> None:
    run(archives["lisa"], TREE, "One. Two.")
    pictures = capsys.readouterr().out.split("\n1 ")
    assert len(pictures) == 3
    rows = [line.split() for line in (" " + pictures[0]).splitlines()[:3]]
    assert [row[1:3] for row in rows] == [["╭──►", "She"], ["├───", "left"], ["╰──►", "."]]
    (tmp_path / "a.txt").write_text("Go .")
    run(archives["ccg_supertagger"], tmp_path / "a.txt")
    assert capsys.readouterr().out.splitlines()[:2] == ["1  Go  N", "2  .   N"]


def test_lines_of_standard_input_until_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    # Answers need no model.
    answers = b'{"words": ["Go"], "verbs": []}\n{"text": "No.", "sentences": [{"words": ["No"]}]}\n'
    monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(answers + b"\xff\n")))
    )
    with pytest.raises(ConfigurationError, match="^<stdin>:3: found byte 0xff at byte 1"):
        run()
    assert capsys.readouterr().out == "1  Go\n(no predicate found)\n\n1  No\n\n"


def test_a_treebank_is_drawn_from_a_pipe(
    gold: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    run(gold.with_suffix(".conllu"))
    drawn, note = capsys.readouterr()
    assert "dev.conllu: it has no roles and is drawn as it is" in note
    with open(gold.with_suffix(".conllu")) as file:
        monkeypatch.setattr(sys, "stdin", file)
        run()
    assert capsys.readouterr().out == drawn != ""


def test_annotated_files_are_drawn(
    gold: Path, capsys: pytest.CaptureFixture, tmp_path: Path
) -> None:
    sentences = read_annotated(str(gold), parses=True).bare_sentences
    run(gold)
    pictures = [line for line in capsys.readouterr().out.splitlines() if line.startswith(" 1  ")]
    assert len(pictures) == len([s for s in sentences if len(s.words) >= 10])
    html, svg = tmp_path / "dev.html", tmp_path / "dev.svg"
    run(gold, "--html", html, "--svg", svg, "--theme", "dark", "--width", 300)
    assert capsys.readouterr().out == ""
    words = [word for sentence in sentences for word in sentence.words]
    page = html.read_text(encoding="utf-8")
    assert read(page).of_class("word") == words
    assert max(map(float, re.findall(r'<svg [^>]*? width="([\d.]+)"', page))) <= 300
    root = ElementTree.parse(svg).getroot()
    assert float(root.get("width", 0)) <= 300
    texts = root.iter("{http://www.w3.org/2000/svg}text")
    assert [text.text for text in texts if "word" in text.get("class", "").split()] == words


def test_no_file_has_another_ending_than_its_format(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="--svg: found .*x.png"):
        run("She left.", "--svg", tmp_path / "x.png")


def test_files_are_compared(gold: Path, capsys: pytest.CaptureFixture, tmp_path: Path) -> None:
    lines = gold.with_suffix(".conllu").read_text(encoding="utf-8").split("\n")
    columns = lines[2].split("\t")
    changed = tmp_path / "changed.conllu"
    lines[2] = "\t".join([*columns[:7], "other", *columns[8:]])
    changed.write_text("\n".join(lines), encoding="utf-8")
    run(gold, "--compare", changed, "--all")
    count, _, *output = capsys.readouterr().out.splitlines()
    assert count == "1 of 20 sentences differs: 1 relation"
    titles = [line for line in output if "conllu" in line]
    assert titles[0] == "dev.gold_conll ≠ changed.conllu: 1 relation" and len(titles) == 20
    assert set(titles[1:]) == {"dev.gold_conll = changed.conllu"}
    run(gold, "--compare", changed)
    found = capsys.readouterr().out.splitlines()
    assert found[0] == count and [line for line in found if "conllu" in line] == titles[:1]
    run(gold, "--compare", changed, "--html", tmp_path / "page.html")
    page = read((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert [text for name, _, text in page.elements if name == "p"][0] == count
    assert len([name for name, *_ in page.elements if name == "article"]) == 1
    run(gold, "--compare", gold)
    assert capsys.readouterr().out == "0 of 20 sentences differ\n\n"
    changed.write_text("1\tGo\n\n")
    with pytest.raises(CorpusFormatError, match="^.*changed.conllu:1: "):
        run(gold, "--compare", changed)


@pytest.mark.medium
def test_models_and_parses_are_compared(
    archives: Dict[str, Path], capsys: pytest.CaptureFixture
) -> None:
    run(archives["lisa"], "She left .", "--compare", archives["ccg_supertagger"])
    # They have no layer in common.
    title = capsys.readouterr().out.split("\n1 ")[0]
    assert "".join(title.split()) == f"{archives['lisa']}={archives['ccg_supertagger']}"
    run(archives["lisa"], TREE, "--compare", "own")
    assert capsys.readouterr().out.startswith("given heads ")
    with pytest.raises(ConfigurationError, match="^sentence 1: --compare own: found an input with"):
        run(archives["lisa"], "She left .", "--compare", "own")


@pytest.mark.parametrize(
    "arguments, message",
    [
        ([GOLD, "--compare", "english"], "--compare: found 'english'"),
        (["Go", "--compare", GOLD, "--svg", GOLD, "--force"], "--svg: found the input"),
        (['{"words": ["Go"]}', "--compare", "english"], "found an answer, which is labelled"),
    ],
)
def test_what_does_not_fit(arguments: List[str], message: str) -> None:
    with pytest.raises(ConfigurationError, match=re.escape(message)):
        run(*arguments)
