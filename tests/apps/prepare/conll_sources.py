"""Corpora of our own in the layout of licensed ones, and something to convert their trees with."""

import gzip
import os
import shutil
import sys
from pathlib import Path
from typing import List, NamedTuple

import pytest

from lisa_allennlp.apps.prepare.stanford import StanfordAnnotator
from tests import FIXTURES, ROOT

CONLL05 = FIXTURES / "conll05_sources"
CONLL12 = FIXTURES / "conll12_sources"
RELEASE, PTB = "conll05st-release", "treebank_3"
ONTONOTES = CONLL12 / "conll-formatted-ontonotes-5.0"
IDS = CONLL12 / "ids"

_WSJ = f"{PTB}/parsed/mrg/wsj"
_FAKE_JAVA = Path(__file__).with_name("fake_java.py")


class FakeParser(NamedTuple):
    """
    A program that does what Java is asked to do, the jars of the parser and of the tagger, and the
    file to which the program writes the number of trees of each call.
    """

    java: Path
    jar: Path
    tagger: Path
    log: Path

    def annotator(self, batch_size: int = 2000, with_tagger: bool = False) -> StanfordAnnotator:
        """What a preparation is given."""
        options = {"tagger": self.tagger if with_tagger else None, "batch_size": batch_size}
        return StanfordAnnotator(self.jar, java=str(self.java), **options)

    def calls(self) -> List[int]:
        """How many trees it was given in each call."""
        return list(map(int, self.log.read_text().split())) if self.log.exists() else []


@pytest.fixture
def fake_parser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeParser:
    folder = tmp_path / "parser"
    folder.mkdir()
    tagger = tmp_path / "tagger" / "stanford-postagger.jar"
    model = tagger.parent / "models" / "english-left3words-distsim.tagger"
    model.parent.mkdir(parents=True)
    parser = FakeParser(folder / "java", folder / "stanford-parser.jar", tagger, folder / "calls")
    parser.java.write_text(f"#!{sys.executable} -IS\n{_FAKE_JAVA.read_text(encoding='utf-8')}")
    parser.java.chmod(0o755)
    for path in (parser.jar, parser.tagger, model):
        path.touch()
    monkeypatch.setenv("CALLS", str(parser.log))
    monkeypatch.delenv("MISBEHAVE", raising=False)
    return parser


@pytest.fixture
def conll05_sources(tmp_path: Path) -> Path:
    """All sections, gzipped as in the release; those that no fixture has are like section 03."""
    folder = tmp_path / "sources"
    shutil.copytree(CONLL05, folder)
    for section in range(4, 22):
        copy = folder / _WSJ / f"{section:02}"
        shutil.copytree(folder / _WSJ / "03", copy)
        edit(copy / "wsj_0301.mrg", "Bread", f"Bread-{section}")
    for path in sorted((folder / RELEASE).rglob("*.*.*")):
        text = path.read_bytes()
        path.unlink()
        sections = ["03", *(f"{section:02}" for section in range(4, 22))]
        for section in sections if ".03." in path.name else [""]:
            name = path.name.replace(".03.", f".{section}.")
            with gzip.open(path.with_name(f"{name}.gz"), "wb") as file:
                file.write(text)
    return folder


def configured_paths(name: str, folder: Path) -> List[Path]:
    """The data of our configs, when the folder is named as that corpus."""
    from allennlp.common import Params

    names = ("LISA_VECTORS", "LISA_ELMO", "LISA_TRANSFORMER")
    variables = {"LISA_DATA": name, "LISA_CORPUS": str(folder), **dict.fromkeys(names, "")}
    path = ROOT / "training_configs" / "lib" / "data.libsonnet"
    corpus = Params.from_file(path, ext_vars=variables)
    return [Path(corpus["train"]), Path(corpus["validation"]), Path(corpus["parser"]["validation"])]


def edit(path: Path, old: str, new: str) -> None:
    """Replaces text in a file, gzipped or not."""
    open_file = gzip.open if path.suffix == ".gz" else open
    with open_file(path, "rt", encoding="utf-8") as file:
        text = file.read()
    assert old in text
    with open_file(path, "wt", encoding="utf-8") as file:
        file.write(text.replace(old, new))
    # A file of the same size that was written in the same tick must still look changed.
    time = path.stat().st_mtime_ns + 1_000_000_000
    os.utime(path, ns=(time, time))
