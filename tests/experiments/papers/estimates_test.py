import json
from pathlib import Path
from typing import Any, Dict

import pytest
from allennlp.commands.train import train_model
from allennlp.common import Params

import lisa_allennlp.plugin  # noqa: F401
from experiments.papers.estimates import measure
from tests import ROOT

CONFIG = "training_configs/ccg/mlp.jsonnet"
OVERRIDES: Dict[str, Any] = {"trainer.num_epochs": 3, "trainer.callbacks": [{"type": "time_limit"}]}


@pytest.mark.medium
def test_sizes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(ROOT)
    for name, value in {"LISA_DATA": "sample", "LISA_CORPUS": "", "LISA_VECTORS": ""}.items():
        monkeypatch.setenv(name, value)
    estimate = measure(CONFIG, {**OVERRIDES, "include_in_archive": []}, seconds=0.05)
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
