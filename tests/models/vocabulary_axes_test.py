"""The weights whose shapes depend on the vocabulary, against networks of two vocabularies."""

import copy
from pathlib import Path
from typing import Any, Dict

import pytest
from allennlp.common import Params
from allennlp.data import DatasetReader, Vocabulary
from allennlp.models import Model

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.training.continued_training import DERIVED
from tests import ROOT

NEW = {
    "tokens": ["zyzzyva"],
    "token_characters": ["\u00e6", "\u00f8"],
    "affix_characters": ["\u00e6", "\u00f8", "\u00e5"],
    "joint_tags": ["XX", "YY", "XX:predicate", "YY:predicate"],
    "pos": ["XX", "YY", "ZZ", "QQ", "VV"],
    "head_tags": ["new:one", "new:two", "new:three"],
    "role_labels": ["B-NEW", "I-NEW"],
    "sense_labels": ["new.01", "new.02", "new.03"],
    "supertag_labels": ["NEW", "NEW/NEW", "NEW\\NEW"],
}
CONFIGS: Dict[str, Dict[str, Any]] = {
    "lisa_small": {"model.role_decoder": {"type": "crf"}},
    "sa_small": {"dataset_reader.senses": True, "model.sense_tagger": {"type": "linear"}},
    "dm_small": {"dataset_reader.type": "conllu_parses", "model.encoder.hidden_dim": 5},
    "dm_glove": {"model.attention": {"type": "mlp"}, "model.encoder.hidden_dim": 5},
    "ccg/jordan": {},
    "ccg/stacked_bilstm": {},
}


@pytest.mark.medium
@pytest.mark.parametrize("name", CONFIGS)
def test_they_are_those_whose_shapes_change(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    changes = {"dataset_reader.max_instances": 40, **CONFIGS[name]}
    params = Params.from_file(Path("training_configs") / f"{name}.jsonnet", changes)
    reader = DatasetReader.from_params(params["dataset_reader"])
    vocab = Vocabulary.from_instances(list(reader.read(params["train_data_path"])))
    larger = copy.deepcopy(vocab)
    for namespace, labels in NEW.items():
        if namespace in vocab.get_namespaces():
            larger.add_tokens_to_namespace(labels, namespace)
    for embedder in params["model"]["text_field_embedder"]["token_embedders"].params.values():
        embedder.pop("pretrained_file", None)
    models = [
        Model.from_params(params["model"].duplicate(), vocab=each) for each in (vocab, larger)
    ]
    shapes = [{key: weight.shape for key, weight in model.named_parameters()} for model in models]
    axes = models[0].vocabulary_axes()
    assert axes and axes == models[1].vocabulary_axes()
    for key, shape in shapes[0].items():
        if key.endswith(DERIVED):
            continue
        for axis, size in enumerate(shape):
            namespaces = axes.get(key, ())
            namespace = namespaces[axis] if axis < len(namespaces) else None
            grown = shapes[1][key][axis]
            if namespace is None:
                assert grown == size, (key, axis)
            else:
                blocks, rest = divmod(size, vocab.get_vocab_size(namespace))
                assert not rest and grown == blocks * larger.get_vocab_size(namespace), (key, axis)
                assert grown > size
