import json
import re
from dataclasses import replace
from pathlib import Path
from typing import List

import pytest
from hypothesis import given

from lisa_allennlp.apps.analyze.analysis import analyze
from lisa_allennlp.apps.analyze.frame_pairs import costly_frames, frame_pairs
from lisa_allennlp.apps.analyze.report import report_files, segments, write_report
from lisa_allennlp.scoring import ConllXEvaluation
from lisa_allennlp.sentence.sentence import Frame, Parse, Sentence
from tests.apps.analyze.systems import GOLD, WORSE, gold_and_predicted
from tests.apps.show.page_test import read

pytestmark = pytest.mark.medium


def test_the_report(tmp_path: Path):
    """
    The page stands alone, escapes all text, and has the attachment scores of eval.pl. The same
    analysis gives the same files.
    """
    hostile = Sentence(
        ["<script>alert(1)</script>", "&amp;"],
        ["NN", "<b>"],
        [Frame(1, ["B-<i>", "B-V"], "<u>", "<u>.01")],
        Parse([1, 1], ["<s>", "root"]),
    )
    gold = [*GOLD, hostile]
    worse = [*WORSE, Sentence(hostile.words, frames=[Frame(1, ["O", "B-V"])], parse=hostile.parse)]
    wrong = [replace(s, parse=Parse([0] * len(s), ["root"] * len(s))) for s in gold]
    analysis = analyze(gold, {"<em>": worse, "right": gold}, parses={"all <root>": wrong})
    folder, again = tmp_path / "new" / "report", tmp_path / "again"
    assert write_report(analysis, folder) == folder / "report.html"
    write_report(analyze(gold, {"<em>": worse, "right": gold}, parses={"all <root>": wrong}), again)
    assert sorted(path.name for path in folder.iterdir()) == sorted(report_files())
    for path in folder.iterdir():
        assert path.read_bytes() == (again / path.name).read_bytes()
        assert path.suffix != ".png" or path.read_bytes().startswith(b"\x89PNG")
    described = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert described["overall"]["right"]["f1"] == 100

    page = (folder / "report.html").read_text(encoding="utf-8")
    elements = read(page).elements
    assert "script" not in [tag for tag, _, _ in elements]
    identifiers = [given["id"] for _, given, _ in elements if "id" in given]
    links = {given.get(name) for _, given, _ in elements for name in ("src", "href", "xlink:href")}
    assert page.count("<svg") == len(list(folder.glob("*.svg"))) == 4
    assert links - {None} <= {f"#{name}" for name in identifiers}
    assert len(set(identifiers)) == len(identifiers)
    assert set(re.findall(r"url\(#([^)]+)\)", page)) <= set(identifiers)
    for part in ("<script>alert(1)</script>", "&amp;", "<em>", "<u>.01", "<b>", "<i>"):
        assert part in elements[-1][2]
    for name, parses in (("right", gold), ("all &lt;root&gt;", wrong)):
        scores = ConllXEvaluation(parses, gold).counts.scores()
        cells = "".join(f"<td>{scores[score]:.2f}</td>" for score in ("uas", "las"))
        assert f"<tr><td>{name}</td>{cells}</tr>" in page
    row = re.search(r"<td>right, mean LAS</td>\n(.*)</tr>", page)
    assert row is not None and row[1] == "<td>100.00</td><td>–</td>"


@given(gold_and_predicted())
def test_segments_are_the_sentence(sentences: List[List[Sentence]]):
    gold, predicted = sentences
    for frame in costly_frames(gold, {"LISA": frame_pairs(gold, predicted)}):
        for spans in (frame.gold, frame.spans["LISA"] or []):
            parts = list(segments(frame.words, spans))
            assert " ".join(part.text for part in parts) == " ".join(frame.words)
            assert [part.role for part in parts if part.role] == [span.role for span in spans]
