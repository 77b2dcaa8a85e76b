"""Teaching: a trained model learns from a few more sentences."""

import json
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional

from allennlp.models.archival import CONFIG_NAME

from lisa_allennlp.data.corrections import held_out
from lisa_allennlp.data.dataset_readers.srl_reader import read_sentences_to_learn
from lisa_allennlp.data.sentence import Sentence

RATE, RATE_WITHOUT_REPLAY = 0.4, 0.2
"""The factors of the learning rate: a few sentences change little, and alone still less."""


def with_teaching(
    config: Mapping[str, Any], replay: Optional[str] = None, hold_out: bool = False
) -> Dict[str, Any]:
    """
    Returns the config of a training on corrections, with a smaller learning rate. Sentences of the
    file `replay` are mixed in; without it, the rate is smaller still. With `hold_out`, some
    corrected sentences are left out, as `held_out` says.
    """
    reader, trainer = config["dataset_reader"], config["trainer"]
    optimizer, factor = trainer["optimizer"], RATE_WITHOUT_REPLAY if replay is None else RATE
    changed = {
        **config,
        "dataset_reader": {**reader, "hold_out": hold_out},
        "validation_dataset_reader": reader,
        "trainer": {**trainer, "optimizer": {**optimizer, "lr": optimizer["lr"] * factor}},
    }
    if replay is not None:
        changed["train_data_path"] = {"new": config["train_data_path"], "replay": replay}
        changed["dataset_reader"]["passes"] = trainer["num_epochs"]
    return changed


def sentences_to_compare_on(folder: Path) -> List[Sentence]:
    """
    Returns the sentences that a model in a training folder did not learn from, to compare it with
    the model that it continues from: those of `--dev` or else those held out, if there are any.
    """
    config = json.loads((folder / CONFIG_NAME).read_text(encoding="utf-8"))
    reader = config["dataset_reader"]
    # Models for given predicates label none of their own.
    if reader["type"] != "annotated_srl" or reader.get("one_predicate_per_instance"):
        return []
    if config.get("validation_data_path") is not None:
        return read_sentences_to_learn(config["validation_data_path"]).bare_sentences
    if not reader.get("hold_out"):
        return []
    path = config["train_data_path"]
    new = path["new"] if isinstance(path, dict) else path
    return held_out(read_sentences_to_learn(new).bare_sentences)
