"""Which models label without PyTorch. `tests/inference/model_test.py` compares these."""

import copy
from typing import Any, Dict

import pytest
from allennlp.common import Params
from allennlp.data import DatasetReader, Vocabulary
from allennlp.models import Model

from lisa_allennlp.models.lisa import Lisa
from tests.inference.model_test import sample_vocabulary


@Model.register("lisa_of_a_user")
class OwnLisa(Lisa):
    pass


@pytest.fixture(scope="module")
def vocab() -> Vocabulary:
    return sample_vocabulary()


CHARACTERS = "text_field_embedder.token_embedders.characters"

CONFIG: Dict[str, Any] = {
    "model": {
        "type": "lisa",
        "text_field_embedder": {
            "token_embedders": {
                "tokens": {"type": "embedding", "embedding_dim": 4},
                "characters": {
                    "type": "distinct_character_encoding",
                    "embedding": {"embedding_dim": 4, "vocab_namespace": "token_characters"},
                    "encoder": {"type": "cnn", "embedding_dim": 4, "num_filters": 3},
                },
            }
        },
        "encoder": {
            "type": "syntactically_informed_self_attention",
            "num_layers": 2,
            "num_heads": 2,
            "predicate_layer": 1,
            "parse_layer": 2,
        },
        "role_decoder": "crf",
    },
    "reader": {
        "type": "conll12_srl",
        "token_indexers": {
            "tokens": {"type": "single_id"},
            "characters": {"type": "distinct_characters", "min_padding_length": 5},
        },
    },
}


def describe(config: Dict[str, Any], vocab: Vocabulary) -> Any:
    config = copy.deepcopy(config)
    model: Any = Model.from_params(Params(config["model"]), vocab=vocab)
    return model.describe_network(DatasetReader.from_params(Params(config["reader"])))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("model.type", "lisa_of_a_user"),
        (f"model.{CHARACTERS}.type", "character_encoding"),
        ("model.text_field_embedder.token_embedders.tokens.projection_dim", 4),
        ("reader.token_indexers.tokens.start_tokens", ["<s>"]),
        ("reader.token_indexers.characters.end_tokens", ["</s>"]),
        ("reader.token_indexers.characters.character_tokenizer", {"lowercase_characters": True}),
    ],
)
def test_an_unknown_part_needs_pytorch(path: str, value: Any, vocab: Vocabulary) -> None:
    config = copy.deepcopy(CONFIG)
    section = config
    *parents, last = path.split(".")
    for key in parents:
        section = section[key]
    section[last] = value
    assert describe(CONFIG, vocab) is not None
    assert describe(config, vocab) is None


def test_another_unknown_word_needs_pytorch() -> None:
    vocab = Vocabulary(oov_token="?")
    vocab.add_tokens_to_namespace(["NN", "VB:predicate"], "joint_tags")
    vocab.add_tokens_to_namespace(["O", "B-V"], "role_labels")
    vocab.add_tokens_to_namespace(["root"], "head_tags")
    assert describe(CONFIG, vocab) is None
