"""Teaching: a trained model learns from a few more sentences."""

import json
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional

from allennlp.models.archival import CONFIG_NAME

from lisa_allennlp.data.dataset_readers.srl_reader import read_sentences_to_learn
from lisa_allennlp.data.known_labels import held_out
from lisa_allennlp.data.sentence import Sentence

RATE_WITHOUT_REPLAY = 0.4
"""The factor of the learning rate where no known sentences keep the model from forgetting."""


def with_teaching(
    config: Mapping[str, Any], replay: Optional[str] = None, hold_out: bool = False
) -> Dict[str, Any]:
    """
    Returns the config of a training on corrections. Sentences of the file `replay` are mixed in;
    without it, the learning rate is smaller. With `hold_out`, some corrected sentences are left
    out, as `held_out` says.
    """
    reader = config["dataset_reader"]
    changed = {
        **config,
        "dataset_reader": {**reader, "hold_out": hold_out},
        "validation_dataset_reader": reader,
    }
    if replay is not None:
        changed["train_data_path"] = {"new": config["train_data_path"], "replay": replay}
        return changed
    optimizer = config["trainer"]["optimizer"]
    slower = {**optimizer, "lr": optimizer["lr"] * RATE_WITHOUT_REPLAY}
    return {**changed, "trainer": {**config["trainer"], "optimizer": slower}}


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
