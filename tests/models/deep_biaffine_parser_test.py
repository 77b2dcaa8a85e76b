"""The D&M parser, trained through its configs on the sample."""

import itertools
import json
import re
from pathlib import Path
from typing import Any, Dict, List

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.testing import ModelTestCase
from allennlp.data import Batch, Vocabulary
from allennlp.models import Model

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.data.dataset_readers import ConlluParsesReader
from lisa_allennlp.data.sentence import Parse, Sentence
from lisa_allennlp.nn.precision import Precision
from tests import FIXTURES, ROOT
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


@pytest.mark.parametrize("config", ["dm_glove", "dm_elmo"])
def test_published_settings(config: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    params = Params.from_file(ROOT / f"training_configs/{config}.jsonnet").as_dict()
    model, trainer = params["model"], params["trainer"]
    encoder = model["encoder"]
    assert (encoder["num_layers"], encoder["hidden_dim"], encoder["cell"]) == (3, 400, "lstm")
    attention = {"type": "deep_biaffine", "arc_dim": 500, "label_dim": 100, "activation": "relu"}
    assert model["attention"] == attention
    dropouts = [model["dropout"], model["word_dropout"], model["tag_dropout"]]
    dropouts += [encoder["input_dropout"], encoder["recurrent_dropout"]]
    assert dropouts == [0.33] * 5
    assert (trainer["optimizer"]["lr"], trainer["optimizer"]["betas"]) == (0.002, [0.9, 0.9])


def train(folder: Path, **overrides: Any) -> Model:
    params = Params.from_file(
        ROOT / "training_configs/dm_glove.jsonnet", json.dumps({**SMALL, **overrides})
    )
    return train_model(params, folder / "trained", return_model=True).eval()


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        return train(tmp_path_factory.mktemp("dm"))


def read_sample() -> List[Sentence]:
    reader = ConlluParsesReader(use_language_specific_pos=True)
    return list(reader.read_sentences(FIXTURES / "sample" / "dev.conllu"))


def make_batch(vocab: Vocabulary, sentences: List[Sentence]) -> Dict[str, Any]:
    reader = ConlluParsesReader()
    instances = []
    for sentence in sentences:
        parse = sentence.parse
        heads = [0 if head == t else head + 1 for t, head in enumerate(parse.head_indices)]
        dependencies = list(zip(parse.head_tags, heads, strict=True))
        instance = reader.text_to_instance(sentence.words, sentence.pos, dependencies)
        reader.apply_token_indexers(instance)
        instances.append(instance)
    batch = Batch(instances)
    batch.index_instances(vocab)
    return batch.as_tensor_dict()


@pytest.mark.medium
@torch.no_grad()
def test_loss_is_the_papers_equations_written_out(model: Model) -> None:
    known = model.vocab.get_token_to_index_vocabulary("head_tags")
    sentence = next(s for s in read_sample() if set(s.parse.head_tags) <= set(known))
    assert len(sentence.words) > 4
    batch = make_batch(model.vocab, [sentence])
    loss = model(**batch)["loss"]

    length = len(sentence.words)
    words = model.text_field_embedder(batch["words"])
    embedded = torch.cat([words, model._pos_tag_embedding(batch["pos_tags"])], -1)
    r = model.encoder(embedded, torch.ones(1, length, dtype=torch.bool))[0]
    # The root is a vector beside the tokens' own.
    r = torch.cat([model._head_sentinel[0], r])
    # The inherited parser's names are the other way round: its first argument is the dependent.
    arc_dep, arc_head = model.head_arc_feedforward(r), model.child_arc_feedforward(r)
    label_head, label_dep = model.head_tag_feedforward(r), model.child_tag_feedforward(r)
    arc_layer = model.arc_attention._query_to_key
    label_forms = written_out_forms(model.tag_bilinear._bilinear)
    one = torch.ones(1)
    total = torch.zeros(())
    for i in range(1, length + 1):
        arcs = torch.stack(
            [
                arc_head[j] @ (arc_layer.weight @ arc_dep[i] + arc_layer.bias)
                for j in range(length + 1)
            ]
        )
        head = int(batch["head_indices"][0, i - 1])
        total -= arcs.log_softmax(-1)[head]
        left = torch.cat([label_dep[i], one])
        right = torch.cat([label_head[head], one])
        labels = torch.stack([left @ form @ right for form in label_forms])
        total -= labels.log_softmax(-1)[batch["head_tags"][0, i - 1]]
    torch.testing.assert_close(loss, total / length, rtol=1e-4, atol=1e-4)


@torch.no_grad()
def test_heads_are_the_best_tree_with_one_root(model: Model) -> None:
    torch.manual_seed(3)
    num_labels = model.vocab.get_vocab_size("head_tags")
    arcs = torch.randn(6, 5, 5)
    mask = torch.ones(6, 5, dtype=torch.bool)
    mask[5, 4] = False
    heads, labels = model._mst_decode(torch.randn(6, 5, 16), torch.randn(6, 5, 16), arcs, mask)
    assert heads.shape == labels.shape == (6, 5)
    assert ((labels >= 0) & (labels < num_labels)).all()
    for scores, row, length in zip(arcs, heads.tolist(), [4, 4, 4, 4, 4, 3], strict=True):
        best = max(
            (h for h in itertools.product(range(length + 1), repeat=length) if is_tree(h)),
            key=lambda h: sum(float(scores[t + 1, head]) for t, head in enumerate(h)),
        )
        assert row == [0, *best] + [0] * (4 - length)


def is_tree(heads: Any) -> bool:
    """`heads[t]` is 1-based, 0 for the root."""
    for start in range(1, len(heads) + 1):
        node, steps = start, 0
        while node and steps <= len(heads):
            node, steps = heads[node - 1], steps + 1
        if node:
            return False
    return sum(head == 0 for head in heads) == 1


@torch.no_grad()
def test_metrics_have_our_names_and_do_not_depend_on_the_batch_size(model: Model) -> None:
    sentences = read_sample()[:20]
    results = []
    for size in (1, 6, 20):
        model.get_metrics(reset=True)
        for start in range(0, len(sentences), size):
            model(**make_batch(model.vocab, sentences[start : start + size]))
        metrics = model.get_metrics(reset=True)
        results.append({k: v for k, v in metrics.items() if not k.endswith("_loss")})
    assert results[0] == results[1] == results[2]
    assert set(results[0]) == {"uas", "las", "uas_with_punct", "las_with_punct"}


@torch.no_grad()
def test_labels_unseen_in_training_count_as_missed(model: Model) -> None:
    gold = Sentence(["Dogs", "bark"], ["NNS", "XX"], parse=Parse([1, 1], ["nsubjx", "rootx"]))
    model.get_metrics(reset=True)
    output = model(**make_batch(model.vocab, [gold]))
    assert torch.isfinite(output["loss"])
    metrics = model.get_metrics(reset=True)
    assert metrics["las"] == 0.0
    assert metrics["uas"] in (0.0, 100.0)


@torch.no_grad()
def test_training_reports_losses_alone(model: Model) -> None:
    model.train()
    try:
        model(**make_batch(model.vocab, read_sample()[:3]))
        assert set(model.get_metrics(reset=True)) == {"arc_loss", "head_tag_loss"}
    finally:
        model.eval()


@torch.no_grad()
def test_output_is_a_tree_of_each_sentence(model: Model) -> None:
    sentences = read_sample()[:10]
    output = model(**make_batch(model.vocab, sentences))
    for sentence, predicted in zip(sentences, output["sentences"], strict=True):
        assert predicted.words == sentence.words
        heads = predicted.parse.head_indices
        assert len(heads) == len(sentence.words)
        assert sum(head == t for t, head in enumerate(heads)) == 1
    readable = model.make_output_human_readable(output)
    assert len(readable["predicted_heads"][0]) == len(sentences[0].words)


def documented_overrides() -> List[Dict[str, Any]]:
    page = (ROOT / "docs" / "parser.md").read_text()
    return [json.loads(text) for text in re.findall(r"^\|.*\| `'(.+)'` \|$", page, re.MULTILINE)]


def without_sizes_of(overrides: Dict[str, Any]) -> Dict[str, Any]:
    """SMALL without what a documented override would contradict."""
    replaced = tuple(f"{name}." for name in overrides)
    return {name: value for name, value in SMALL.items() if not name.startswith(replaced)}


def test_each_comparison_of_the_paper_is_documented() -> None:
    """Its tables of attention, sizes, cells, dropout and the optimizer."""
    options = {name for overrides in documented_overrides() for name in overrides}
    assert options >= {"model.attention", "model.encoder.cell", "model.pos_tag_embedding"}
    assert options >= {"model.encoder.num_layers", "model.encoder.hidden_dim"}
    assert options >= {"model.word_dropout", "model.tag_dropout", "trainer.optimizer.betas"}


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


def test_reduced_precision_parses_almost_alike(model: Model) -> None:
    batch = make_batch(model.vocab, read_sample()[:20])
    losses = []
    for precision in ("float32", "bfloat16"):
        model._precision = Precision(precision)
        with torch.no_grad():
            output = model(**batch)
        assert output["loss"].dtype == torch.float32
        losses.append(float(output["loss"]))
    model._precision = Precision("float32")
    assert losses[0] != losses[1] and losses[1] == pytest.approx(losses[0], rel=0.02)


@pytest.mark.medium
def test_reduced_precision_learns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    model = train(tmp_path, **BY_HEART, **{"model.precision": "bfloat16"})
    assert las_by_heart(model) > 95


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


def las_by_heart(model: Model) -> float:
    model.get_metrics(reset=True)
    with torch.no_grad():
        model(**make_batch_as_trained(model, read_sample()[:12]))
    return model.get_metrics(reset=True)["las_with_punct"]


@pytest.mark.medium
def test_it_learns_the_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some sentences by heart, without dropout."""
    monkeypatch.chdir(ROOT)
    assert las_by_heart(train(tmp_path, **BY_HEART)) > 95


def make_batch_as_trained(model: Model, sentences: List[Sentence]) -> Dict[str, Any]:
    """With lower-cased words, as the configs have them."""
    lowered = [Sentence([w.lower() for w in s.words], s.pos, parse=s.parse) for s in sentences]
    return make_batch(model.vocab, lowered)


def test_stock_parser_reads_the_same_batches() -> None:
    """allennlp-models' own parser, for comparisons."""
    reader = ConlluParsesReader(use_language_specific_pos=True, max_instances=8)
    instances = list(reader.read(FIXTURES / "sample" / "dev.conllu"))
    vocab = Vocabulary.from_instances(instances)
    params = {
        "type": "biaffine_parser",
        "text_field_embedder": {
            "token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 8}}
        },
        "encoder": {"type": "lstm", "input_size": 8, "hidden_size": 8},
        "arc_representation_dim": 8,
        "tag_representation_dim": 8,
    }
    stock = Model.from_params(Params(params), vocab=vocab)
    output = stock(**make_batch(vocab, read_sample()[:8]))
    assert torch.isfinite(output["loss"])
