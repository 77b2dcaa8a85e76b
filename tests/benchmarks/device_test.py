"""The benchmark of a device, at toy size on the CPU."""

import functools
import json
import sys
from pathlib import Path

import pytest

from benchmarks import device
from benchmarks.systems import make_lisa
from tests import ROOT
from tests.tiny_transformer import make_tiny_transformer


@pytest.mark.medium
def test_every_embedder_has_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(device, "make_lisa", functools.partial(make_lisa, num_layers=4))
    record = tmp_path / "record.json"
    named = ["--elmo", "fixtures/elmo/", "--transformer", make_tiny_transformer(tmp_path / "tiny")]
    sizes = ["--device", "cpu", "--sentences", "6", "--runs", "1", "--json", str(record)]
    monkeypatch.setattr(sys, "argv", ["device", *named, *sizes])
    assert device.main() == 0
    data = json.loads(record.read_text())
    command = "--elmo ELMO --transformer TRANSFORMER --device cpu --sentences 6 --runs 1"
    assert data["commands"]["measure"] == f"python -m benchmarks.device {command}"
    figures = {row["system"]: row["figures"] for row in data["rows"]}
    for words in ("vectors", "ELMo", "transformer"):
        for precision in ("float32", "bfloat16", "bfloat16 throughout"):
            if (words, precision) == ("vectors", "bfloat16 throughout"):
                continue
            for what in ("training", "labelling"):
                row = figures[f"{words} {precision} {what}"]
                assert row["words/s"] > row["sentences/s"] > 0
            assert figures[f"{words} {precision}"]["peak, MB"] > 0
