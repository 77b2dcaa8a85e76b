import json
from pathlib import Path
from typing import Any, Dict, Optional

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.data import Instance, Vocabulary

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.data.fields import LabelsField
from lisa_allennlp.labelling.loading import load_labeller
from lisa_allennlp.models.lisa import Lisa
from lisa_allennlp.models.lisa_loss import GoldLabels
from lisa_allennlp.modules.seq2seq_encoders.syntactically_informed_self_attention import (
    EncodedSentences,
)
from lisa_allennlp.sentence.sentence import Sentence
from tests import ROOT
from tests.models.lisa_test import SMALL


class LengthsReader(Conll12SrlReader):
    """Adds the number of characters of each word."""

    def text_to_instance(self, sentence: Sentence) -> Instance:
        instance = super().text_to_instance(sentence)
        words = sentence.words
        instance.add_field("lengths", LabelsField([len(w) for w in words], instance["tokens"]))
        return instance


class LengthsLisa(Lisa):
    """Its loss and the sums of the batches are known without the network."""

    def __init__(self, vocab: Vocabulary, weight: float = 1.0, **kwargs: Any) -> None:
        super().__init__(vocab, **kwargs)
        self._weight = weight
        self._layer = torch.nn.Linear(self._encoder.get_output_dim(), 1)
        torch.nn.init.zeros_(self._layer.weight)
        torch.nn.init.zeros_(self._layer.bias)

    def auxiliary_losses(
        self, encoded: EncodedSentences, gold: GoldLabels, lengths: Optional[torch.Tensor] = None
    ) -> Dict[str, torch.Tensor]:
        if lengths is None:
            return {}
        predicted = self._layer(encoded.layout.unpack(encoded.states)).squeeze(-1)
        errors = (predicted - lengths)[lengths >= 0]
        return {"length": self._weight * errors.abs().sum()}


@pytest.mark.medium
def test_a_task_with_a_field_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    reader, model = f"{__name__}.LengthsReader", f"{__name__}.LengthsLisa"
    overrides = {
        **SMALL,
        "trainer.num_epochs": 1,
        "dataset_reader.type": reader,
        "model.type": model,
        # The layer stays as it is, so every word costs its length.
        "trainer.no_grad": [r"^_layer\."],
        "model.weight": 0.5,
    }
    config = Params.from_file("training_configs/lisa_glove.jsonnet", json.dumps(overrides))
    train_model(config, tmp_path / "out")
    metrics = json.loads((tmp_path / "out/metrics.json").read_text())
    sentences = list(Conll12SrlReader().read_sentences("fixtures/sample/dev.gold_conll"))[:24]
    batches = [sentences[start : start + 8] for start in range(0, 24, 8)]
    means = [
        sum(len(word) for s in batch for word in s.words) / sum(len(s.words) for s in batch)
        for batch in batches
    ]
    assert metrics["validation_length_loss"] == pytest.approx(0.5 * sum(means) / 3, rel=1e-5)
    tasks = ("srl", "joint_tag", "arc", "head_tag", "length")
    expected = sum(metrics[f"validation_{task}_loss"] for task in tasks)
    assert metrics["validation_loss"] == pytest.approx(expected, rel=1e-5)

    labeller = load_labeller(tmp_path / "out/model.tar.gz", allow_types=[reader, model])
    assert labeller("She sold him the car.").heads is not None
    with pytest.raises(ConfigurationError, match="found the fields lengths; expected .* Lengths"):
        Lisa.auxiliary_losses(labeller.engine.model, None, GoldLabels(), lengths=None)
