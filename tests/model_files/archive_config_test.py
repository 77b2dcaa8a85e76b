"""Errors for the configs of archives that someone else may have made."""

from typing import Any, Dict

import pytest
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.model_files.archive_config import check_archived

LONG = "x" * 100_000


@pytest.mark.parametrize(
    "section, entry, found",
    [
        ("model", {"type": f"os.{LONG}"}, "model.type: found the type 'os.x"),
        ("model", {"type": LONG}, "model.type: found the type 'x"),
        ("model", {"type": [LONG]}, r"model.type: found \['x"),
        ("model", {LONG: {"type": "os.system"}}, "model.x.*: found the type 'os.system'"),
        ("model", {LONG: {"type": 3}}, "model.x.*: found 3"),
        ("model", {"embedder": f"https://{LONG}"}, "model.embedder: found 'https://x"),
        ("trainer", {"type": f"os.{LONG}"}, "trainer.type: found the type 'os.x"),
        ("data_loader", {"name": f"os.{LONG}"}, "data_loader.name: found 'os.x"),
    ],
)
def test_errors_are_short(section: str, entry: Dict[str, Any], found: str) -> None:
    config: Dict[str, Any] = {"dataset_reader": {"type": "conll12_srl"}, "model": {"type": "lisa"}}
    config[section] = {**config.get(section, {}), **entry}
    with pytest.raises(ConfigurationError, match=f"^config.json: {found}") as raised:
        check_archived(config, "config.json")
    assert len(raised.value.message) < 1500
