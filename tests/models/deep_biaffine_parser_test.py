"""The D&M parser: against its equations written out, and trained through its configs."""

import dataclasses
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional

import numpy
import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.testing import ModelTestCase
from allennlp.data import Batch, Vocabulary
from allennlp.models import Model

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers import ConlluParsesReader
from lisa_allennlp.data.sentence import Parse, Sentence
from lisa_allennlp.nn.precision import Precision
from tests import FIXTURES, ROOT
from tests.decoding.trees_test import best_tree_by_enumeration
from tests.modules.biaffine_test import written_out_forms

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
    """`ensure_model_can_train_save_and_load`, which compares predictions before and after."""

    @pytest.mark.medium
    @pytest.mark.parametrize("config", CONFIGS, ids=lambda path: path.stem)
    def test_train_save_and_load(self, config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(ROOT)
        self.ensure_model_can_train_save_and_load(
            config, overrides=json.dumps(SMALL), tolerance=1e-4
        )


def read_sample() -> List[Sentence]:
    reader = ConlluParsesReader(use_language_specific_pos=True)
    return list(reader.read_sentences(FIXTURES / "sample" / "dev.conllu"))


def with_labels(sentence: Sentence, labels: List[str]) -> Sentence:
    return dataclasses.replace(sentence, parse=Parse(sentence.parse.head_indices, labels))


def make_batch(vocab: Vocabulary, sentences: List[Sentence]) -> Dict[str, Any]:
    reader = ConlluParsesReader()
    batch = Batch([reader.text_to_instance(sentence) for sentence in sentences])
    for instance in batch:
        reader.apply_token_indexers(instance)
    batch.index_instances(vocab)
    return batch.as_tensor_dict()


def make_vocab(sentences: List[Sentence]) -> Vocabulary:
    reader = ConlluParsesReader()
    instances = [reader.text_to_instance(sentence) for sentence in sentences]
    for instance in instances:
        reader.apply_token_indexers(instance)
    return Vocabulary.from_instances(instances)


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


class WrittenOut:
    """The parser's equations for one sentence, token by token, from the encoder's states."""

    @torch.no_grad()
    def __init__(self, model: Model, sentence: Sentence) -> None:
        batch = make_batch(model.vocab, [sentence])
        words = model._text_field_embedder(batch["words"])
        inputs = torch.cat([words, model._pos_tag_embedding(batch["pos_tags"])], -1)
        mask = torch.ones(inputs.shape[:2], dtype=torch.bool)
        tokens = model._encoder(inputs, mask)[0].numpy()
        self._weights = {k: v.numpy() for k, v in model._arc_scorer.state_dict().items()}
        self._label_forms = written_out_forms(model._arc_scorer._label_form).numpy()
        self._root, self._tokens = model._root.numpy(), tokens

    def arc(self, token: int, head: int) -> float:
        dependent = self._layer("_arc_dependents", self._tokens[token])
        parent = self._layer("_arc_heads", self._head_state(token, head))
        # The layer stores U transposed.
        u = self._weights["_arc_form._query_to_key.weight"]
        prior = self._weights["_arc_form._query_to_key.bias"]
        return parent @ u @ dependent + parent @ prior

    def labels(self, token: int, head: int) -> numpy.ndarray:
        dependent = self._layer("_label_dependents", self._tokens[token])
        parent = self._layer("_label_heads", self._head_state(token, head))
        one = numpy.ones(1)
        left, right = numpy.concatenate([dependent, one]), numpy.concatenate([parent, one])
        return numpy.array([left @ form @ right for form in self._label_forms])

    def arcs(self) -> numpy.ndarray:
        tokens = range(len(self._tokens))
        return numpy.array([[self.arc(token, head) for head in tokens] for token in tokens])

    def _head_state(self, token: int, head: int) -> numpy.ndarray:
        return self._root if head == token else self._tokens[head]

    def _layer(self, name: str, state: numpy.ndarray) -> numpy.ndarray:
        projected = self._weights[f"{name}.0.weight"] @ state + self._weights[f"{name}.0.bias"]
        return numpy.maximum(projected, 0)


def negative_log_probability(scores: numpy.ndarray, choice: int) -> float:
    return numpy.logaddexp.reduce(scores) - scores[choice]


@torch.no_grad()
def test_loss_is_the_papers_equations_written_out(model: Model) -> None:
    sentences = read_sample()[:3]
    numbers = model.vocab.get_token_to_index_vocabulary("head_tags")
    arc_losses, label_losses = [], []
    for sentence in sentences:
        written_out = WrittenOut(model, sentence)
        arcs = written_out.arcs()
        heads = sentence.parse.head_indices
        for token, (head, tag) in enumerate(zip(heads, sentence.parse.head_tags, strict=True)):
            arc_losses.append(negative_log_probability(arcs[token], head))
            labels = written_out.labels(token, head)
            label_losses.append(negative_log_probability(labels, numbers[tag]))
    loss = float(model(**make_batch(model.vocab, sentences))["loss"])
    metrics = model.get_metrics(reset=True)
    assert metrics["arc_loss"] == pytest.approx(numpy.mean(arc_losses), rel=1e-4)
    assert metrics["head_tag_loss"] == pytest.approx(numpy.mean(label_losses), rel=1e-4)
    assert loss == pytest.approx(metrics["arc_loss"] + metrics["head_tag_loss"])


def test_parses_are_the_best_of_all_trees_with_the_best_labels(model: Model) -> None:
    names = model.vocab.get_index_to_token_vocabulary("head_tags")
    sentences = [s for s in read_sample() if len(s.words) <= 5]
    assert len(sentences) > 8
    parses = model.label(details=True, **make_batch(model.vocab, sentences))
    for sentence, parsed in zip(sentences, parses, strict=True):
        written_out = WrittenOut(model, sentence)
        scores = parsed.arc_scores
        numpy.testing.assert_allclose(scores, written_out.arcs(), rtol=1e-3, atol=1e-4)
        heads = best_tree_by_enumeration(written_out.arcs())
        tags = []
        for token, head in enumerate(heads):
            scores = written_out.labels(token, head)
            allowed = [n for n in names if (names[n] == "root") == (head == token)]
            tags.append(names[max(allowed, key=scores.__getitem__)])
        expected = Sentence(sentence.words, sentence.pos, parse=Parse(heads, tags))
        assert dataclasses.replace(parsed, arc_scores=None) == expected


def test_without_a_root_label_any_arc_may_have_any_label() -> None:
    renamed = [
        with_labels(s, ["top" if tag == "root" else tag for tag in s.parse.head_tags])
        for s in read_sample()
    ]
    model = make_model(make_vocab(renamed))
    names = model.vocab.get_index_to_token_vocabulary("head_tags")
    for parsed in model.label(**make_batch(model.vocab, renamed[:5])):
        written_out = WrittenOut(model, parsed)
        arcs = enumerate(parsed.parse.head_indices)
        best = [names[int(written_out.labels(*arc).argmax())] for arc in arcs]
        assert parsed.parse.head_tags == best


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


def test_labelling_in_training_mode_is_refused(model: Model) -> None:
    batch = make_batch(model.vocab, read_sample()[:1])
    model.train()
    try:
        with pytest.raises(RuntimeError, match="expected model.eval\\(\\) first"):
            model.label(**batch)
    finally:
        model.eval()


def test_unknown_labels_are_not_in_the_loss(model: Model) -> None:
    known, other = read_sample()[:2]
    unknown = with_labels(other, ["unheard-of"] * len(other.words))
    half = with_labels(known, ["unheard-of", *known.parse.head_tags[1:]])
    numbers = model.vocab.get_token_to_index_vocabulary("head_tags")
    written_out = WrittenOut(model, known)
    losses = [
        negative_log_probability(written_out.labels(token, head), numbers[tag])
        for token, (head, tag) in enumerate(
            zip(known.parse.head_indices, known.parse.head_tags, strict=True)
        )
    ]
    for sentences, expected in [
        ([known, unknown], numpy.mean(losses)),
        ([half, unknown], numpy.mean(losses[1:])),
        ([unknown], 0.0),
    ]:
        loss = model(**make_batch(model.vocab, sentences))["loss"]
        metrics = model.get_metrics(reset=True)
        assert metrics["head_tag_loss"] == pytest.approx(expected, rel=1e-4)
        assert float(loss.detach()) == pytest.approx(sum(list(metrics.values())[:2]))


def test_training_decodes_nothing(model: Model) -> None:
    model.train()
    output = model(**make_batch(model.vocab, read_sample()[:3]))
    assert set(output) == {"loss"}
    assert set(model.get_metrics(reset=True)) == {"arc_loss", "head_tag_loss"}


def test_the_dropout_is_that_of_all_representations() -> None:
    rates = [
        module.p
        for module in make_model(dropout=0.25)._arc_scorer.modules()
        if isinstance(module, torch.nn.Dropout)
    ]
    assert rates == [0.25] * 4


def test_training_needs_trees(model: Model) -> None:
    bare = [dataclasses.replace(sentence, parse=None) for sentence in read_sample()[:2]]
    batch = make_batch(model.vocab, bare)
    assert "loss" not in model(**batch)
    model.train()
    with pytest.raises(ConfigurationError, match="cannot train without gold trees; found"):
        model(**batch)


def test_labels_are_needed() -> None:
    bare = [dataclasses.replace(sentence, parse=None) for sentence in read_sample()[:2]]
    with pytest.raises(ConfigurationError, match="found no labels in the vocabulary's namespace"):
        make_model(make_vocab(bare))


@pytest.mark.medium
def test_nothing_of_the_package_needs_allennlp_models() -> None:
    script = (
        "import sys\n"
        "sys.modules['allennlp_models'] = None\n"
        "from allennlp.common.util import import_module_and_submodules\n"
        "import_module_and_submodules('lisa_allennlp', exclude={'lisa_allennlp.__main__'})\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=ROOT)


def train(folder: Path, **overrides: Any) -> Model:
    params = Params.from_file(
        ROOT / "training_configs/dm_glove.jsonnet", json.dumps({**SMALL, **overrides})
    )
    return train_model(params, folder / "trained", return_model=True).eval()


def documented_overrides() -> List[Dict[str, Any]]:
    page = (ROOT / "docs" / "parser.md").read_text()
    return [json.loads(text) for text in re.findall(r"^\|.*\| `'(.+)'` \|$", page, re.MULTILINE)]


def without_sizes_of(overrides: Dict[str, Any]) -> Dict[str, Any]:
    """SMALL without what a documented override would contradict."""
    replaced = tuple(f"{name}." for name in overrides)
    return {name: value for name, value in SMALL.items() if not name.startswith(replaced)}


@pytest.mark.medium
@pytest.mark.parametrize("overrides", documented_overrides(), ids=json.dumps)
def test_each_documented_override_trains(
    overrides: Dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One step, and the option has arrived where it belongs."""
    monkeypatch.chdir(ROOT)
    one_step = {
        "dataset_reader.max_instances": 8,
        "trainer.num_epochs": 1,
        "validation_data_path": None,
        "trainer.validation_metric": "-loss",
    }
    params = Params.from_file(
        ROOT / "training_configs/dm_glove.jsonnet",
        json.dumps({**without_sizes_of(overrides), **one_step, **overrides}),
    )
    model = train_model(params, tmp_path / "trained", return_model=True).eval()
    written = Params.from_file(tmp_path / "trained" / "config.json").as_dict()
    for name, value in overrides.items():
        found = written
        for key in name.split("."):
            found = found[key]
        assert found == value
    with torch.no_grad():
        output = model(**make_batch(model.vocab, read_sample()[:4]))
    assert torch.isfinite(output["loss"])


@torch.no_grad()
def test_reduced_precision_parses_almost_alike(model: Model) -> None:
    batch = make_batch(model.vocab, read_sample()[:20])
    losses = []
    for precision in ("float32", "bfloat16"):
        model._precision = Precision(precision)
        loss = model(**batch)["loss"]
        assert loss.dtype == torch.float32
        losses.append(float(loss))
    assert losses[0] != losses[1] and losses[1] == pytest.approx(losses[0], rel=0.02)


NON_PROJECTIVE = """\
1\tმან\t_\tX\tPRON\t_\t5\tnsubj\t_\t_
2\tሰላም\t_\tX\tNOUN\t_\t4\tobj\t_\t_
3\t𒀀𒈾\t_\tX\tADP\t_\t1\tcase\t_\t_
4\tقرأ\t_\tX\tVERB\t_\t0\troot\t_\t_
5\t読む\t_\tX\tVERB\t_\t4\tconj\t_\t_
6\t。\t_\tX\tPUNCT\t_\t4\tpunct\t_\t_

1\t👍🏽\t_\tX\tINTJ\t_\t0\troot\t_\t_

"""


@pytest.mark.medium
def test_arcs_that_cross_in_scripts_of_all_kinds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Learned by heart and written as it was read. Heads 5 and 1 cross the arc from 4 to 2."""
    monkeypatch.chdir(ROOT)
    corpus = tmp_path / "corpus.conllu"
    corpus.write_text(4 * NON_PROJECTIVE, encoding="utf-8")
    paths = {"train_data_path": str(corpus), "validation_data_path": str(corpus)}
    model = train(tmp_path, **{**BY_HEART, **paths})
    reader = ConlluParsesReader(use_language_specific_pos=True)
    gold = list(reader.read_sentences(corpus))
    with torch.no_grad():
        predicted = model(**make_batch(model.vocab, gold))["sentences"]
    assert predicted == gold
    assert model.get_metrics(reset=True)["uas"] == 100.0


BY_HEART = {
    "train_data_path": "fixtures/sample/dev.conllu",
    "validation_data_path": "fixtures/sample/dev.conllu",
    "dataset_reader.max_instances": 12,
    "data_loader.batch_size": 4,
    "trainer.optimizer.lr": 0.01,
    "model.dropout": 0.0,
    "model.word_dropout": 0.0,
    "model.tag_dropout": 0.0,
    "model.encoder.input_dropout": 0.0,
    "model.encoder.recurrent_dropout": 0.0,
    "trainer.num_epochs": 30,
    "trainer.patience": None,
}
