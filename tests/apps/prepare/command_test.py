"""`lisa prepare`."""

import shutil
import subprocess
from pathlib import Path

import pytest

from lisa_allennlp.apps.prepare import conll12 as conll12_module
from lisa_allennlp.apps.prepare.ewt import REPOSITORIES, UD_RELEASE
from lisa_allennlp.apps.prepare.frame_examples import example_digest
from lisa_allennlp.data.dataset_readers import ConlluParsesReader
from lisa_allennlp.formats.annotated_files import read_annotated
from tests import FIXTURES
from tests.apps.prepare.conll_sources import (
    IDS,
    ONTONOTES,
    PTB,
    RELEASE,
    FakeParser,
)
from tests.commands.in_process import run as run_command

SOURCES = FIXTURES / "ewt_sources"


def run(*arguments: object) -> int:
    return run_command("prepare", *arguments)


def test_ewt(tmp_path: Path, capsys: pytest.CaptureFixture):
    folders = "--propbank", SOURCES / "propbank-release", "--ud", SOURCES / "UD_English-EWT"
    assert run("ewt", *folders, "--out", tmp_path) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("train: 5 sentences, 19 tokens, 4 predicates from 2 of 3 documents\n")
    assert "\n  left out 2: numbers of tokens differ\n" in printed and "\ntest: skipped" in printed
    assert run("ewt", *folders, "--out", tmp_path, "--skip-unequal-documents") == 0
    assert capsys.readouterr().out.startswith("train: 3 sentences")


def make_repository(folder: Path) -> str:
    git = ["git", "-C", str(folder), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "--quiet", "-m", "All"], check=True)
    return folder.as_uri()


def test_clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    shutil.copytree(SOURCES, tmp_path / "remote")
    for name, folder in (("propbank", "propbank-release"), ("ud", "UD_English-EWT")):
        url = make_repository(tmp_path / "remote" / folder)
        monkeypatch.setitem(REPOSITORIES, name, url)
    folders = "--propbank", tmp_path / "propbank", "--ud", tmp_path / "ud"
    arguments = "ewt", *folders, "--out", tmp_path / "out", "--clone"
    ud = tmp_path / "remote" / "UD_English-EWT"
    subprocess.run(["git", "-C", str(ud), "tag", UD_RELEASE], check=True)
    (ud / "README.md").write_text("# Changelog\n\n**2026-05-15 v2.18**\n")
    make_repository(ud)
    assert run(*arguments) == 0
    # The tag is older than the newest commit.
    assert not (tmp_path / "ud" / "README.md").exists()
    assert (tmp_path / "out" / "ewt-train.gold_conll").exists()
    shutil.rmtree(tmp_path / "remote")
    assert run(*arguments) == 0


def test_clone_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
):
    monkeypatch.setitem(REPOSITORIES, "propbank", (tmp_path / "no").as_uri())
    folders = "--propbank", tmp_path / "propbank", "--ud", tmp_path / "ud"
    assert run("ewt", *folders, "--out", tmp_path / "out", "--clone") == 1
    error = capsys.readouterr().err
    assert "lisa: error: git clone --depth 1 file://" in error and "failed: " in error


def converter(parser: FakeParser) -> tuple:
    return "--stanford-parser", parser.jar, "--java", parser.java


def test_conll05(
    conll05_sources: Path,
    fake_parser: FakeParser,
    tmp_path: Path,
    capsys: pytest.CaptureFixture,
):
    shutil.rmtree(conll05_sources / RELEASE / "test.wsj")
    out = tmp_path / "out"
    sources = "--release", conll05_sources / RELEASE, "--ptb", conll05_sources / PTB, "--out", out
    arguments = "conll05", *sources, *converter(fake_parser)
    tagger = "--stanford-tagger", fake_parser.tagger
    assert run(*arguments, *tagger, "--no-copula-heads") == 0
    printed = capsys.readouterr().out
    assert printed.startswith("train: 22 sentences, 82 tokens, 23 predicates\n  warning: ")
    assert "\ntest.wsj: skipped, since " in printed
    (tea,) = ConlluParsesReader().read_sentences(out / "section22.conllu")
    # "nice" is the head, as the stand-in has it.
    assert tea.heads == [4, 1, 4, 0, 4, 4]


def test_conll12(
    fake_parser: FakeParser,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
):
    monkeypatch.setitem(conll12_module.PUBLISHED, "development", 1)
    sources = "--ontonotes", ONTONOTES, "--ids", IDS, "--out", tmp_path
    tagger = "--stanford-tagger", fake_parser.tagger.parent
    assert run("conll12", *sources, *converter(fake_parser), *tagger) == 0
    printed = capsys.readouterr().out
    assert "development: 1 sentences, as published, 2 tokens, 1 predicates\n" in printed
    assert "1 of the listed documents missing: wb/eng/00/eng_0099" in printed


