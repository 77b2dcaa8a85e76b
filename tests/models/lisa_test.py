"""The model, trained through every config that the project ships."""

import copy
import json
from pathlib import Path
from typing import Any, Dict, List

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.testing import ModelTestCase
from allennlp.models import Model, load_archive

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.nn.precision import Precision
from lisa_allennlp.sentence.sentence import Frame, Parse, Sentence
from tests import FIXTURES, ROOT
from tests.models.batches import make_instances, make_tensors

PRETRAINED = ("_encoder", "_transformer", "english", "_large")
"""How the names of configs end that need a transformer: stored_files_test.py makes one."""

# Those of the D&M parser have another model: deep_biaffine_parser_test.py.
CONFIGS = [
    path
    for path in sorted((ROOT / "training_configs").glob("*.jsonnet"))
    if not path.stem.startswith("dm_") and not path.stem.endswith(PRETRAINED)
]
SMALL = {
    "dataset_reader.max_instances": 24,
    # Batches in the order of the file, so that two runs can be compared.
    "data_loader.batch_sampler": None,
    "data_loader.batch_size": 8,
    "validation_data_loader.batch_sampler": None,
    "validation_data_loader.batch_size": 8,
    "model.encoder.num_layers": 6,
    "model.encoder.num_heads": 2,
    "model.encoder.head_dim": 8,
    "model.encoder.feedforward_hidden_dim": 32,
    "trainer.num_epochs": 2,
}

QUICK = ("lisa_small", "sa_small")
"""The other configs combine the parts of these networks with those that other tests train."""

ONE_STEP = {"dataset_reader.max_instances": 8, "trainer.num_epochs": 1}


