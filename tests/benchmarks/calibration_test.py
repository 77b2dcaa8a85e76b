"""The measurement of reliability, with an untrained model on the sample."""

import json
import sys
from pathlib import Path
from typing import Dict

import pytest

from benchmarks import calibration
from benchmarks.reliability import outcomes_of
from lisa_allennlp.data.sentence import Frame, Sentence
from tests import ROOT


@pytest.mark.medium
def test_all_tables_and_the_plot(
    archives: Dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(calibration, "TEMPERATURES", [1.0, 3.0])
    monkeypatch.setattr(calibration, "PREDICATE_THRESHOLDS", (0.01,))
    dev = calibration.read_dev(None)[:10]
    monkeypatch.setattr(calibration, "read_dev", lambda corpus: dev)
    plot, record = tmp_path / "plot.svg", tmp_path / "record.json"
    options = ["--archive", str(archives["lisa"]), "--plot", str(plot), "--json", str(record)]
    monkeypatch.setattr(sys, "argv", ["calibration", *options])
    overrides = {"model.predicate_threshold": 0.01}
    load = calibration.load_labeller

    def load_with_predicates(archive, overrides=overrides, **options):
        return load(archive, overrides={"model.predicate_threshold": 0.01, **overrides}, **options)

    monkeypatch.setattr(calibration, "load_labeller", load_with_predicates)
    assert calibration.main() == 0
    assert "<svg" in plot.read_text()
    rows = {row["system"]: row["figures"] for row in json.loads(record.read_text())["rows"]}
    assert rows["spans"]["fitted"] in (1.0, 3.0)
    for task in ("spans", "spans of right predicates", "predicates", "arcs", "tags"):
        assert 0 <= rows[f"{task}, fitted temperatures"]["ECE"] <= 100
    assert rows["tags, temperature 1"] == rows["tags, fitted temperatures"]
    assert rows["min_probability 0.0"] == rows["predicate_threshold 0.01"]


def test_probable_arguments_stay() -> None:
    frame = Frame(
        1, ["B-ARG0", "B-V", "B-ARG1"], probability=0.9, span_probabilities=[0.3, 0.2, 0.8]
    )
    sentences = [Sentence(["She", "saw", "him"], frames=[frame])]
    [few] = calibration.with_probable_arguments(sentences, 0.5)
    assert few.frames is not None and few.frames[0].tags == ["O", "B-V", "B-ARG1"]


def test_the_temperature_with_the_least_log_loss() -> None:
    gold = Sentence(["She", "saw", "him"], frames=[Frame(1, ["B-ARG0", "B-V", "B-ARG1"])])

    def run(probability):
        tags, probabilities = ["B-ARG2", "B-V", "B-ARG1"], [probability, 1.0, probability]
        frame = Frame(1, tags, probability=1.0, span_probabilities=probabilities)
        return [Sentence(gold.words, frames=[frame])]

    runs = {1.0: run(0.9), 1.5: run(0.5), 2.0: run(0.2)}
    assert calibration.best_temperature(runs, [gold], "spans") == 1.5
    assert outcomes_of(runs[1.0], [gold])["spans"].right == [False, True]
