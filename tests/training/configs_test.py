from typing import Any, Dict

import pytest
import torch
from allennlp.common import Params, Registrable
from allennlp.data import Vocabulary

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.models.lisa import Lisa
from lisa_allennlp.training.configs import check_config, check_experiment
from tests import ROOT

CONFIGS = sorted((ROOT / "training_configs").glob("*.jsonnet"))
CONFIGS += sorted((ROOT / "training_configs" / "ccg").glob("*.jsonnet"))


@pytest.fixture(autouse=True)
def in_checkout(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(ROOT)


def config(name: str = "lisa_small", **overrides: Any) -> Dict[str, Any]:
    """A config of the package, with overrides whose keys have two underscores for a dot."""
    changes = {key.replace("__", "."): value for key, value in overrides.items()}
    return Params.from_file(f"training_configs/{name}.jsonnet", changes).as_dict(quiet=True)


@pytest.mark.medium
def test_nothing_is_wrong_with_the_project_s_own(monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(ConfigurationError, match="english: .*LISA_DESCRIPTIONS, which is not set"):
        check_experiment(config("english"), "english")
    monkeypatch.setenv("LISA_DESCRIPTIONS", "fixtures/sample/vectors.100d.txt.gz")
    for path in CONFIGS:
        check_experiment(Params.from_file(path).as_dict(quiet=True), path.name)


class TakesAnything(Registrable):
    """Stands for a class of another package."""

    def __init__(self, **kwargs: Any) -> None:
        self.kwargs = kwargs


class LisaOfAUser(Lisa):
    """Stands for a model in a user's module."""

    def __init__(self, vocab: Vocabulary, own_weight: float = 1.0, **kwargs: Any) -> None:
        super().__init__(vocab, **kwargs)
        self.own_weight = own_weight


def test_keys_of_a_subclass_with_kwargs() -> None:
    message = r"own_wieght: found a key that LisaOfAUser does not take \(did you mean 'own_weight'"
    changed = config(model__type=f"{__name__}.LisaOfAUser", model__own_wieght=0.5)
    with pytest.raises(ConfigurationError, match=f"^x: model.{message}"):
        check_config(changed, "x")
    # `allennlp` builds the model without this check.
    with pytest.raises(ConfigurationError, match=f"^model.{message}"):
        LisaOfAUser(Vocabulary(), text_field_embedder=None, encoder=None, own_wieght=0.5)


REFUSED = [
    ("lisa_small", "foo", 1),
    # Of a constructor that would ignore it.
    ("lisa_small", "trainer.foo", 1),
    ("lisa_small", "trainer.callbacks", ["progress", {"type": "progress", "foo": 1}]),
    ("lisa_small", "model.encoder.num_layers", "3"),
    ("lisa_small", "model.role_decoder", "crff"),
    ("lisa_small", "model.type", None),
    ("lisa_small", "model.type", "no.Such"),
    # No such files.
    ("ccg/mlp", "test_data_path", "no/such"),
    ("lisa_small", "vocabulary.pretrained_files.tokens", "no/such"),
    # This machine has one GPU.
    ("lisa_small", "trainer.cuda_device", 1),
    ("lisa_small", "trainer.num_epochs", 0),
]


@pytest.mark.parametrize("name, key, value", REFUSED)
def test_what_is_refused(name: str, key: str, value: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    with pytest.raises(ConfigurationError, match=f"^x: {key}.*: (found|tried)"):
        check_experiment(config(name, **{key: value}), "x")


@pytest.mark.parametrize(
    "name, changes",
    [
        ("lisa_small", {"random_seed": 1, "dataset_reader.max_instances": None}),
        ("lisa_small", {"model": {"type": f"{__name__}.TakesAnything", "foo": 1}}),
        ("lisa_small", {"model.type": f"{__name__}.LisaOfAUser", "model.own_weight": 0.5}),
        (
            "lisa_small",
            {"model.encoder": {"_pretrained": {"archive_file": "a"}}},
        ),
        ("lisa_small", {"train_data_path": "https://host/train.gold_conll"}),
        # Readers of other packages may read something else than files.
        ("lisa_small", {"dataset_reader": {"type": "sequence_tagging"}, "train_data_path": "a"}),
        ("ccg/mlp", {"train_data_path": "fixtures/ccg/AUTO#02-03"}),
        ("lisa_small", {"trainer.cuda_device": 0}),
    ],
)
def test_what_may_be_right(
    name: str, changes: Dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    check_experiment(config(name, **changes), "x")
