"""The supertagger, trained through every config that the project ships for it."""

import json
from pathlib import Path
from typing import Any, Dict, List

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.testing import ModelTestCase
from allennlp.data import DatasetReader, Vocabulary
from allennlp.models import Model, load_archive
from allennlp.modules import Seq2SeqEncoder
from allennlp.nn.util import get_text_field_mask

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.formats.ccg import RARE_CATEGORY
from lisa_allennlp.models_on_disk.archives.opening import check_types
from lisa_allennlp.sentence.sentence import Sentence
from tests import ROOT
from tests.models.batches import make_instances, make_tensors

FOLDER = ROOT / "training_configs" / "ccg"
QUICK = ("jordan", "lstm_drop_words", "stacked_bilstm_mlp_gate")
"""The other configs combine the parts of these networks, or have other gates."""

CONFIGS = [
    path if path.stem in QUICK else pytest.param(path, marks=pytest.mark.slow)
    for path in sorted(FOLDER.glob("*.jsonnet"))
]
SMALL = {"dataset_reader.max_instances": 4, "trainer.num_epochs": 1}


class TestEveryConfig(ModelTestCase):
    @pytest.mark.medium
    @pytest.mark.parametrize("config", CONFIGS, ids=lambda path: path.stem)
    def test_train_save_load_and_predict(
        self, config: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(ROOT)
        _, model = self.ensure_model_can_train_save_and_load(
            config, overrides=json.dumps(SMALL), tolerance=1e-4
        )
        archive = load_archive(self.TEST_DIR / "save_and_load_test" / "model.tar.gz")
        output = predict(archive.model.eval(), archive.validation_dataset_reader, SENTENCES)
        assert [len(row["supertags"]) for row in output] == [3, 1]


SENTENCES = [
    Sentence("Traders fell .".split(), None, supertags=["N", r"S[dcl]\NP", "."]),
    Sentence(["Qwertz"], None, supertags=[r"(S[never]\NP[seen])/N"]),
]


def make_batch(model: Model, reader: DatasetReader, sentences: List[Any]) -> Dict[str, Any]:
    return make_tensors(model.vocab, make_instances(reader, sentences))


@torch.no_grad()
def predict(model: Model, reader: DatasetReader, sentences: List[Any]) -> List[Dict[str, Any]]:
    return model.forward_on_instances(make_instances(reader, sentences))


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("ccg") / "trained"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        overrides = {"trainer.num_epochs": 4, "trainer.optimizer.lr": 0.1}
        params = Params.from_file(FOLDER / "mlp_no_dyn.jsonnet", json.dumps(overrides))
        train_model(params, folder)
        archive = load_archive(folder / "model.tar.gz")
    archive.model.eval()
    return archive


@pytest.fixture
def reader(archive: Any) -> DatasetReader:
    return archive.validation_dataset_reader


@pytest.fixture
def model(archive: Any) -> Model:
    archive.model.get_metrics(reset=True)
    archive.model._beta = 1.0
    return archive.model


def read(reader: DatasetReader, sections: str) -> List[Sentence]:
    return list(reader.read_sentences(f"{ROOT}/fixtures/ccg/AUTO#{sections}"))


@pytest.mark.medium
@torch.no_grad()
def test_loss_is_equation_23_written_out(model: Model, reader: DatasetReader) -> None:
    sentences = read(reader, "00")[:3]
    loss = model(**make_batch(model, reader, sentences))["loss"]
    vocab = model.vocab.get_token_to_index_vocabulary("supertag_labels")
    total = 0.0
    for sentence in sentences:
        batch = make_batch(model, reader, [sentence])
        mask = torch.ones(1, len(sentence.words), dtype=torch.bool)
        states = model._encoder(model._text_field_embedder(batch["tokens"]), mask)
        distributions = torch.softmax(model._output_layer(states)[0], -1)
        for distribution, supertag in zip(distributions, sentence.supertags, strict=True):
            total -= distribution[vocab.get(supertag, vocab[RARE_CATEGORY])].log()
    torch.testing.assert_close(loss, total / 3, rtol=1e-4, atol=1e-4)


def test_metrics_are_counted_from_strings(model: Model, reader: DatasetReader) -> None:
    """Accuracies as a reader of the output would count them, from words and categories alone."""

    def normal(word: str) -> str:
        return "".join("9" if c.isdigit() else c for c in word.lower())

    training = read(reader, "02-03")
    words = {normal(word) for sentence in training for word in sentence.words}
    supertags = [supertag for sentence in training for supertag in sentence.supertags]
    gold = read(reader, "00")
    model._beta = 0.0
    rows, in_top5 = [], []
    for sentence, output in zip(gold, predict(model, reader, gold), strict=True):
        columns = (output["supertags"], output["candidates"])
        labels = zip(sentence.words, sentence.supertags, *columns, strict=True)
        for word, gold_tag, found, ranked in labels:
            is_rare = supertags.count(gold_tag) < 3
            rows.append((gold_tag == found, normal(word) not in words, is_rare))
            in_top5.append(gold_tag in dict(ranked[:5]))
    metrics = model.get_metrics()
    unseen, rare = [r for r, u, _ in rows if u], [r for r, _, is_rare in rows if is_rare]
    assert unseen and rare
    assert metrics["accuracy"] == pytest.approx(100 * sum(r for r, _, _ in rows) / len(rows))
    assert metrics["unseen_word_accuracy"] == pytest.approx(100 * sum(unseen) / len(unseen))
    assert metrics["rare_supertag_accuracy"] == pytest.approx(100 * sum(rare) / len(rare))
    assert metrics["top5_accuracy"] == pytest.approx(100 * sum(in_top5) / len(in_top5))
    assert 40 < metrics["accuracy"] < metrics["top5_accuracy"] < 100


@torch.no_grad()
def test_the_rare_symbol_is_never_right(model: Model, reader: DatasetReader) -> None:
    bias = model._output_layer.bias
    before = bias.clone()
    bias[model.vocab.get_token_index(RARE_CATEGORY, "supertag_labels")] = 50.0
    try:
        # The model is sure that all is rare, and still wrong about a rare category.
        model(**make_batch(model, reader, SENTENCES[1:]))
        assert model.get_metrics()["accuracy"] == 0.0
    finally:
        bias.copy_(before)


@pytest.mark.parametrize("beta", [0.0, 0.1])
def test_candidates_are_those_within_beta_of_the_best(
    model: Model, reader: DatasetReader, beta: float
) -> None:
    sentences = read(reader, "00")[:5]
    names = model.vocab.get_index_to_token_vocabulary("supertag_labels")
    batch = make_batch(model, reader, sentences)
    with torch.no_grad():
        logits = model._logits(batch["tokens"], get_text_field_mask(batch["tokens"]))
    probabilities = logits.softmax(-1)
    for row, output in enumerate(model.label(**batch, options=LabelOptions(beta=beta))):
        for t, ranked in enumerate(output.candidates):
            of_token = probabilities[row, t].tolist()
            expected = {
                names[n]
                for n, p in enumerate(of_token)
                if p >= beta * max(of_token) and names[n] != RARE_CATEGORY
            }
            assert {supertag for supertag, _ in ranked} == expected
            values = [p for _, p in ranked]
            assert values == sorted(values, reverse=True)
            assert ranked[0].supertag == output.supertags[t]
            if beta == 0:
                assert len(ranked) == model._num_supertags


def test_the_layer_of_older_models_opens_by_its_name() -> None:
    layer = {"type": "fast_lstm", "input_size": 5, "hidden_size": 4, "bidirectional": True}
    model = {"type": "ccg_supertagger", "encoder": layer}
    check_types({"dataset_reader": {"type": "ccgbank_supertags"}, "model": model}, "config.json")
    assert Seq2SeqEncoder.from_params(Params(layer))(torch.randn(1, 6, 5), None).size(-1) == 8


def make_params(**overrides: Any) -> Params:
    # There are no vectors for the words of an empty vocabulary.
    overrides["model.text_field_embedder.token_embedders.tokens.pretrained_file"] = None
    params = Params.from_file(FOLDER / "mlp.jsonnet", json.dumps(overrides))
    return params["model"]


def test_a_model_without_supertags_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    with pytest.raises(ConfigurationError, match="no supertags in the vocabulary's namespace"):
        Model.from_params(make_params(), vocab=Vocabulary())


def test_without_a_rare_symbol_other_categories_are_left_out_of_the_loss(
    monkeypatch: pytest.MonkeyPatch, reader: DatasetReader
) -> None:
    monkeypatch.chdir(ROOT)
    vocab = Vocabulary(tokens_to_add={"supertag_labels": ["N", "."]})
    model = Model.from_params(make_params(), vocab=vocab).eval()
    with torch.no_grad():
        both = model(**make_batch(model, reader, SENTENCES))["loss"]
        assert model.get_metrics(reset=True)["accuracy"] <= 50.0
        seen = model(**make_batch(model, reader, SENTENCES[:1]))["loss"]
    torch.testing.assert_close(both * 2, seen)
