import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import List, Optional, Tuple

import pytest
from hypothesis import given, settings

from lisa_allennlp.analysis.analysis import analyze
from lisa_allennlp.analysis.costly_frames import costly_frames
from lisa_allennlp.analysis.frame_pairs import frame_pairs
from lisa_allennlp.analysis.report import segments, write_report
from lisa_allennlp.data.sentence import Frame, Sentence
from tests.analysis.systems import GOLD, WORSE, gold_and_predicted

pytestmark = pytest.mark.medium

NAMES = ["corrections", "phrase_types", "predicate_distance", "sentence_length"]
VOID = ("meta", "br")


class Checker(HTMLParser):
    """Checks that elements are closed in order; collects identifiers, links and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: List[str] = []
        self.identifiers: List[str] = []
        self.links: List[str] = []
        self.text: List[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: List[Tuple[str, Optional[str]]]) -> None:
        assert tag != "script"
        if tag not in VOID:
            self.open.append(tag)
        self._collect(attrs)

    def handle_startendtag(self, tag: str, attrs: List[Tuple[str, Optional[str]]]) -> None:
        self._collect(attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def _collect(self, attrs: List[Tuple[str, Optional[str]]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.identifiers.append(value or "")
            if name in ("src", "href", "xlink:href"):
                self.links.append(value or "")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reports") / "new" / "report"
    hostile = Sentence(
        ["<script>alert(1)</script>", "&amp;"],
        ["NN", "<b>"],
        [Frame(1, ["B-<i>", "B-V"], "<u>", "<u>.01")],
        GOLD[0].parse and type(GOLD[0].parse)([1, 1], ["<s>", "root"]),
    )
    found = Sentence(hostile.words, frames=[Frame(1, ["O", "B-V"])], parse=hostile.parse)
    analysis = analyze([*GOLD, hostile], {"<em>": [*WORSE, found], "right": [*GOLD, hostile]})
    page = write_report(analysis, folder)
    assert page == folder / "report.html"
    return folder


def test_files(folder: Path):
    expected = [f"{name}.{suffix}" for name in NAMES for suffix in ("png", "svg")]
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        [*expected, "report.html", "report.json"]
    )
    for name in NAMES:
        assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert "<svg" in (folder / f"{name}.svg").read_text(encoding="utf-8")
    described = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert described["overall"]["right"]["f1"] == 100


def test_the_page_is_well_formed_and_stands_alone(folder: Path):
    page = (folder / "report.html").read_text(encoding="utf-8")
    checker = Checker(page)
    assert page.count("<svg") == len(NAMES)
    assert all(link.startswith("#") for link in checker.links)
    assert {link[1:] for link in checker.links} <= set(checker.identifiers)
    assert len(set(checker.identifiers)) == len(checker.identifiers)
    assert set(re.findall(r"url\(#([^)]+)\)", page)) <= set(checker.identifiers)
    assert "@import" not in page


def test_text_is_escaped(folder: Path):
    text = "".join(Checker((folder / "report.html").read_text(encoding="utf-8")).text)
    for part in ("<script>alert(1)</script>", "&amp;", "<em>", "<u>.01", "<b>", "<i>"):
        assert part in text


def test_the_same_analysis_gives_the_same_files(tmp_path: Path):
    for name in ("first", "second"):
        write_report(analyze(GOLD, {"worse": WORSE}), tmp_path / name)
    for path in (tmp_path / "first").iterdir():
        assert path.read_bytes() == (tmp_path / "second" / path.name).read_bytes()


@given(gold_and_predicted())
@settings(max_examples=25)
def test_segments_are_the_sentence(sentences: List[List[Sentence]]):
    gold, predicted = sentences
    for frame in costly_frames(gold, {"LISA": frame_pairs(gold, predicted)}):
        for spans in (frame.gold, frame.spans["LISA"] or []):
            parts = list(segments(frame.words, spans))
            assert " ".join(part.text for part in parts) == " ".join(frame.words)
            assert [part.role for part in parts if part.role] == [span.role for span in spans]