def test_frames(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    (tmp_path / "hang.xml").write_text(
        """<frameset><roleset id="hang_up.03" name="x">
        <example><text>He hung up.</text><arg n="0" f="">he</arg><rel>hung up</rel></example>
        <example><text>*PRO* hung up.</text><arg n="0" f="">*PRO*</arg><rel>hung</rel></example>
        <example><text>He hung it up.</text><rel>hung up</rel></example>
        <example><text>He hung oddly.</text><arg n="m" f="xyz">oddly</arg><rel>hung</rel></example>
        </roleset></frameset>"""
    )
    (tmp_path / "left_out.txt").write_text(f"{example_digest('He hung it up.')}\n")
    options = "--model", "english-fast", "--leave-out", tmp_path / "left_out.txt"
    assert run("frames", "--frames", tmp_path, *options, "--out", tmp_path / "out") == 0
    assert capsys.readouterr().out.splitlines()[:4] == [
        "frames: 1 examples",
        "  left out 1: an argument that is a trace",
        "  left out 1: left out on request",
        "  left out 1: a role that the model does not predict",
    ]
    (sentence,) = read_annotated(tmp_path / "out" / "frames.conllu").bare_sentences
    (frame,) = sentence.frames or []
    assert (frame.sense, frame.tags) == ("hang_up.03", ["B-ARG0", "B-V", "I-V", "O"])
    assert sentence.pos == ["PRP", "VBD", "RP", "."]


def test_up(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    whole = FIXTURES / "formats" / "conllup" / "sample.conllup"
    ud, up, out = (tmp_path / name for name in ("ud", "up", "out"))
    ud.mkdir()
    up.mkdir()
    header, text = whole.read_text("utf-8").split("\n", 1)
    trees, roles = [], []
    for block in text.strip().split("\n\n"):
        lines = block.splitlines()
        comments = [line for line in lines if line.startswith("#")]
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
        trees.append("\n".join([*comments, *("\t".join(row[:10]) for row in rows)]) + "\n\n")
        # A release has the beginning of the text.
        comments = [line[:16] + ".." if "text" in line else line for line in comments]
        layer = ["\t".join([row[0], *row[10:]]) for row in rows]
        roles.append("\n".join([*comments, *layer]) + "\n\n")
    names = header.replace("FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC ", "") + "\n"

    def prepared(*options: str) -> str:
        assert run("up", "--ud", ud, "--up", up, "--out", out, *options) == 0
        return capsys.readouterr().out

    # A sentence that another release of UD moved, one with a bad tree, and one on one side only.
    bad = trees[1].replace("\t2\tacl", "\t4\tacl").replace("s2", "bad")
    alone = trees[2].replace("s3", "alone")
    (ud / "x-ud-dev.conllu").write_text("".join([*trees[:2], trees[3], bad, alone]), "utf-8")
    (ud / "x-ud-test.conllu").write_text(trees[2], "utf-8")
    others = roles[1].replace("s2", "bad"), roles[2].replace("s3", "unknown")
    (up / "x-up-dev.conllup").write_text("".join([names, *roles, *others]), "utf-8")
    printed = prepared()
    assert printed.startswith(
        "x-ud-up-dev: 4 sentences, 36 tokens, 4 predicates, 9 arguments\n"
        "  left out 1: tree or roles that cannot be read\n"
        "    bad: found '4', its own head"
    )
    assert "  left out 1: sentence is only in Universal PropBank\n    unknown\n" in printed
    assert "  left out 1: sentence is only in UD\n    alone\n" in printed
    assert "  mended arguments: 1 repeated; 1 overlapping, shortened\n" in printed
    gold, path = read_annotated(whole).bare_sentences, out / "x-ud-up-dev.conllup"
    assert read_annotated(path).bare_sentences == gold
    # Nothing is made again from the same sources.
    made = path.stat().st_mtime_ns
    assert prepared() == printed and path.stat().st_mtime_ns == made
    other_tokens = roles[0].replace("10\t*\t_\t_\t_\n", "")
    other_text = roles[1].replace("# text = L'", "# text = D'")
    (up / "x-up-dev.conllup").write_text(names + other_tokens + other_text + roles[3], "utf-8")
    printed = prepared("--spans-from-heads")
    assert "left out 2: tokens differ\n    s1: 10 in UD, 9 in Universal PropBank\n" in printed
    assert read_annotated(path).bare_sentences[0].frames == gold[3].frames
    (ud / "x-ud-dev.conllu").write_text(trees[0] * 2, "utf-8")
    assert run("up", "--ud", ud, "--up", up, "--out", out) == 1
    assert "found two sentences with the id 's1'" in capsys.readouterr().err
