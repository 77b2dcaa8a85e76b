"""Models that someone else made: none of them runs code, writes a file or connects to anything."""

import json
import shutil
import tarfile
from pathlib import Path
from typing import Any, Dict

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.models import Model
from allennlp.models.archival import load_archive
from allennlp.predictors import Predictor

import lisa_allennlp
from benchmarks.hostile_models import (
    DOORS,
    HARMLESS,
    KINDS,
    Payload,
    archived,
    attempt,
    call,
    changed,
    in_config,
    make_good_model,
    run,
    with_members,
)
from lisa_allennlp.common.configs import archived_config
from lisa_allennlp.model_files import unpacking
from lisa_allennlp.model_files.opening import open_archive
from lisa_allennlp.spacy_component.component import LisaComponent
from tests.archives import write_archive
from tests.fast_archives import OPEN_COMPRESSED

CASES = {f"{kind}: {name}": (name, make) for kind, c in KINDS.items() for name, make in c.items()}
ELSEWHERE = ("open_archive", "a parser")
CLASS = "lisa_allennlp.data.dataset_readers.conll12_srl.Conll12SrlReader"


@pytest.fixture(autouse=True)
def compressed_archives(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only in a compressed archive do the last bytes matter, which one of the cases lacks."""
    monkeypatch.setattr(tarfile.TarFile, "gzopen", OPEN_COMPRESSED)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_good_model(tmp_path_factory.mktemp("model") / "good")


@pytest.fixture
def copy(good: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(good, tmp_path / "copy"))


def test_the_payloads_are_real(tmp_path: Path) -> None:
    Model.from_params(Params(call(f"touch {tmp_path}/config")))
    torch.save(Payload(tmp_path / "pickle"), tmp_path / "weights.th")
    torch.load(tmp_path / "weights.th", weights_only=False)
    assert (tmp_path / "config").exists() and (tmp_path / "pickle").exists()


@pytest.mark.parametrize("case", [case for case in CASES if not case.endswith(": a list")])
def test_hostile_models(case: str, good: Path, tmp_path: Path) -> None:
    name, make = CASES[case]
    outcome = attempt(name, make, "open_archive", good, tmp_path)
    assert not outcome.harm and not outcome.error
    assert bool(outcome.refused) != (name in HARMLESS)
    if outcome.refused:
        # The name of the file comes first.
        assert outcome.refused.startswith(str(tmp_path))


@pytest.mark.medium
@pytest.mark.parametrize("door", [door for door in DOORS if door not in ELSEWHERE])
def test_every_door(door: str, good: Path, tmp_path: Path) -> None:
    make = in_config("model.encoder", call)
    outcome = attempt("an encoder", make, door, good, tmp_path)
    assert not outcome.harm and not outcome.error
    expected = "model.tar.gz: config.json: model.encoder.type: found the type 'os.system'; expected"
    assert expected in outcome.refused


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_hostile_models_are_not_evaluated(case: str, good: Path, tmp_path: Path) -> None:
    outcome = attempt(*CASES[case], "lisa evaluate", good, tmp_path)
    assert not outcome.harm and not outcome.error


@pytest.mark.medium
def test_the_doors_of_allennlp_and_spacy(good: Path, tmp_path: Path) -> None:
    payload = tmp_path / "payload"
    copied = Path(shutil.copytree(good, tmp_path / "copy"))
    model = str(in_config("model.encoder", call)(copied, payload))
    component = LisaComponent(model=model)
    for opened in (Model.from_archive, Predictor.from_path, lambda _: component.load()):
        with pytest.raises(ConfigurationError, match="found the type 'os.system'"):
            opened(model)
    assert not payload.exists()
    with pytest.raises(ConfigurationError, match="found the type 'os.system'"):
        lisa_allennlp.load(good, parser=model)
    # Folders are checked as archives are.
    with pytest.raises(ConfigurationError, match="copy/config.json: model.encoder.type: found"):
        open_archive(copied)


@pytest.mark.medium
def test_a_type_that_the_user_trusts(good: Path, copy: Path) -> None:
    make = in_config("dataset_reader.type", lambda command: CLASS)
    model = make(copy, copy)
    expected = f"found the type '{CLASS}'.*--allow-type {CLASS}, or load"
    with pytest.raises(ConfigurationError, match=expected):
        lisa_allennlp.load(model)
    assert lisa_allennlp.load(model, allow_types=[CLASS])("She left.").words
    assert lisa_allennlp.load(model, precision="bfloat16", allow_types=["x.Y", CLASS])
    parser = {"type": "archive", "path": str(model), "allow_types": [CLASS]}
    # Not a parser, but opened.
    with pytest.raises(ConfigurationError, match="parser: found a Lisa"):
        lisa_allennlp.load(good, parser=parser)
    run("label", str(model), "She left.", "--allow-type", CLASS)


def test_overrides_are_trusted(copy: Path) -> None:
    overrides = {"dataset_reader": {"type": CLASS}}
    assert open_archive(archived(copy), overrides=overrides).dataset_reader is not None


@pytest.mark.parametrize("name", ["config.json", "./config.json"])
def test_archives_of_other_programs(copy: Path, name: str) -> None:
    path = copy / "own.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for own, member in ((copy / "config.json", name), (copy / "best.th", "weights.th")):
            archive.add(own, member)
        archive.add(copy / "vocabulary", "./vocabulary")
    assert archived_config(str(path)) == json.loads((copy / "config.json").read_text())
    assert lisa_allennlp.load(path)("She left.").words == ["She", "left", "."]


def test_too_large(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = archived(copy)
    monkeypatch.setattr(unpacking, "MAX_SIZE", 9000)
    expected = "found the member 'weights.th' of [0-9,]+ bytes; expected at most [0-9,]+: an arch"
    with pytest.raises(ConfigurationError, match=expected):
        open_archive(model)
    monkeypatch.setattr(unpacking, "MAX_CONFIG", 10)
    with pytest.raises(ConfigurationError, match="found the member 'config.json' of .* at most 10"):
        archived_config(str(model))


def test_a_full_disk(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(unpacking.shutil, "copyfileobj", full)
    with pytest.raises(ConfigurationError, match="cannot be unpacked to .*: No space left on dev"):
        open_archive(archived(copy))


@pytest.mark.parametrize(
    "key, value, message",
    [
        (
            "model.text_field_embedder.token_embedders.tokens.embedding_dim",
            6,
            r"the weight _text_field_embedder\S+ of shape 4x8; expected 4x6, the shape in the "
            r"network of config.json with the overrides \(-o\), which are probably the cause",
        ),
        (
            "model.encoder.num_layers",
            3,
            r"found no weight _encoder\S+ \(of shape .*\); expected .* probably the cause",
        ),
        ("model.encoder.num_heads", 3, "with overrides: .*num_heads"),
        ("model.encoder.type", "nothing", "with overrides: nothing not in acceptable choices for"),
    ],
)
def test_overrides_that_do_not_fit_the_weights(
    copy: Path, key: str, value: Any, message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message) as error:
        open_archive(copy, overrides={key: value})
    assert error.value.message.startswith(str(copy)) and "\n" not in error.value.message


def test_other_weights(copy: Path, tmp_path: Path) -> None:
    torch.save(Payload(tmp_path / "payload"), tmp_path / "other.th")
    expected = f"^{tmp_path}/other.th: found a pickle with posix.system, which is no part of weig"
    with pytest.raises(ConfigurationError, match=expected):
        open_archive(copy, weights_file=str(tmp_path / "other.th"))
    assert not (tmp_path / "payload").exists()


@pytest.mark.medium
def test_models_of_other_packages_open_as_before(tmp_path: Path) -> None:
    from allennlp.data import Vocabulary

    embedder = {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 8}}}
    config: Dict[str, Any] = {
        "type": "simple_tagger",
        "text_field_embedder": embedder,
        "encoder": {"type": "lstm", "input_size": 8, "hidden_size": 4},
    }
    vocab = Vocabulary(tokens_to_add={"tokens": ["she"], "labels": ["A", "B"]})
    archive = write_archive(tmp_path, config, {"type": "sequence_tagging"}, vocab)
    for opened in (open_archive(archive), load_archive(archive)):
        assert type(opened.model).__name__ == "SimpleTagger"
    with pytest.raises(ConfigurationError, match="found a SimpleTagger; expected a model of this"):
        lisa_allennlp.load(archive)
    for predictor in ("lisa", "os.system"):
        with pytest.raises(ConfigurationError, match="--predictor is '.*', but .* is another pack"):
            run("predict", str(archive), str(tmp_path / "config.json"), "--predictor", predictor)


def test_the_name_of_a_config_value_may_have_dots(copy: Path) -> None:
    config = json.loads((copy / "config.json").read_text())
    regex = {"regexes": [["encoder.weight", {"type": "l2", "alpha": 0.1}]]}
    (copy / "config.json").write_text(json.dumps(changed(config, "model.regularizer", regex)))
    assert open_archive(copy).model is not None


def test_the_members_that_open(copy: Path) -> None:
    assert open_archive(with_members()(copy, copy)).meta is None
