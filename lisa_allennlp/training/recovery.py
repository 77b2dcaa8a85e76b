"""
Prepares the folder of a training that is to be recovered.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = Path(folder.name, "config.json")
    >>> _ = file.write_text('{"trainer": {"num_epochs": 3}}')
    >>> prepare_recovery(Params({"trainer": {"num_epochs": 5}}), Path(folder.name))
    >>> json.loads(file.read_text())
    {'trainer': {'num_epochs': 5}}
    >>> folder.cleanup()
"""

import json
from pathlib import Path
from typing import Any, Dict, Optional

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.models.archival import CONFIG_NAME

from lisa_allennlp.common.complete_files import complete_file

NUM_EPOCHS = "trainer.num_epochs"
"""The only key of a config that may change."""

_ABSENT = object()


def prepare_recovery(params: Params, folder: Path) -> None:
    """
    Makes AllenNLP, which continues trainings with an unchanged config only, also accept another
    number of epochs, and a training that was killed while it wrote its config.

    # Parameters

    params : `Params`
        The config, with its overrides.
    folder : `Path`
        The serialization directory. AllenNLP reports a folder that is missing, or that no training
        has written.

    # Raises

    `ConfigurationError`
        If the config differs from the one that the training began with.
    """
    file = folder / CONFIG_NAME
    if not folder.is_dir() or (not file.exists() and any(folder.iterdir())):
        return
    old = _read(file)
    if old is not None:
        _check(Params(params.as_dict(quiet=True)).as_flat_dict(), Params(old).as_flat_dict(), file)
    if old != params.as_dict(quiet=True):
        with complete_file(file) as partial:
            params.to_file(str(partial))


def _read(file: Path) -> Optional[Dict[str, Any]]:
    """The config; `None` if it was not written to its end."""
    try:
        config: Dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    return config


def _check(new: Dict[str, Any], old: Dict[str, Any], file: Path) -> None:
    for key in sorted(new.keys() | old.keys()):
        values = [config.get(key, _ABSENT) for config in (new, old)]
        if key != NUM_EPOCHS and values[0] != values[1]:
            found, expected = ("no value" if v is _ABSENT else json.dumps(v) for v in values)
            raise ConfigurationError(
                f"{key}: found {found}; expected {expected}, as in {file}, because --recover "
                f"continues the same training. Only {NUM_EPOCHS} may change"
            )
