"""Untrained models that predict frames, and texts to label."""

from pathlib import Path
from typing import Dict, List

import pytest
from allennlp.data import Vocabulary

from tests.archives import write_archive

WORDS = "She sold him the car . They ( all ) left it , didn't they ? 😀".split()


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Dict[str, Path]:
    encoder = {
        "type": "syntactically_informed_self_attention",
        "num_layers": 2,
        "predicate_layer": 1,
        "num_heads": 2,
        "input_dim": 8,
        "feedforward_hidden_dim": 8,
    }
    embedder = {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 8}}}
    predicates = ["VB:predicate", "NN:predicate", "JJ:predicate"]
    paths = {}
    for name, parse_layer, tags in (("lisa", 2, ["NN", *predicates]), ("sa", None, predicates)):
        own = {**encoder, "parse_layer": parse_layer}
        model = {"type": "lisa", "text_field_embedder": embedder, "encoder": own}
        folder = tmp_path_factory.mktemp(name)
        paths[name] = write_archive(folder, model, {"type": "conll12_srl"}, vocabulary(tags))
    return paths


def vocabulary(joint_tags: List[str]) -> Vocabulary:
    roles = [f"{prefix}-{role}" for role in ("V", "ARG0", "ARG1") for prefix in "BI"]
    return Vocabulary(
        tokens_to_add={
            "tokens": [word.lower() for word in WORDS],
            "joint_tags": joint_tags,
            "role_labels": ["O", *roles],
            "head_tags": ["root", "nsubj", "obj"],
        }
    )
