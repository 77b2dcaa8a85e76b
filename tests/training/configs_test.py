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


@pytest.mark.parametrize(
    "key, value, message",
    [
        # Keys.
        ("foo", 1, "{}: found a key that TrainModel does not take; expected one of .*, train_data"),
        # Of a constructor that would ignore it.
        (
            "trainer.foo",
            1,
            "{}: found a key that RecoverableTrainer does not take; expected one of",
        ),
        ("trainer.callbacks", ["progress", {"type": "progress", "foo": 1}], "{}.1.foo: found"),
        # Values of the wrong kind.
        ("model.encoder.num_layers", "3", '{}: found "3"; expected a whole number$'),
        # Types.
        ("model.role_decoder", "crff", r"{}.type: found \"crff\" \(did you mean 'crf'\?\); exp"),
        ("model.type", None, "{}: found none; expected one of "),
        ("model.type", "no.Such", "{}: tried to interpret no.Such as a"),
    ],
)
def test_what_is_refused(key: str, value: Any, message: str):
    with pytest.raises(ConfigurationError, match=f"^x: {message.format(key)}"):
        check_config(config(**{key: value}), "x")


class TakesAnything(Registrable):
    """Stands for a class of another package."""

    def __init__(self, **kwargs: Any) -> None:
        self.kwargs = kwargs


class LisaOfAUser(Lisa):
    """Stands for a model in a user's module."""

    def __init__(self, vocab: Vocabulary, own_weight: float = 1.0, **kwargs: Any) -> None:
        super().__init__(vocab, **kwargs)
        self.own_weight = own_weight


@pytest.mark.parametrize(
    "changes",
    [
        {"random_seed": 1, "model.label_smoothing": 0, "dataset_reader.max_instances": None},
        {"model": {"type": f"{__name__}.TakesAnything", "foo": 1}},
        {"model.type": f"{__name__}.LisaOfAUser", "model.own_weight": 0.5, "model.role_dropout": 0},
        {"model.encoder": {"_pretrained": {"archive_file": "a", "module_path": "b"}}},
    ],
)
def test_what_is_left_to_those_who_build_from_it(changes: Dict[str, Any]):
    check_config(config(**changes), "x")


def test_keys_of_a_subclass_with_kwargs() -> None:
    message = r"own_wieght: found a key that LisaOfAUser does not take \(did you mean 'own_weight'"
    changed = config(model__type=f"{__name__}.LisaOfAUser", model__own_wieght=0.5)
    with pytest.raises(ConfigurationError, match=f"^x: model.{message}"):
        check_config(changed, "x")
    # `allennlp` builds the model without this check.
    with pytest.raises(ConfigurationError, match=f"^model.{message}"):
        LisaOfAUser(Vocabulary(), text_field_embedder=None, encoder=None, own_wieght=0.5)


@pytest.mark.parametrize(
    "name, key",
    [("ccg/mlp", "test_data_path"), ("lisa_small", "vocabulary.pretrained_files.tokens")],
)
def test_missing_files(name: str, key: str):
    with pytest.raises(ConfigurationError, match=f"^x: {key}: found no file or folder no/such"):
        check_experiment(config(name, **{key: "no/such"}), "x")


@pytest.mark.parametrize(
    "name, changes",
    [
        ("lisa_small", {"train_data_path": "https://host/train.gold_conll"}),
        # Readers of other packages may read something else than files.
        (
            "lisa_small",
            {"dataset_reader": {"type": "sequence_tagging"}, "train_data_path": "a name"},
        ),
        ("ccg/mlp", {"train_data_path": "fixtures/ccg/AUTO#02-03"}),
    ],
)
def test_paths_that_may_be_right(name: str, changes: Dict[str, Any]):
    check_experiment(config(name, **changes), "x")


def test_numbers_of_a_gpu_and_of_epochs(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    check_experiment(config(trainer__cuda_device=0), "x")
    with pytest.raises(ConfigurationError, match="^x: trainer.cuda_device: found 1, but this mach"):
        check_experiment(config(trainer__cuda_device=1), "x")
    with pytest.raises(ConfigurationError, match="^x: trainer.num_epochs: found 0; expected at"):
        check_experiment(config(trainer__num_epochs=0), "x")
