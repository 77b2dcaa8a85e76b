"""The benchmark of a device, at toy size on the CPU."""

import functools
import json
import sys
from pathlib import Path

import pytest

from benchmarks import device
from benchmarks.common import clock, read_sentences
from benchmarks.systems import Words, make_lisa, word_vectors
from tests import ROOT
from tests.tiny_transformer import make_tiny_transformer

ELMO = "fixtures/elmo/"


@pytest.fixture(autouse=True)
def checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(device, "make_lisa", functools.partial(make_lisa, num_layers=4))


def on_cpu(words: Words, precision: str = "float32") -> device.OnDevice:
    sentences = [s for s in read_sentences(None, 8) if s.frames]
    return device.OnDevice(device.make_lisa(sentences, words=words), "cpu", precision, 50)


@pytest.mark.medium
def test_every_embedder_has_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    record = tmp_path / "record.json"
    named = ["--elmo", ELMO, "--transformer", make_tiny_transformer(tmp_path / "tiny")]
    sizes = ["--device", "cpu", "--sentences", "6", "--runs", "1", "--json", str(record)]
    monkeypatch.setattr(sys, "argv", ["device", *named, *sizes])
    assert device.main() == 0
    assert "device: " in capsys.readouterr().out.splitlines()[-1]
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
                assert row["embedder, %"] < 100
            assert figures[f"{words} {precision}"]["peak, MB"] > 0


@pytest.mark.medium
def test_the_share_is_that_of_the_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    lisa = on_cpu(word_vectors())
    model = lisa.system.model
    embedder = model._text_field_embedder
    now = [0.0]

    def lasts(seconds: float):
        def add(*_) -> None:
            now[0] += seconds

        return add

    embedder.register_forward_hook(lasts(3.0))
    model._joint_tagger.register_forward_hook(lasts(1.0))
    monkeypatch.setattr(clock, "_now", lambda: now[0])
    for run, batches in ((lisa.train, lisa.training), (lisa.label, lisa.labelling)):
        assert lisa.costs(run, 2) == (4.0 * len(batches), 75.0)
    assert model._text_field_embedder is embedder
