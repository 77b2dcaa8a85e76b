import copy
import json
import re
import tarfile
from argparse import Namespace
from pathlib import Path
from typing import Any, Dict, List, Optional

import pytest
import torch
from allennlp.common import Params, Registrable
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.common.configs import archived_config, check_arguments, check_config
from lisa_allennlp.models.lisa import Lisa
from tests import ROOT

CONFIGS = sorted((ROOT / "training_configs").glob("*.jsonnet"))
CONFIGS += sorted((ROOT / "training_configs" / "ccg").glob("*.jsonnet"))


@pytest.fixture(autouse=True)
def in_checkout(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(ROOT)


def config(**overrides: Any) -> Dict[str, Any]:
    """LISA's, with overrides whose keys have two underscores for a dot."""
    changes = {key.replace("__", "."): value for key, value in overrides.items()}
    return Params.from_file("training_configs/lisa_small.jsonnet", changes).as_dict(quiet=True)


@pytest.mark.medium
@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_nothing_is_wrong_with_the_project_s_own(path: Path):
    check_config(Params.from_file(path).as_dict(quiet=True), path.name)


UNKNOWN = [
    ("foo", "TrainModel", "train_data_path"),
    ("model.foo", "Lisa", "role_decoder"),
    ("model.encoder.foo", "SyntacticallyInformedSelfAttention", "num_layers"),
    ("model.role_decoder.foo", "ViterbiRoleDecoder", "transition_weight"),
    ("model.text_field_embedder.token_embedders.tokens.foo", "Embedding", "embedding_dim"),
    ("dataset_reader.foo", "Conll12SrlReader", "parses_suffix"),
    ("dataset_reader.token_indexers.tokens.foo", "SingleIdTokenIndexer", "namespace"),
    ("data_loader.batch_sampler.foo", "MaxTokensBatchSampler", "max_tokens"),
    ("vocabulary.foo", "Vocabulary", "min_count"),
    # Built by a constructor that would ignore it.
    ("trainer.foo", "RecoverableTrainer", "num_epochs"),
    ("trainer.optimizer.foo", "LazyNadamOptimizer", "betas"),
    ("trainer.moving_average.foo", "ExponentialMovingAverage", "decay"),
]


@pytest.mark.medium
@pytest.mark.parametrize("key, owner, expected", UNKNOWN)
def test_unknown_keys(key: str, owner: str, expected: str):
    with pytest.raises(ConfigurationError) as error:
        check_config(config(**{key: 1}), "x.json")
    start, _, known = error.value.message.partition("; expected one of ")
    assert start == f"x.json: {key}: found a key that {owner} does not take"
    assert expected in known.split(", ")


def test_unknown_key_in_a_list():
    callbacks = [{"type": "console_logger"}, {"type": "console_logger", "foo": 1}]
    with pytest.raises(ConfigurationError, match=r"x: trainer\.callbacks\.1\.foo: found a key"):
        check_config(config(trainer__callbacks=callbacks), "x")
    initializer = {"regexes": [[".*weight", {"type": "normal", "foo": 1}]]}
    with pytest.raises(ConfigurationError, match=r"initializer\.regexes\.0\.1\.foo: found a key"):
        check_config(config(model__initializer=initializer), "x")


def test_a_similar_key_is_suggested():
    with pytest.raises(ConfigurationError, match=r"\(did you mean 'num_layers'\?\); expected"):
        check_config(config(model__encoder__num_layer=3), "x")


@pytest.mark.medium
@pytest.mark.parametrize(
    "key, value, expected",
    [
        ("model.encoder.num_layers", "3", 'found "3"; expected a whole number'),
        ("model.predicate_dim", 1.5, "found 1.5; expected a whole number"),
        ("model.role_dropout", "a", 'found "a"; expected a number'),
        ("model.parse_decoder", 1, "found 1; expected a string"),
        ("dataset_reader.one_predicate_per_instance", "yes", 'found "yes"; expected true or false'),
        ("model.label_smoothing", 0, None),
        ("dataset_reader.max_instances", None, None),
    ],
)
def test_values_of_the_wrong_kind(key: str, value: Any, expected: Optional[str]):
    if expected is None:
        check_config(config(**{key: value}), "x")
    else:
        with pytest.raises(ConfigurationError) as error:
            check_config(config(**{key: value}), "x")
        assert error.value.message == f"x: {key}: {expected}"


class TakesAnything(Registrable):
    """Stands for a class of another package."""

    def __init__(self, **kwargs: Any) -> None:
        self.kwargs = kwargs


@pytest.mark.medium
@pytest.mark.parametrize(
    "changes",
    [
        {"distributed": {"cuda_devices": [0, 1]}, "random_seed": 1},
        {"model": {"type": f"{__name__}.TakesAnything", "foo": 1}},
        {"model.encoder": {"_pretrained": {"archive_file": "a", "module_path": "b"}}},
        {"model.role_decoder": "crf"},
    ],
)
def test_what_is_left_to_those_who_build_from_it(changes: Dict[str, Any]):
    check_config(config(**changes), "x")


class LisaOfAUser(Lisa):
    """Stands for a model in a user's module."""

    def __init__(self, vocab: Vocabulary, own_weight: float = 1.0, **kwargs: Any) -> None:
        super().__init__(vocab, **kwargs)
        self.own_weight = own_weight


def test_keys_of_a_users_subclass():
    own = f"{__name__}.LisaOfAUser"
    check_config(config(model__type=own, model__own_weight=0.5), "x")
    expected = r"x: model\.own_weigt: .* \(did you mean 'own_weight'\?\); .*role_decoder"
    with pytest.raises(ConfigurationError, match=expected):
        check_config(config(model__type=own, model__own_weigt=0.5), "x")


TYPES = [
    ("type", "continuedd", "continued"),
    ("model.type", "lisaa", "lisa"),
    ("model.encoder.type", "lstmm", "lstm"),
    ("model.role_decoder", "crff", "crf"),
    ("model.text_field_embedder.token_embedders.characters.encoder.type", "cnnn", "cnn"),
    ("dataset_reader.type", "conll12", "conll12_srl"),
    ("dataset_reader.token_indexers.tokens.type", "single_ids", "single_id"),
    ("data_loader.batch_sampler.type", "max_token_sampler", "max_tokens_sampler"),
    ("vocabulary.type", "from_file", "from_files"),
    ("trainer.optimizer.type", "lazy_adam", "lazy_nadam"),
    ("trainer.learning_rate_scheduler.type", "noamm", "noam"),
    ("trainer.callbacks", [{"type": "progres"}], "progress"),
    ("model.initializer", {"regexes": [["x", {"type": "nnormal"}]]}, "normal"),
]


@pytest.mark.medium
@pytest.mark.parametrize("key, value, similar", TYPES, ids=lambda value: str(value))
def test_unknown_types(key: str, value: Any, similar: str):
    with pytest.raises(ConfigurationError) as error:
        check_config(config(**{key: value}), "x")
    place = key if key.endswith("type") else f"{key}[0-9a-z.]*\\.type"
    found = rf"x: {place}: found \"\w+\" \(did you mean '{similar}'\?\); expected one of "
    assert re.match(found, error.value.message), error.value.message
    assert f" {similar}, " in error.value.message


def test_missing_and_malformed_types():
    without = config()
    del without["model"]["type"]
    with pytest.raises(ConfigurationError, match="x: model.type: found none; expected one of "):
        check_config(without, "x")
    with pytest.raises(ConfigurationError, match="x: model.type: found 3; expected one of "):
        check_config(config(model__type=3), "x")
    with pytest.raises(ConfigurationError, match="x: model.type: tried to interpret no.Such as a"):
        check_config(config(model__type="no.Such"), "x")


SIZES = [
    ("lisa_small", {"model.encoder.parse_layer": 99}, "parse_layer is 99; expected a layer above "),
    ("lisa_small", {"model.encoder.num_heads": 1}, "num_heads is 1; expected at least 2"),
    ("dm_small", {"model.encoder.cell": "grru"}, "cell is 'grru'; expected one of "),
    (
        "lisa_small",
        {
            "model.encoder": {
                "type": "pytorch_transformer",
                "input_dim": 10,
                "num_layers": 1,
                "num_attention_heads": 3,
            }
        },
        "embed_dim must be divisible by num_heads",
    ),
    (
        "ccg/mlp",
        {
            "model.encoder.encoders": [
                {"type": "lstm", "input_size": 3, "hidden_size": 4},
                {"type": "lstm", "input_size": 5, "hidden_size": 4},
            ]
        },
        "Encoder input and output dimensions don't match.",
    ),
]


@pytest.mark.medium
@pytest.mark.parametrize("name, changes, expected", SIZES, ids=lambda value: str(value)[:30])
def test_sizes_that_do_not_fit(name: str, changes: Dict[str, Any], expected: str):
    settings = Params.from_file(f"training_configs/{name}.jsonnet", changes).as_dict(quiet=True)
    before = copy.deepcopy(settings)
    state = torch.get_rng_state()
    with pytest.raises(ConfigurationError) as error:
        check_config(settings, "x")
    assert error.value.message.startswith(f"x: model.encoder: {expected}")
    assert settings == before and torch.equal(torch.get_rng_state(), state)


def test_the_supertagger_reads_what_is_embedded():
    embedders = "model.text_field_embedder.token_embedders"
    vectors = {f"{embedders}.tokens.pretrained_file": "missing.txt"}
    path = "training_configs/ccg/stacked_bilstm.jsonnet"

    def check(changes: Dict[str, Any]) -> None:
        settings = Params.from_file(path, {**vectors, **changes}).as_dict(quiet=True)
        before = copy.deepcopy(settings)
        state = torch.get_rng_state()
        try:
            check_config(settings, "x")
        finally:
            assert settings == before and torch.equal(torch.get_rng_state(), state)

    check({})
    size = {f"{embedders}.capitalization.embedding_dim": 7}
    expected = "^x: model: the encoder's input_dim is 75; expected 77, the size of the embedded"
    with pytest.raises(ConfigurationError, match=expected):
        check(size)
    # The files of an ELMo are not read for this.
    missing = {"options_file": "missing.json", "weight_file": "missing.hdf5"}
    check({**size, f"{embedders}.elmo": {"type": "elmo_token_embedder", **missing}})


def arguments(overrides: str = "", **others: str) -> Namespace:
    return Namespace(overrides=overrides, **others)


def test_overrides_of_an_experiment():
    path = "training_configs/lisa_small.jsonnet"
    check_arguments(arguments('{"model.role_dim": 10}', param_path=path))
    with pytest.raises(ConfigurationError, match=f"{path} with --overrides: model.x: found a key"):
        check_arguments(arguments('{"model.x": 10}', param_path=path))
    with pytest.raises(ConfigurationError, match=r"--overrides: .* unused keys: \['x.y'\]"):
        check_arguments(arguments('{"x.y": 10}', param_path=path))
    with pytest.raises(ConfigurationError, match=r"found '\[1\]'; expected a JSON object"):
        check_arguments(arguments("[1]", param_path=path))
    with pytest.raises(ConfigurationError, match="--overrides: found '{'; expected JSON "):
        check_arguments(arguments("{", param_path=path))
    # A command of another kind, which has its own overrides.
    check_arguments(arguments("{"))


def make_archive(folder: Path, names: List[str]) -> str:
    (folder / "config.json").write_text(json.dumps(config(trainer__of_another_version=1)))
    (folder / "weights.th").touch()
    archive = folder / "model.tar.gz"
    with tarfile.open(archive, "w:gz") as file:
        for name in names:
            file.add(folder / name, name)
    return str(archive)


@pytest.mark.medium
def test_overrides_of_an_archive(tmp_path: Path):
    archive = make_archive(tmp_path, ["config.json", "weights.th"])
    for model in (archive, str(tmp_path)):
        assert archived_config(model) == config(trainer__of_another_version=1)
        # What only training reads is not looked at.
        check_arguments(arguments('{"model.role_dim": 10}', archive_file=model))
        with pytest.raises(ConfigurationError, match="--overrides: model.x: found a key"):
            check_arguments(arguments('{"model.x": 10}', archive_file=model))


def test_archive_without_a_config(tmp_path: Path):
    archive = make_archive(tmp_path, ["weights.th"])
    with pytest.raises(ConfigurationError, match="found no config.json; expected a model archive"):
        archived_config(archive)
