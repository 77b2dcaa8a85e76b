"""`lisa train --from`: the same model on the same labels, and old scores beside new labels."""

import json
import re
import tarfile
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.params import with_overrides
from allennlp.data import Vocabulary
from hypothesis import given
from hypothesis import strategies as st

import lisa_allennlp
import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.formats.conversion import write_annotated
from lisa_allennlp.models.sentence_model import SentenceModel, VocabularyAxes
from lisa_allennlp.models_on_disk.archives.opening import archived_config, open_archive
from lisa_allennlp.training import run
from lisa_allennlp.training.configs import check_config
from lisa_allennlp.training.continued_training import Options, copy_weights
from tests import FIXTURES

pytestmark = pytest.mark.medium

SAMPLE = FIXTURES / "sample" / "test.gold_conll"


def config(archive: Path) -> Dict[str, Any]:
    """A training that continues from an archive and changes no weight."""
    trained = archived_config(str(archive))
    return {
        "type": "continued",
        "continue_from": str(archive),
        "dataset_reader": {**trained["dataset_reader"], "max_instances": 8},
        "model": trained["model"],
        "train_data_path": str(SAMPLE),
        "data_loader": {"batch_size": 4},
        "trainer": {"num_epochs": 1, "optimizer": {"type": "sgd", "lr": 0.0}},
    }


def answers(archive: Path) -> List[Any]:
    labeller = lisa_allennlp.load(archive)
    texts = [["the", "board", "sold"], ["a", "towel", "zyzzyva"]]
    return [labeller(words).to_dict() for words in texts]


def test_without_a_step_nothing_changes(archives: Dict[str, Path], tmp_path: Path) -> None:
    archive = archives["lisa"]
    old, settings = open_archive(archive).model, config(archive)
    check_config(settings, "config")
    new = train_model(Params(settings), tmp_path / "out", return_model=True)
    assert new is not None
    assert new.vocab.get_namespaces() >= old.vocab.get_namespaces()
    for namespace in old.vocab.get_namespaces():
        labels = old.vocab.get_index_to_token_vocabulary(namespace)
        assert new.vocab.get_index_to_token_vocabulary(namespace) == labels
    weights = dict(old.named_parameters())
    assert weights.keys() == dict(new.named_parameters()).keys()
    for key, weight in new.named_parameters():
        assert torch.equal(weight, weights[key]), key
    assert answers(tmp_path / "out" / "model.tar.gz") == answers(archive)


def corpus_with_new_labels(folder: Path) -> Path:
    """The sample with another role, tag, relation and word."""
    path = folder / "new.gold_conll"
    text = SAMPLE.read_text(encoding="utf-8").replace("ARG2", "ARG9")
    text = re.sub(r"\bIN +\*", "NEW *", text).replace("towel", "zyzzyva")
    path.write_text(text, encoding="utf-8")
    trees = SAMPLE.with_suffix(".conllu").read_text(encoding="utf-8")
    trees = trees.replace("\tobl\t", "\tnew\t").replace("towel", "zyzzyva")
    path.with_suffix(".conllu").write_text(trees, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "changes, message",
    [
        (
            {"model.encoder.feedforward_hidden_dim": 16},
            "the same network. model.encoder.feedforward_hidden_dim is 16 here and 8 in the",
        ),
        (
            {"dataset_reader.token_indexers": {"tokens": {"lowercase_tokens": True}}},
            "dataset_reader.token_indexers.tokens is .*; expected {'type': 'single_id'}, as in",
        ),
        ({"model.type": "ccg_supertagger"}, "model.type is 'ccg_supertagger'; expected 'lisa'"),
        ({"continue_from": "nothing"}, "continue_from: found no file, folder or model of the"),
    ],
)
def test_what_does_not_fit(
    archives: Dict[str, Path], tmp_path: Path, changes: Dict[str, Any], message: str
) -> None:
    settings = with_overrides(config(archives["lisa"]), changes)
    with pytest.raises(ConfigurationError, match=message):
        train_model(Params(settings), tmp_path / "out")


