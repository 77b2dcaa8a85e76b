"""Untrained models that tests of commands and of the door share."""

import copy
from pathlib import Path
from typing import Any, Dict, Optional

import pytest
import torch
from allennlp.common import Params
from allennlp.data import DatasetReader, Vocabulary
from allennlp.models import Model

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.decoding.label_names import LabelNames
from lisa_allennlp.models.sentence_model import label_strings
from lisa_allennlp.models_on_disk.archives.stored_files import archive_model
from tests import ROOT


def make_archives(
    tmp_path_factory: pytest.TempPathFactory,
    token_embedders: Dict[str, Any],
    embedded_dim: int,
    token_indexers: Optional[Dict[str, Any]] = None,
) -> Dict[str, Path]:
    """An untrained model of each type that embeds words in the given way."""
    sample = ROOT / "fixtures/sample/test.gold_conll"
    vocab = Vocabulary.from_instances(Conll12SrlReader().read(sample))
    vocab.add_token_to_namespace("N", "supertag_labels")
    joint_tags = label_strings(vocab, "joint_tags")
    vocab.add_tokens_to_namespace(LabelNames({"joint_tags": joint_tags}).pos, "pos")
    embedder = {"token_embedders": token_embedders}
    lisa_encoder = {
        "type": "syntactically_informed_self_attention",
        "num_layers": 2,
        "predicate_layer": 1,
        "parse_layer": 2,
        "num_heads": 2,
        "input_dim": embedded_dim,
        "feedforward_hidden_dim": 8,
    }
    parser_encoder = {"type": "variational_bidirectional_rnn", "hidden_dim": 4, "num_layers": 1}
    models: Dict[str, Dict[str, Any]] = {
        "lisa": {"encoder": lisa_encoder, "reader": "conll12_srl"},
        "deep_biaffine_parser": {"encoder": parser_encoder, "reader": "conllu_parses"},
        "ccg_supertagger": {
            "encoder": {"type": "pass_through", "input_dim": embedded_dim},
            "reader": "ccgbank_supertags",
        },
    }
    paths = {}
    for name, parts in models.items():
        model: Dict[str, Any] = {"type": name, "text_field_embedder": embedder}
        model["encoder"] = parts["encoder"]
        if name == "deep_biaffine_parser":
            model["pos_tag_embedding"] = {"embedding_dim": 4, "vocab_namespace": "pos"}
        reader: Dict[str, Any] = {"type": parts["reader"]}
        if token_indexers is not None:
            reader["token_indexers"] = token_indexers
        paths[name] = write_archive(tmp_path_factory.mktemp(name), model, reader, vocab)
    return paths


def write_archive(
    folder: Path,
    model: Dict[str, Any],
    reader: Dict[str, Any],
    vocab: Vocabulary,
    describes: bool = False,
) -> Path:
    """
    An untrained model in a folder, from the configs of the model and its reader. If it describes
    its network, as after a training, it labels without PyTorch.
    """
    config = {
        "dataset_reader": reader,
        "model": model,
        "data_loader": {"batch_sampler": {"type": "max_tokens_sampler", "max_tokens": 100}},
    }
    Params(copy.deepcopy(config)).to_file(str(folder / "config.json"))
    vocab.save_to_files(str(folder / "vocabulary"))
    built = Model.from_params(Params(copy.deepcopy(model)), vocab=vocab)
    randomize(built)
    torch.save(built.state_dict(), folder / "best.th")
    if describes:
        made = DatasetReader.from_params(Params(copy.deepcopy(reader)))
        built.write_network(made, folder)
    return Path(archive_model(folder))


def randomize(model: Model) -> None:
    """
    Gives all trainable weights values at random, so that a model that was never trained predicts
    frames, and trees with cycles: some layers start at zero. So do the counts of roles.
    """
    torch.manual_seed(1)
    for parameter in model.parameters():
        if parameter.requires_grad:
            torch.nn.init.normal_(parameter, std=0.5)
    for name, buffer in model.named_buffers():
        if name.endswith("_counts"):
            buffer.random_(20_000)
