"""The D&M parser: against its equations written out, and trained through its configs."""

import dataclasses
import json
import re
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import numpy
import pytest
import torch
from allennlp.common import Params
from allennlp.common.testing import ModelTestCase
from allennlp.data import Vocabulary
from allennlp.models import Model

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers import ConlluParsesReader
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.sentence.sentence import Parse, Sentence
from lisa_allennlp.training.configs import check_config
from tests import FIXTURES, ROOT
from tests.decoding.trees_test import best_tree_by_enumeration
from tests.models.batches import make_instances, make_tensors

CONFIGS = sorted((ROOT / "training_configs").glob("dm_*.jsonnet"))
SMALL = {
    "dataset_reader.max_instances": 24,
    # Batches in the order of the file, so that two runs can be compared.
    "data_loader.batch_sampler": None,
    "data_loader.batch_size": 8,
    "validation_data_loader.batch_sampler": None,
    "validation_data_loader.batch_size": 8,
    "model.encoder.num_layers": 2,
    "model.encoder.hidden_dim": 32,
    "model.attention.arc_dim": 24,
    "model.attention.label_dim": 16,
    "model.precision": "float32",
    "trainer.num_epochs": 2,
}


class TestEveryConfig(ModelTestCase):
    @pytest.mark.medium
    @pytest.mark.parametrize(
        "config",
        [
            path if path.stem == "dm_small" else pytest.param(path, marks=pytest.mark.slow)
            for path in CONFIGS
        ],
        ids=lambda path: path.stem,
    )
    def test_train_save_and_load(self, config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(ROOT)
        self.ensure_model_can_train_save_and_load(
            config, overrides=json.dumps({**SMALL, "trainer.num_epochs": 1}), tolerance=1e-4
        )


def read_sample() -> List[Sentence]:
    reader = ConlluParsesReader(use_language_specific_pos=True)
    return list(reader.read_sentences(FIXTURES / "sample" / "dev.conllu"))


def make_batch(vocab: Vocabulary, sentences: List[Sentence]) -> Dict[str, Any]:
    return make_tensors(vocab, make_instances(ConlluParsesReader(), sentences))


def make_vocab(sentences: List[Sentence]) -> Vocabulary:
    return Vocabulary.from_instances(make_instances(ConlluParsesReader(), sentences))


def make_model(vocab: Optional[Vocabulary] = None, **options: Any) -> Model:
    """With random parameters, by default for the words and labels of the sample."""
    torch.manual_seed(7)
    params: Dict[str, Any] = {
        "type": "deep_biaffine_parser",
        "text_field_embedder": {
            "token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 6}}
        },
        "pos_tag_embedding": {"embedding_dim": 4, "vocab_namespace": "pos"},
        "encoder": {"type": "variational_bidirectional_rnn", "hidden_dim": 8, "num_layers": 1},
        "attention": {"arc_dim": 7, "label_dim": 5},
        **options,
    }
    model = Model.from_params(Params(params), vocab=vocab or make_vocab(read_sample()))
    for name, parameter in model.named_parameters():
        if "_form." in name:
            torch.nn.init.normal_(parameter)
    return model.eval()


@pytest.fixture
def model() -> Model:
    return make_model()


@torch.no_grad()
def scores_of(model: Model, sentence: Sentence) -> Tuple[numpy.ndarray, numpy.ndarray]:
    """Of the arcs of one sentence alone, (T, T), and of their labels, (T, T, num_labels)."""
    batch = make_batch(model.vocab, [sentence])
    words = model._text_field_embedder(batch["words"])
    inputs = torch.cat([words, model._pos_tag_embedding(batch["pos_tags"])], -1)
    tokens = model._encoder(inputs, torch.ones(inputs.shape[:2], dtype=torch.bool))
    states = torch.cat([model._root.expand(1, 1, -1), tokens], 1)
    length, scorer = len(sentence.words), model._arc_scorer
    labels = [scorer.score_labels(states, torch.full((1, length), q))[0] for q in range(length)]
    return scorer.score_arcs(states)[0].numpy(), torch.stack(labels, 1).numpy()


def negative_log_probability(scores: numpy.ndarray, choice: int) -> float:
    return numpy.logaddexp.reduce(scores) - scores[choice]


@torch.no_grad()
def test_loss_is_the_papers_equations_written_out(model: Model) -> None:
    """The cross-entropies of heads and of the labels of gold arcs; unknown labels do not count."""
    first, second, third = read_sample()[:3]
    unheard = ["unheard-of", *first.parse.head_tags[1:]]
    first = dataclasses.replace(first, parse=Parse(first.parse.head_indices, unheard))
    numbers = model.vocab.get_token_to_index_vocabulary("head_tags")
    arc_losses, label_losses = [], []
    for sentence in (first, second, third):
        arcs, labels = scores_of(model, sentence)
        heads = sentence.parse.head_indices
        for token, (head, tag) in enumerate(zip(heads, sentence.parse.head_tags, strict=True)):
            arc_losses.append(negative_log_probability(arcs[token], head))
            if tag in numbers:
                scores = labels[token, head]
                label_losses.append(negative_log_probability(scores, numbers[tag]))
    assert len(label_losses) == len(arc_losses) - 1
    loss = float(model(**make_batch(model.vocab, [first, second, third]))["loss"])
    metrics = model.get_metrics(reset=True)
    assert metrics["arc_loss"] == pytest.approx(numpy.mean(arc_losses), rel=1e-4)
    assert metrics["head_tag_loss"] == pytest.approx(numpy.mean(label_losses), rel=1e-4)
    assert loss == pytest.approx(metrics["arc_loss"] + metrics["head_tag_loss"])


@pytest.mark.parametrize("root_label", ["root", "top"])
def test_parses_are_the_best_of_all_trees_with_the_best_labels(root_label: str) -> None:
    """Without a label `root`, any arc may have any label."""
    sentences = []
    for sentence in read_sample():
        tags = [root_label if tag == "root" else tag for tag in sentence.parse.head_tags]
        parse = Parse(sentence.parse.head_indices, tags)
        sentences.append(dataclasses.replace(sentence, parse=parse))
    model = make_model(make_vocab(sentences))
    names = model.vocab.get_index_to_token_vocabulary("head_tags")
    sentences = [s for s in sentences if len(s.words) <= 5]
    assert len(sentences) > 8
    parses = model.label(**make_batch(model.vocab, sentences), options=LabelOptions(details=True))
    for sentence, parsed in zip(sentences, parses, strict=True):
        arcs, labels = scores_of(model, sentence)
        numpy.testing.assert_allclose(parsed.arc_scores, arcs, rtol=1e-3, atol=1e-4)
        heads = best_tree_by_enumeration(arcs)
        tags = []
        for token, head in enumerate(heads):
            is_root = head == token
            allowed = [n for n in names if root_label == "top" or (names[n] == "root") == is_root]
            tags.append(names[max(allowed, key=labels[token, head].__getitem__)])
        expected = Sentence(sentence.words, sentence.pos, parse=Parse(heads, tags))
        assert dataclasses.replace(parsed, arc_scores=None) == expected


def test_labelling_does_what_evaluation_does_and_leaves_metrics_alone(model: Model) -> None:
    batch = make_batch(model.vocab, read_sample()[:6])
    with torch.no_grad():
        evaluated = model(**batch)["sentences"]
    metrics = model.get_metrics(reset=True)
    unlabelled = {name: batch[name] for name in ("words", "pos_tags", "metadata")}
    assert model.label(**batch) == model.label(**unlabelled) == evaluated
    assert all(sentence.arc_scores is None for sentence in evaluated)
    assert metrics["uas_with_punct"] > 0
    assert model.get_metrics().keys() == {"arc_loss", "head_tag_loss"}


def test_training_needs_trees_and_a_model_their_labels(model: Model) -> None:
    bare = [dataclasses.replace(sentence, parse=None) for sentence in read_sample()[:2]]
    batch = make_batch(model.vocab, bare)
    assert "loss" not in model(**batch)
    model.train()
    with pytest.raises(ConfigurationError, match="cannot train without gold trees; found"):
        model(**batch)
    with pytest.raises(ConfigurationError, match="found no labels in the vocabulary's namespace"):
        make_model(make_vocab(bare))


def test_models_are_built_with_each_documented_override() -> None:
    page = (ROOT / "docs" / "results" / "parsers.md").read_text()
    overrides = re.findall(r"^\|.*\| `'(.+)'` \|$", page, re.MULTILINE)
    assert len(overrides) > 5
    vocab = make_vocab(read_sample())
    batch = make_batch(vocab, read_sample()[:2])
    for text in overrides:
        config = Params.from_file(ROOT / "training_configs/dm_glove.jsonnet", text).as_dict()
        check_config(config, text)
        encoder = {**config["model"]["encoder"], "hidden_dim": 8}
        model = make_model(vocab, encoder=encoder, attention=config["model"]["attention"])
        assert model(**batch)["loss"] > 0
