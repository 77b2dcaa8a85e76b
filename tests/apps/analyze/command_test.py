"""`lisa analyze`."""

import json
from pathlib import Path

import pytest

from tests import FIXTURES
from tests.apps.analyze.systems import WORSE
from tests.commands.in_process import run as run_command
from tests.commands.scored_files import write_json_lines

GOLD = FIXTURES / "formats" / "conll05" / "sample.conll"


@pytest.fixture
def worse(tmp_path: Path) -> Path:
    return write_json_lines(tmp_path / "worse.jsonl", WORSE)


def run(*arguments: object) -> int:
    return run_command("analyze", *arguments)


@pytest.mark.medium
def test_report(worse: Path, tmp_path: Path, capsys: pytest.CaptureFixture):
    out = tmp_path / "a" / "report"
    named = "--pred", f"right={GOLD}", "--pred", f"worse={worse}"
    parse = "--parse", f"D&M={GOLD.with_suffix('.conllu')}"
    assert run("--gold", GOLD, *named, *parse, "--out", out) == 0
    overall, *others, page = capsys.readouterr().out.rstrip().split("\n\n")
    assert overall.splitlines() == [
        "            P       R      F1",
        "right  100.00  100.00  100.00",
        "worse   66.67   50.00   57.14",
    ]
    first = [table.split()[0] for table in others]
    assert first == ["predicate", "words", "role", "frames"]
    assert page == str(out / "report.html")
    described = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert described["phrase_types"]["kind"] == "phrase type"
    assert [table["parsers"] for table in described["parses"] if table["labelled"]] == [
        ["right"],
        ["worse"],
        ["D&M"],
        ["right", "worse"],
        ["right", "D&M"],
        ["worse", "D&M"],
    ]
    assert run("--gold", GOLD, "--pred", f"worse={worse}", "--out", out) == 1
    assert "report.html" in capsys.readouterr().err


def test_frequencies_of_rolesets(worse: Path, capsys: pytest.CaptureFixture):
    pred = "--pred", f"worse={worse}"
    assert run("--gold", GOLD, *pred, "--train", GOLD) == 0
    table = capsys.readouterr().out.split("\n\n")[2].splitlines()
    # Three of the four predicates have a roleset, once each.
    rows = [row.split()[:2] for row in table[1:]]
    assert rows == [["0", "0"], ["1-3", "3"], ["4-20", "0"], ["21+", "0"]]