def test_a_corpus_of_any_format_without_vectors(archives: Dict[str, Path], tmp_path: Path) -> None:
    settings = config(archives["lisa"])
    del settings["type"], settings["continue_from"]
    embedder = settings["model"]["text_field_embedder"]["token_embedders"]["tokens"]
    embedder["pretrained_file"] = "no/such"
    settings["vocabulary"] = {"pretrained_files": {"tokens": "no/such"}, "min_count": {"tokens": 1}}
    settings["data_loader"] = {"batch_sampler": {"type": "max_tokens_sampler", "max_tokens": 200}}
    (tmp_path / "config.json").write_text(json.dumps(settings), encoding="utf-8")
    trained = copy_with(archives["lisa"], tmp_path / "trained", {"predicate_threshold": 0.4})
    corpus = read_annotated(corpus_with_new_labels(tmp_path), parses=True)
    with open(tmp_path / "new.jsonl", "w", encoding="utf-8") as file:
        write_annotated(corpus, "json", file)
    run.train(
        str(tmp_path / "config.json"),
        tmp_path / "out",
        sources=run.Sources(str(trained), str(tmp_path / "new.jsonl"), str(SAMPLE)),
    )
    written = archived_config(str(tmp_path / "out"))
    assert written["model"]["predicate_threshold"] == 0.4
    assert written["data_loader"]["batches_per_epoch"] == run.LEAST_BATCHES
    new, old = (open_archive(path).model for path in (tmp_path / "out", trained))
    assert new.vocab.get_token_to_index_vocabulary("role_labels").keys() >= {"B-ARG9", "B-ARG0"}
    # A new word starts as the unknown one.
    weight = "_text_field_embedder.token_embedder_tokens.weight"
    row = new.get_parameter(weight)[new.vocab.get_token_index("zyzzyva")]
    assert torch.equal(row, old.get_parameter(weight)[1])


def copy_with(archive: Path, folder: Path, options: Dict[str, Any]) -> Path:
    """A training folder with the model of an archive, and other options."""
    with tarfile.open(archive) as file:
        file.extractall(folder)
    (folder / "weights.th").rename(folder / "best.th")
    settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    settings["model"].update(options)
    (folder / "config.json").write_text(json.dumps(settings), encoding="utf-8")
    return folder


NAMES = ["O", "B-A0", "I-A0", "B-A1", "B-V", "I-V"]
BLOCKS, WIDTH = 3, 2
OLD, NEW = Options("old", {}), Options("new.json", {})


class Labels(SentenceModel):
    """Weights with labels on the rows, on both axes, and in blocks on the columns."""

    def __init__(self, labels: List[str]) -> None:
        super().__init__(Vocabulary(tokens_to_add={"role_labels": labels}))
        n = len(labels)
        self.rows = torch.nn.Parameter(torch.randn(n, WIDTH))
        self.pairs = torch.nn.Parameter(torch.randn(n, n))
        self.blocks = torch.nn.Parameter(torch.randn(WIDTH, BLOCKS * n))
        self.other = torch.nn.Parameter(torch.randn(WIDTH, WIDTH))
        self.register_buffer("counts", torch.randn(n))

    def vocabulary_axes(self) -> VocabularyAxes:
        labels = "role_labels"
        return {"rows": (labels,), "pairs": (labels, labels), "blocks": (None, labels)}


@torch.no_grad()
def entries(model: Labels) -> Dict[Tuple, float]:
    """Each weight by the names of its labels."""
    labels = list(model.vocab.get_token_to_index_vocabulary("role_labels"))
    n = len(labels)
    found = {}
    for i, label in enumerate(labels):
        for column in range(WIDTH):
            found["rows", label, column] = float(model.rows[i, column])
        for j, other in enumerate(labels):
            found["pairs", label, other] = float(model.pairs[i, j])
        for row in range(WIDTH):
            for block in range(BLOCKS):
                found["blocks", row, block, label] = float(model.blocks[row, block * n + i])
    return found


@given(st.lists(st.sampled_from(NAMES), unique=True, min_size=1), st.permutations(NAMES))
def test_old_labels_keep_their_weights_and_new_ones_start_afresh(
    old_labels: List[str], new_labels: List[str]
) -> None:
    old, new = Labels(old_labels), Labels(new_labels)
    before, counts = entries(new), new.counts.clone()
    assert copy_weights(old, new, OLD, NEW) == []
    trained = entries(old)
    for key, weight in entries(new).items():
        assert weight == trained.get(key, before[key])
    assert torch.equal(new.other, old.other) and torch.equal(new.counts, counts)


def test_weights_of_other_layers() -> None:
    old, new = Labels(NAMES[:2]), Labels(NAMES)
    new.sense = torch.nn.Linear(2, 2)
    assert copy_weights(old, new, OLD, NEW) == ["sense.weight", "sense.bias"]
    old.extra = torch.nn.Parameter(torch.zeros(1))
    old_options = Options("old", {"extra": {"dim": 1, "dropout": 0.5}, "type": "x"})
    new_options = Options("new.json", {"extra": {"dropout": 0}, "type": "x"})
    with pytest.raises(ConfigurationError, match="extra of old .* model.extra.dim is None here an"):
        copy_weights(old, new, old_options, new_options)


def test_another_shape_is_an_error() -> None:
    old, new = Labels(NAMES[:2]), Labels(NAMES)
    old.blocks = torch.nn.Parameter(torch.zeros([size + 1 for size in old.blocks.shape]))
    with pytest.raises(ConfigurationError, match="the weight blocks of old .its shape is"):
        copy_weights(old, new, OLD, NEW)
