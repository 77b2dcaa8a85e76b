"""`lisa show`: pictures of sentences and files."""

import io
import json
import re
import sys
from pathlib import Path
from typing import Dict, List
from xml.etree import ElementTree

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.annotated_files import read_annotated
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.labelling import input_files
from tests import ROOT
from tests.commands import in_process as commands
from tests.commands.in_process import execute, in_process  # noqa: F401
from tests.documentation.workspace import first_sentences
from tests.visualisation.page_test import read

GOLD = str(ROOT / "fixtures/sample/dev.gold_conll")
TREE = {"tokens": ["She", "left", "."], "head_indices": [2, 0, 2]}


def run(*arguments: object) -> None:
    execute("show", *arguments)


@pytest.mark.medium
def test_sentences_are_labelled_and_drawn(
    archives: Dict[str, Path], capsys: pytest.CaptureFixture
) -> None:
    run(archives["lisa"], json.dumps(TREE), "One. Two.")
    pictures = capsys.readouterr().out.split("\n1 ")
    assert len(pictures) == 3
    first = (" " + pictures[0]).splitlines()
    assert [line.split()[1] for line in first[:3]] == ["╭──►", "├───", "╰──►"]
    assert [line.split()[2] for line in first[:3]] == TREE["tokens"]
    run(archives["ccg_supertagger"], "Go .")
    assert capsys.readouterr().out.splitlines()[:2] == ["1  Go  N", "2  .   N"]


def test_lines_of_standard_input(
    archives: Dict[str, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
) -> None:
    answers = '{"words": ["Go"], "verbs": []}\n{"text": "No.", "sentences": [{"words": ["No"]}]}\n'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(answers.encode())))
    # Answers need no model.
    run()
    assert capsys.readouterr().out == "1  Go\n(no predicate found)\n\n1  No\n\n"


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    """An annotated file, with its trees beside it."""
    for name in ("dev.gold_conll", "dev.conllu"):
        first_sentences(ROOT / "fixtures/sample" / name, tmp_path / name, 20)
    return tmp_path / "dev.gold_conll"


