"""A LISA and an SA over a pretrained encoder label without PyTorch as with it."""

import json
import shutil
from pathlib import Path
from typing import Any, Dict

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params

import lisa_allennlp
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.models_on_disk.archives.exporting import Description, export
from lisa_allennlp.models_on_disk.archives.opening import archived_config, open_archive
from lisa_allennlp.training.continued_training import continued_config
from tests import FIXTURES
from tests.archives import write_archive
from tests.inference.model_test import ODD, SAMPLE, WORDS, compare, sample_vocabulary
from tests.tiny_transformer import make_tiny_transformer

# Word pieces are characters, so most sentences are longer.
MAX_LENGTH = 31


def make_archive(folder: Path, is_lisa: bool) -> Path:
    transformer = make_tiny_transformer(folder / "transformer", 64)
    pretrained = {"type": "pretrained_encoder", "model_name": transformer}
    encoder: Dict[str, Any] = {
        "type": "syntactically_informed_self_attention",
        "num_layers": 1,
        "num_heads": 2,
        "predicate_layer": 0,
        "feedforward_hidden_dim": 8,
        "arc_dim": 4,
        "parse_layer": None,
    }
    num_layers = 2 if is_lisa else 1
    own = {"max_length": MAX_LENGTH, "transformer_kwargs": {"num_hidden_layers": num_layers}}
    embedders: Dict[str, Any] = {"encoder": {**pretrained, **own}}
    indexers: Dict[str, Any] = {"encoder": pretrained}
    if is_lisa:
        encoder["parse_layer"] = 1
        # Those around the pieces are cached by word.
        for name in ("before", "words"):
            embedders[name] = {"type": "embedding", "embedding_dim": 4}
            indexers[name] = {"type": "single_id"}
    model = {
        "type": "lisa",
        "text_field_embedder": {"token_embedders": embedders},
        "encoder": encoder,
        "predicate_dim": 4,
        "role_dim": 4,
    }
    reader = {"type": "conll12_srl", "token_indexers": indexers}
    return write_archive(folder, model, reader, sample_vocabulary(), describes=True)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_archive(tmp_path_factory.mktemp("lisa"), True)


@pytest.fixture(scope="module")
def exported(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported") / "model"
    export(archive, folder, Description(license="MIT"))
    return folder


@pytest.mark.medium
def test_labels_are_those_of_pytorch(archive: Path, tmp_path: Path) -> None:
    for path in (archive, make_archive(tmp_path, False)):
        compare(path, [*WORDS[:8], *ODD[:5]])


@pytest.mark.medium
def test_an_exported_folder_labels_like_its_archive(archive: Path, exported: Path) -> None:
    words = [sentence.words for sentence in SAMPLE[:4]]
    found = lisa_allennlp.load(exported, engine="onnx").pipe(words)
    expected = lisa_allennlp.load(archive, engine="torch").pipe(words)
    assert [one.frames for one in found] == [one.frames for one in expected]


@pytest.mark.medium
def test_a_training_continues_over_half_of_the_first_layer(
    archive: Path, exported: Path, tmp_path: Path
) -> None:
    config = archived_config(str(archive))
    config["dataset_reader"]["token_indexers"]["encoder"]["model_name"] = "elsewhere"
    embedders = config["model"]["text_field_embedder"]["token_embedders"]
    embedders["encoder"]["model_name"] = "elsewhere"
    embedders["encoder"]["transformer_kwargs"] = {"num_hidden_layers": 1, "intermediate_size": 8}
    config["train_data_path"] = str(FIXTURES / "sample" / "test.gold_conll")
    config["dataset_reader"]["max_instances"] = 8
    config["data_loader"] = {"batch_size": 4}
    config["trainer"] = {"num_epochs": 1, "optimizer": {"type": "sgd", "lr": 0.0}}
    continued = Params(continued_config(config, str(exported)))
    new = train_model(continued, tmp_path / "out", return_model=True)
    assert new is not None
    old, weights = open_archive(archive).model.state_dict(), new.state_dict()
    first = {name: weight for name, weight in weights.items() if "layer.0.attention" in name}
    assert first and all(torch.equal(old[name], weight) for name, weight in first.items())
    assert not any("layer.1" in name for name in weights)
    (into,) = (name for name in weights if name.endswith("intermediate.dense.weight"))
    out = into.replace("intermediate", "output")
    norms = old[out].norm(dim=0)
    is_kept = norms >= norms.sort().values[-8]
    assert torch.equal(weights[into], old[into][is_kept])
    assert torch.equal(weights[out], old[out][:, is_kept])


@pytest.mark.medium
def test_a_tokenizer_of_another_model_is_refused(exported: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(exported, tmp_path / "model")
    (file,) = folder.glob("*/tokenizer.json")
    tokenizer = json.loads(file.read_text(encoding="utf-8"))
    tokenizer["model"]["vocab"]["one more"] = 30_000
    file.write_text(json.dumps(tokenizer), encoding="utf-8")
    with pytest.raises(ConfigurationError, match="30000"):
        lisa_allennlp.load(folder, engine="onnx")
