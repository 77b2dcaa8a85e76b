"""The report that every benchmark ends in."""

import json
import math
import os
import sys
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.common import Report, make_parser, read_sentences, readable, rounded
from tests import ROOT


def report(*arguments: str) -> Report:
    return Report("speed", make_parser("").parse_args(arguments))


def test_bars_decide_the_exit_status_only_with_check(capsys: pytest.CaptureFixture) -> None:
    for arguments, value, status in [([], 1.0, 0), (["--check"], 1.0, 1), (["--check"], 2.0, 0)]:
        result = report(*arguments)
        result.at_least("ratio", value, 2.0)
        result.at_most("share", 5.0, 5.0)
        assert result.finish() == status
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "speed: 2 of 2 bars met (on the sample: the bars are meant for EWT)"
    assert any(line.startswith("speed: 1 of 2 bars met; missed: ratio") for line in lines)


def test_json_is_a_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "speed.json"
    arguments = ["--threads", "1", "--json", str(path)]
    monkeypatch.setattr(sys, "argv", ["speed", *arguments])
    result = report(*arguments)
    result.table(["varied", "to", "ms", "MB"], [["length", "10", 1.23456, math.nan]])
    result.at_most("share", [7.0, 4.0, 4.5], 5.0)
    assert result.finish() == 0
    record = json.loads(path.read_text())
    assert record["rows"] == [
        {"system": "length 10", "figures": {"ms": 1.235}},
        {
            "system": "speed",
            "figures": {"share": [7, 4, 4.5]},
            "bars": {"share": ["<=", 5.0]},
        },
    ]
    assert record["commands"] == {"measure": "python -m benchmarks.speed --threads 1"}
    assert record["data"] == "640 sentences of the sample"
    assert record["setting"] == "1 thread, CPU seconds"
    assert f"torch {torch.__version__.split('+')[0]}" in record["software"]
    assert record["hardware"].endswith(f"{os.cpu_count()} cores")


@given(st.floats(1e-3, 1e8) | st.integers(-(10**8), 10**8))
def test_rounding_keeps_four_digits(value: float) -> None:
    assert rounded(value) == pytest.approx(value, rel=5e-4)
    assert float(readable(value).replace(",", "")) == rounded(value)


def test_the_sample_is_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    sentences = read_sentences(None, 900)
    assert len(sentences) == 900
    assert len({id(sentence) for sentence in sentences}) < 900
