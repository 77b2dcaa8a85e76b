"""Which models need PyTorch."""

import copy
import inspect
import json
from typing import Any, Dict

import pytest

from lisa_allennlp import pretrained
from lisa_allennlp.inference.config import EncoderSizes, reason_unsupported
from lisa_allennlp.modules.seq2seq_encoders.syntactically_informed_self_attention import (
    SyntacticallyInformedSelfAttention,
)

ENGLISH = json.loads((pretrained.FOLDER / "english/config.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        ("model.predicate_indicator_embedding", {"embedding_dim": 3}, "predicate_indicator"),
        ("model.encoder.layer_style", "paper", "layer_style"),
        ("model.encoder.syntactic_head", "mlp", "encoder.syntactic_head.type: found 'mlp'"),
        ("model.role_decoder", {}, "role_decoder.type"),
        ("model.text_field_embedder.token_embedders.elmo", {"type": "elmo"}, "elmo.type"),
        ("dataset_reader.token_indexers.tokens.start_tokens", ["<s>"], "start_tokens"),
        ("vocabulary.oov_token", "?", "vocabulary"),
    ],
)
def test_what_needs_pytorch(path: str, value: Any, named: str) -> None:
    config: Dict[str, Any] = copy.deepcopy({**ENGLISH, "vocabulary": {}})
    section = config
    *parents, last = path.split(".")
    for key in parents:
        section = section[key]
    section[last] = value
    assert named in (reason_unsupported(config) or "")


@pytest.mark.parametrize("head", ["deep_biaffine", {"type": "deep_biaffine"}, {}])
def test_the_papers_head_needs_no_pytorch(head: Any) -> None:
    config = copy.deepcopy(ENGLISH)
    config["model"]["encoder"]["syntactic_head"] = head
    assert reason_unsupported(config) is None


def test_defaults_are_those_of_the_encoder() -> None:
    parameters = inspect.signature(SyntacticallyInformedSelfAttention).parameters
    assert EncoderSizes() == EncoderSizes(
        **{name: parameters[name].default for name in EncoderSizes._fields}
    )
