"""Estimates of trainings: their sizes against the data, their times on set clocks."""

import json
import sys
from pathlib import Path
from typing import Any, Dict

import pytest
from allennlp.commands.train import train_model
from allennlp.common import Params

import lisa_allennlp.plugin  # noqa: F401
from experiments import estimates
from experiments.estimates import Estimate, estimate_trainings, measure
from lisa_allennlp.common.errors import ConfigurationError
from tests import ROOT
from tests.experiments.estimate_table_test import CONFIG, ESTIMATE, training

OVERRIDES: Dict[str, Any] = {"trainer.num_epochs": 3, "trainer.callbacks": [{"type": "time_limit"}]}


@pytest.mark.medium
def test_sizes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(ROOT)
    for name, value in {"LISA_DATA": "sample", "LISA_CORPUS": "", "LISA_VECTORS": ""}.items():
        monkeypatch.setenv(name, value)
    estimate = measure(CONFIG, OVERRIDES, seconds=0.05)
    model = train_model(
        Params.from_file(CONFIG, json.dumps({**OVERRIDES, "trainer.num_epochs": 1})),
        tmp_path / "run",
        return_model=True,
    )
    assert estimate.parameters == sum(parameter.numel() for parameter in model.parameters())
    derivations = [
        line
        for path in sorted((ROOT / "fixtures/ccg/AUTO").glob("0[23]/*.auto"))
        for line in path.read_text().splitlines()
        if not line.startswith("ID=")
    ]
    assert estimate.instances == len(derivations)
    assert estimate.tokens == sum(line.count("(<L ") for line in derivations)
    assert estimate.epochs == 3 and estimate.can_stop_early
    assert 0 < estimate.steps <= len(derivations)
    assert estimate.seconds_per_epoch > 0


def test_times_are_per_token(monkeypatch: pytest.MonkeyPatch):
    """Batches of 2, 8 and 2 tokens; the first one, which is slow, is not timed."""
    clock = [0.0]
    monkeypatch.setattr(estimates.time, "monotonic", lambda: clock[0])

    def batch(length: int) -> Dict[str, Any]:
        import torch

        return {"tokens": {"tokens": {"tokens": torch.ones(1, length, dtype=torch.long)}}}

    seconds = iter([100.0, 4.0, 1.0, 9.0])

    def run(batch: Dict[str, Any]) -> None:
        clock[0] += next(seconds)

    lengths = [2, 8, 2, 1]
    per_token, steps = estimates._time(map(batch, lengths), run, 104.5)
    assert per_token == pytest.approx((4 + 1) / (8 + 2)) and steps == 2


def test_estimates_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    asked = []

    def answer(configs: Dict[str, Any], environment: Any) -> Dict[str, Any]:
        asked.append(sorted(configs))
        given = {"a": {"estimate": vars(ESTIMATE)}, "broken": {"error": "no such file"}}
        return {name: {"config": configs[name], **given[name]} for name in configs}

    monkeypatch.setattr(estimates, "_in_own_process", answer)
    jobs = [training(tmp_path), training(tmp_path, "broken")]
    file = tmp_path / "out" / "estimates.json"
    for _ in range(2):
        assert estimate_trainings(jobs, file) == {"a": ESTIMATE, "broken": "no such file"}
    changed = [training(tmp_path, overrides={"trainer.num_epochs": 1})]
    estimate_trainings(changed, file)
    # What failed is asked again, and so is what has changed.
    assert asked == [["a", "broken"], ["broken"], ["a"]]


def test_a_process_that_fails_gives_no_estimates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    found = estimate_trainings([training(tmp_path)], tmp_path / "estimates.json")
    assert found == {"a": "the measurement failed"}


def test_a_config_that_cannot_be_built_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def build(config: str, overrides: Dict[str, Any]) -> Estimate:
        if config == "bad":
            raise ConfigurationError("bad: found no such file")
        return ESTIMATE

    monkeypatch.setattr(estimates, "measure", build)
    questions, answers = tmp_path / "configs.json", tmp_path / "estimates.json"
    questions.write_text(json.dumps({"x": ["bad", {}], "a": ["good", {}]}))
    estimates.main([str(questions), str(answers)])
    assert json.loads(answers.read_text()) == {
        "x": {"config": ["bad", {}], "error": "bad: found no such file"},
        "a": {"config": ["good", {}], "estimate": vars(ESTIMATE)},
    }