class TestEveryConfig(ModelTestCase):
    @pytest.mark.medium
    @pytest.mark.parametrize(
        "config",
        [
            path if path.stem in QUICK else pytest.param(path, marks=pytest.mark.slow)
            for path in CONFIGS
        ],
        ids=lambda path: path.stem,
    )
    def test_train_save_and_load(self, config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(ROOT)
        # Tags and predicates are not learned there.
        layers = ("_hidden", "_projection")
        tagger = [f"_joint_tagger.{n}.{kind}" for n in layers for kind in ("weight", "bias")]
        ignored = tagger if config.stem == "lisa_authors_gold_predicates" else []
        self.ensure_model_can_train_save_and_load(
            config,
            overrides=json.dumps({**SMALL, **ONE_STEP}),
            tolerance=1e-4,
            gradients_to_ignore=set(ignored),
        )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lisa")


@pytest.fixture(scope="module")
def model(folder: Path) -> Model:
    """A LISA of little size, trained for a moment on a few sentences of the sample."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        params = Params.from_file("training_configs/lisa_glove.jsonnet", json.dumps(SMALL))
        return train_model(params, folder / "trained", return_model=True).eval()


def make_batch(model: Model, sentences: List[Sentence]) -> Dict[str, Any]:
    return make_tensors(model.vocab, make_instances(Conll12SrlReader(), sentences))


def read_sample(part: str = "dev") -> List[Sentence]:
    return list(Conll12SrlReader().read_sentences(FIXTURES / "sample" / f"{part}.gold_conll"))


def test_labels_unseen_in_training_count_as_missed(model: Model) -> None:
    words = ["Dogs", "chase", "cats"]
    gold = Sentence(
        words,
        pos=["NNX", "VBX", "NNX"],
        frames=[Frame(1, ["B-ARGX", "B-V", "B-ARGX"])],
        parse=Parse([1, 1, 1], ["nsubjx", "root", "objx"]),
    )
    model.get_metrics(reset=True)
    with torch.no_grad():
        output = model(**make_batch(model, [gold]))
    assert torch.isfinite(output["loss"])
    metrics = model.get_metrics(reset=True)
    assert metrics["srl_recall"] == 0.0
    assert metrics["pos_accuracy"] == 0.0
    assert metrics["las_with_punct"] <= 100 / 3


@torch.no_grad()
def test_injected_trees_replace_the_models_own(model: Model) -> None:
    gold = read_sample()[:8]
    chains = [
        Parse([max(t - 1, 0) for t in range(len(s.words))], ["root"] + ["dep"] * (len(s.words) - 1))
        for s in gold
    ]
    injected = [
        Sentence(s.words, s.pos, s.frames, s.parse, chain)
        for s, chain in zip(gold, chains, strict=True)
    ]
    model.get_metrics(reset=True)
    output = model(**make_batch(model, injected))
    for sentence, chain in zip(output["sentences"], chains, strict=True):
        assert sentence.parse.head_indices == chain.head_indices
    # Scores are still of the gold trees, which are another thing.
    assert model.get_metrics(reset=True)["uas"] < 60


@pytest.mark.medium
def test_a_model_can_be_evaluated_with_another_decoder(model: Model, folder: Path) -> None:
    """With the counts of its own training data, as Table 7 needs it."""
    overrides = {"model.role_decoder": {"type": "viterbi", "transitions": "probability"}}
    other = load_archive(folder / "trained/model.tar.gz", overrides=overrides).model.eval()
    counts = other._role_decoder.transition_counts
    assert counts.any() and torch.equal(counts, model._role_decoder.transition_counts)
    for mine, theirs in zip(other.parameters(), model.parameters(), strict=True):
        assert torch.equal(mine, theirs)
    with torch.no_grad():
        assert len(other(**make_batch(other, read_sample()[:6]))["sentences"]) == 6


@torch.no_grad()
def test_evaluation_takes_the_best_trees_and_free_verbs_if_asked(
    model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = LabelOptions("mst", force_verb=False)
    monkeypatch.setattr(model, "evaluation_options", options)
    batch = make_batch(model, read_sample()[:6])
    batch["given_predicates"] = torch.ones_like(batch["joint_tags"])
    free, labelled = model(**batch)["sentences"], model.predict_sentences(**batch)
    for sentence in free:
        assert sum(head == t for t, head in enumerate(sentence.parse.head_indices)) == 1
    # Labelling forces V all the same.
    for sentences, is_forced in ((free, False), (labelled, True)):
        frames = [frame for sentence in sentences for frame in sentence.frames]
        assert is_forced == all(
            (frame.tags.count("B-V"), frame.tags[frame.predicate]) == (1, "B-V") for frame in frames
        )


@torch.no_grad()
def test_bfloat16_changes_scores_by_its_rounding_alone(model: Model) -> None:
    # Small batches are not rounded.
    batch = make_batch(model, read_sample()[:50])
    exact = model(**batch)
    model._precision = Precision("bfloat16")
    rounded = model(**batch)
    model._precision = Precision("float32")
    assert rounded["loss"].dtype == torch.float
    assert rounded["loss"] != exact["loss"]
    torch.testing.assert_close(rounded["loss"], exact["loss"], rtol=0.02, atol=0.0)
    probabilities = [
        torch.tensor([p for s in output["sentences"] for p in s.predicate_probabilities])
        for output in (exact, rounded)
    ]
    # The significand has 8 bits: 0.4 % an operation.
    torch.testing.assert_close(*probabilities, rtol=0.0, atol=0.05)


def test_another_encoder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    params = Params.from_file("training_configs/lisa_glove.jsonnet", json.dumps(SMALL))
    params["model"]["encoder"] = {"type": "pass_through"}
    with pytest.raises(ConfigurationError, match="the encoder is a PassThroughEncoder"):
        train_model(params, tmp_path / "trained")


def test_mixed_precision_of_the_trainer_gives_a_loss_and_gradients(model: Model) -> None:
    trained = copy.deepcopy(model).train()
    # What `trainer.use_amp` does, on a CPU.
    with torch.autocast("cpu", dtype=torch.float16):
        loss = trained(**make_batch(model, read_sample()[:8]))["loss"]
    loss.backward()
    gradients = [p.grad for p in trained.parameters() if p.grad is not None]
    assert loss.dtype == torch.float
    assert loss.isfinite()
    assert gradients and all(gradient.isfinite().all() for gradient in gradients)