@pytest.mark.parametrize(
    "line, message",
    [
        (b"\xff", "found byte 0xff at byte 1; expected"),
        (b'{"words": ["Going"]}', "found a line of more than 18 bytes"),
    ],
)
def test_pictures_of_earlier_lines_are_shown_before_an_error(
    line: bytes, message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(input_files, "MOST_BYTES", 18)
    lines = io.BytesIO(b'{"words": ["Go"]}\n' + line + b"\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(lines))
    with pytest.raises(ConfigurationError, match=f"^<stdin>:2: {message}"):
        run()
    assert capsys.readouterr().out == "1  Go\n\n"


def test_annotated_files_are_drawn(
    gold: Path, capsys: pytest.CaptureFixture, tmp_path: Path
) -> None:
    sentences = read_annotated(str(gold), parses=True).bare_sentences
    run(gold)
    pictures = [line for line in capsys.readouterr().out.splitlines() if line.startswith(" 1  ")]
    assert len(pictures) == len([s for s in sentences if len(s.words) >= 10])
    html, svg = tmp_path / "dev.html", tmp_path / "dev.svg"
    run(gold, "--html", html, "--svg", svg, "--theme", "dark")
    assert capsys.readouterr().out == ""
    words = [word for sentence in sentences for word in sentence.words]
    assert read(html.read_text(encoding="utf-8")).of_class("word") == words
    texts = ElementTree.parse(svg).getroot().iter("{http://www.w3.org/2000/svg}text")
    assert [text.text for text in texts if "word" in text.get("class", "").split()] == words


def test_pictures_have_the_width_that_is_asked_for(
    gold: Path, capsys: pytest.CaptureFixture, tmp_path: Path
) -> None:
    svg = tmp_path / "dev.svg"

    def drawn(*options: object) -> float:
        run(gold, "--svg", svg, "--force", *options)
        return float(ElementTree.parse(svg).getroot().get("width", 0))

    assert 0 < drawn("--width", 300) <= 300 < drawn("--width", 500) <= 500 < drawn("--width", 0)
    run(gold, "--html", tmp_path / "dev.html", "--width", 300)
    page = (tmp_path / "dev.html").read_text(encoding="utf-8")
    assert max(map(float, re.findall(r'<svg [^>]*? width="([\d.]+)"', page))) <= 300
    with pytest.raises(SystemExit):
        run(gold, "--width", "-1")
    expected = "argument --width: found -1; expected 0 or more"
    assert expected in capsys.readouterr().err


def test_files_are_compared(gold: Path, capsys: pytest.CaptureFixture, tmp_path: Path) -> None:
    lines = gold.with_suffix(".conllu").read_text(encoding="utf-8").split("\n")
    columns = lines[2].split("\t")
    changed = tmp_path / "changed.conllu"
    lines[2] = "\t".join([*columns[:7], "other", *columns[8:]])
    changed.write_text("\n".join(lines), encoding="utf-8")
    run(gold, "--compare", changed)
    titles = [line for line in capsys.readouterr().out.splitlines() if "conllu" in line]
    assert titles[0] == "dev.gold_conll ≠ changed.conllu: 1 relation" and len(titles) == 20
    assert set(titles[1:]) == {"dev.gold_conll = changed.conllu"}
    run(gold, "--compare", changed, "--html", tmp_path / "both.html")
    notes = read((tmp_path / "both.html").read_text(encoding="utf-8")).of_class("note")
    assert notes[0] == "1 relation" and set(notes[1:]) == {"no differences"}


def test_files_without_words_are_not_compared(tmp_path: Path) -> None:
    props = tmp_path / "dev.props"
    props.write_text("-\n-\n")
    for files in ((GOLD, "--compare", props), (props, "--compare", GOLD)):
        with pytest.raises(CorpusFormatError, match=f"^{props}:1: found a sentence without words"):
            run(*files)


@pytest.mark.medium
def test_models_and_parses_are_compared(
    archives: Dict[str, Path], capsys: pytest.CaptureFixture
) -> None:
    run(archives["lisa"], "She left .", "--compare", archives["ccg_supertagger"])
    # They have no layer in common.
    title = " ".join(capsys.readouterr().out.split("\n1 ")[0].split())
    assert title.replace(" ", "") == f"{archives['lisa']}={archives['ccg_supertagger']}"
    run(archives["lisa"], json.dumps(TREE), "--compare", "own")
    assert capsys.readouterr().out.startswith("given heads ")
    with pytest.raises(
        ConfigurationError, match="^sentence 1: --compare own: found an input without"
    ):
        run(archives["lisa"], "She left .", "--compare", "own")


@pytest.mark.medium
def test_attention_needs_a_syntactic_head_and_its_map_needs_matplotlib(
    archives: Dict[str, Path], capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(archives["lisa"], json.dumps(TREE), "--attention")
    lines = capsys.readouterr().out.splitlines()[:3]
    # A head and its weight.
    assert all(re.search(r"  [0-3] [01]\.\d\d", line) for line in lines)
    run(archives["lisa"], "", "--attention")
    assert capsys.readouterr().out.startswith("(an empty sentence)")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert (
        commands.run("show", archives["lisa"], json.dumps(TREE), "--attention", "--svg", "-") == 1
    )
    assert (
        "expected it to be installed: pip install 'lisa-allennlp[analysis]"
        in capsys.readouterr().err
    )
    with pytest.raises(
        ConfigurationError, match="^sentence 1: attention: found a sentence without"
    ):
        run(archives["ccg_supertagger"], "She left .", "--attention")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["notes.txt"], "found the file notes.txt; expected a sentence. To show a file's lines"),
        (["none.conllu"], "found no file none.conllu; expected an annotated file or a sentence"),
        (["none/lisa.jsonl.gz"], "found no file none/lisa.jsonl.gz"),
        (["english", "none.jsonl"], "found no file none.jsonl"),
        ([GOLD, "--compare", "english"], "--compare: found 'english'; expected an annotated file"),
        ([GOLD, "--html", GOLD, "--force"], "--html: found the input"),
        ([GOLD, "--html", "notes.txt"], "--html: found the existing file notes.txt"),
        (["Go", "--compare", GOLD, "--svg", GOLD, "--force"], "--svg: found the input"),
        ([GOLD, "--svg", "none/x.svg"], "--svg: found no folder none; expected one that exists"),
        (['{"words": ["Go"]}', "--compare", "english"], "found an answer, which is labelled"),
    ],
)
def test_what_does_not_fit(
    arguments: List[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes.txt").write_text("She left .")
    with pytest.raises(ConfigurationError) as error:
        run(*arguments)
    assert message in error.value.message


def test_other_sentences_cannot_be_compared(tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text('{"words": ["Go"]}\n')
    with pytest.raises(CorpusFormatError, match="the word 'Go'"):
        run(GOLD, "--compare", other)
