"""Estimates of trainings: sizes against the data, times on set clocks, and their description."""

import json
from pathlib import Path
from typing import Any, Dict

import pytest
from allennlp.commands.train import train_model
from allennlp.common import Params

import lisa_allennlp.plugin  # noqa: F401
from experiments.jobs import Training
from experiments.papers import estimates
from experiments.papers.estimates import Estimate, describe, estimate_trainings, measure
from lisa_allennlp.common.errors import ConfigurationError
from tests import ROOT

CONFIG = "training_configs/ccg/mlp.jsonnet"
ESTIMATE = Estimate(
    parameters=1_234_567,
    instances=600,
    tokens=7_488,
    epochs=10,
    can_stop_early=True,
    seconds_per_epoch=1800.0,
    steps=20,
)


def training(folder: Path, network: str = "a", seed: int = 1, **options: Any) -> Training:
    name = f"{network}.seed{seed}"
    return Training(f"train-{name}", folder / name, network=network, config=CONFIG, **options)


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


def test_description(tmp_path: Path):
    jobs = [training(tmp_path, seed=1), training(tmp_path, seed=2), training(tmp_path, "broken")]
    # Four of ten epochs of the first one are done.
    jobs[0].output.mkdir()
    for epoch in range(4):
        (jobs[0].output / f"metrics_epoch_{epoch}.json").touch()
    found = {"a": ESTIMATE, "broken": "x.txt: found no such file"}
    header, row, _, sentence, broken = describe(jobs, found).splitlines()
    assert row.split("  ")[0] == "a"
    for cell in ("1,234,567", "600", "7,488", "10 of 30 min", "  2  ", "8.0 h"):
        assert cell in row
    assert broken == "Not estimated: broken, x.txt: found no such file"
    assert sentence.startswith("All trainings: about 8.0 h, less if early stopping ends some. ")
