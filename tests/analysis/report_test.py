import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import List, Optional, Tuple

import pytest
from hypothesis import given, settings

from lisa_allennlp.analysis.analysis import analyze
from lisa_allennlp.analysis.frame_pairs import costly_frames, frame_pairs
from lisa_allennlp.analysis.report import report_files, segments, write_report
from lisa_allennlp.data.sentence import Frame, Parse, Sentence
from tests.analysis.systems import GOLD, WORSE, gold_and_predicted

pytestmark = pytest.mark.medium


class Checker(HTMLParser):
    """Checks that elements are closed in order; collects identifiers, links and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: List[str] = []
        self.identifiers: List[str] = []
        self.links: List[str] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: List[Tuple[str, Optional[str]]]) -> None:
        assert tag != "script"
        self.open += [tag] * (tag not in ("meta", "br"))
        self.handle_startendtag(tag, attrs)

    def handle_startendtag(self, tag: str, attrs: List[Tuple[str, Optional[str]]]) -> None:
        self.identifiers += [value or "" for name, value in attrs if name == "id"]
        links = ("src", "href", "xlink:href")
        self.links += [value or "" for name, value in attrs if name in links]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_stands_alone_and_escapes_all_text(tmp_path: Path):
    hostile = Sentence(
        ["<script>alert(1)</script>", "&amp;"],
        ["NN", "<b>"],
        [Frame(1, ["B-<i>", "B-V"], "<u>", "<u>.01")],
        Parse([1, 1], ["<s>", "root"]),
    )
    found = Sentence(hostile.words, frames=[Frame(1, ["O", "B-V"])], parse=hostile.parse)
    analysis = analyze([*GOLD, hostile], {"<em>": [*WORSE, found], "right": [*GOLD, hostile]})
    folder = tmp_path / "new" / "report"
    assert write_report(analysis, folder) == folder / "report.html"
    assert sorted(path.name for path in folder.iterdir()) == sorted(report_files())
    for path in folder.glob("*.png"):
        assert path.read_bytes().startswith(b"\x89PNG")
    described = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert described["overall"]["right"]["f1"] == 100

    page = (folder / "report.html").read_text(encoding="utf-8")
    checker = Checker(page)
    assert page.count("<svg") == len(list(folder.glob("*.svg"))) == 4
    assert all(link.startswith("#") for link in checker.links)
    assert {link[1:] for link in checker.links} <= set(checker.identifiers)
    assert len(set(checker.identifiers)) == len(checker.identifiers)
    assert set(re.findall(r"url\(#([^)]+)\)", page)) <= set(checker.identifiers)
    for part in ("<script>alert(1)</script>", "&amp;", "<em>", "<u>.01", "<b>", "<i>"):
        assert part in checker.text


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
