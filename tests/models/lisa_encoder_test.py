"""LISA over a Hugging Face encoder: trained, saved, loaded, evaluated and asked."""

import json
from pathlib import Path

import pytest
from allennlp.commands.evaluate import evaluate_from_archive
from allennlp.common.testing import ModelTestCase
from allennlp.predictors import Predictor

import lisa_allennlp.plugin  # noqa: F401
from tests import ROOT
from tests.models.lisa_test import SMALL
from tests.tiny_transformer import make_tiny_transformer


class TestLisaEncoder(ModelTestCase):
    @pytest.mark.medium
    def test_it_trains_saves_loads_evaluates_and_predicts(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(ROOT)
        monkeypatch.setenv("HF_HUB_OFFLINE", "1")
        monkeypatch.setenv("LISA_TRANSFORMER", make_tiny_transformer(tmp_path / "tiny"))
        self.ensure_model_can_train_save_and_load(
            ROOT / "training_configs/lisa_encoder.jsonnet",
            overrides=json.dumps(SMALL),
            tolerance=1e-4,
        )
        archive = self.TEST_DIR / "save_and_load_test" / "model.tar.gz"
        # What a model reads is written in its archive.
        monkeypatch.setenv("LISA_TRANSFORMER", "")
        metrics = evaluate_from_archive(archive, "fixtures/sample/test.gold_conll")
        assert {"srl_f1", "las", "pos_accuracy", "predicate_f1"} <= set(metrics)
        predictor = Predictor.from_path(archive)
        answers = predictor.predict_batch_json(
            [{"tokens": ["\u200b"]}, {"sentence": "She saw him ."}, {"tokens": ["a" * 300] * 3}]
        )
        assert [len(answer["predicted_heads"]) for answer in answers] == [1, 4, 3]
        for answer in answers:
            assert all(0 <= p <= 1 for p in answer["predicate_probabilities"])
