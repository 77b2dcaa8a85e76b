"""`lisa show`: pictures of sentences and files."""

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from lisa_allennlp.formats.annotated_files import read_annotated
from tests import ROOT
from tests.apps.show.page_test import read
from tests.commands.in_process import execute, in_process  # noqa: F401
from tests.documentation.workspace import first_sentences


def run(*arguments: object) -> None:
    execute("show", *arguments)


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    """An annotated file, with its trees beside it."""
    for name in ("dev.gold_conll", "dev.conllu"):
        first_sentences(ROOT / "fixtures/sample" / name, tmp_path / name, 20)
    return tmp_path / "dev.gold_conll"


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
    run(gold, "--compare", changed, "--html", tmp_path / "page.html")
    page = read((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert [text for name, _, text in page.elements if name == "p"][0] == count
    assert len([name for name, *_ in page.elements if name == "article"]) == 1
