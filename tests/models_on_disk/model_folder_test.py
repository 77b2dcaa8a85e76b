"""Configs of older models."""

import json
import shutil
from pathlib import Path
from typing import Any, Dict

import pytest

from lisa_allennlp import load
from lisa_allennlp.models_on_disk.model_folder import with_lexicon
from lisa_allennlp.models_on_disk.pretrained import resolve


@pytest.mark.parametrize(
    "older, expected",
    [
        ({"sense_inventory": "propbank", "role_context": "ewt"}, {"lexicon": "english"}),
        ({"well_formed_frames": True, "token_context": None}, {"well_formed_frames": True}),
        ({"sense_context": "ewt", "lexicon": None}, {"lexicon": None}),
    ],
)
def test_older_keys(older: Dict[str, Any], expected: Dict[str, Any]) -> None:
    assert with_lexicon(older) == expected


@pytest.mark.parametrize("engine", ["onnx", "torch"])
def test_models_with_older_keys_open(engine: str, tmp_path: Path) -> None:
    folder = shutil.copytree(resolve("english-fast"), tmp_path / "older")
    config = json.loads((folder / "config.json").read_text("utf-8"))
    del config["model"]["lexicon"]
    config["model"].update({"sense_inventory": "propbank", "token_context": "ewt"})
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    # The training data lacks the roleset; without the inventory, it would be `wrangling.01`.
    assert (
        load(str(folder), engine=engine)("Their wrangling ended .").frames[0].sense == "wrangle.01"
    )
