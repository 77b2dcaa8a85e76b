"""Transformers and tokenizers of a user's choice, and of someone else's model."""

import inspect
import json
from pathlib import Path
from typing import Any, List

import pytest
import torch
from allennlp.common import cached_transformers
from allennlp.data import Token, Vocabulary
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers
from transformers import CONFIG_MAPPING, TOKENIZER_MAPPING, AutoModel, AutoTokenizer

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.token_indexers.pretrained_transformer_words import (
    PretrainedTransformerWordsIndexer,
)
from lisa_allennlp.models_on_disk.archives.cached_transformers import (
    TEXT_ENCODERS,
    load_config,
    load_tokenizer,
)
from lisa_allennlp.modules.token_embedders import PretrainedTransformerWordsEmbedder
from tests.tiny_transformer import SPECIAL, make_tiny_transformer

SIZES = {
    **{"vocab_size": 90, "hidden_size": 16, "embedding_size": 16, "dim": 16, "hidden_dim": 16},
    **{"num_hidden_layers": 1, "n_layers": 1, "num_attention_heads": 2, "n_heads": 2},
    **{"intermediate_size": 16, "max_position_embeddings": 64, "pos_att_type": ["c2p", "p2c"]},
}
TEXTS = ["She sold him the car, didn't she?", "Über naïve cafés"]


@pytest.mark.parametrize("kind", TEXT_ENCODERS)
def test_a_known_network_is_the_one_of_transformers(kind: str, tmp_path: Path) -> None:
    config_class = CONFIG_MAPPING[kind]
    known = inspect.signature(config_class.__init__).parameters
    config = config_class(**{key: size for key, size in SIZES.items() if key in known})
    expected = AutoModel.from_config(config).eval()
    config.save_pretrained(tmp_path)
    found = json.loads((tmp_path / "config.json").read_text())
    found.update(auto_map={"AutoModel": "x.Y"}, backbone="x/y", torch_dtype="float16")
    (tmp_path / "config.json").write_text(json.dumps(found))
    model = AutoModel.from_config(load_config(str(tmp_path), is_stored=True)).eval()
    model.load_state_dict(expected.state_dict())
    pieces = torch.tensor([[5, 6, 7]])
    assert torch.equal(model(pieces)[0], expected(pieces)[0])


def word_pieces() -> Any:
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer, trainers.WordPieceTrainer


def byte_pairs() -> Any:
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel()
    return tokenizer, trainers.BpeTrainer


def unigrams() -> Any:
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    return tokenizer, trainers.UnigramTrainer


@pytest.mark.parametrize(
    "kind, make, options",
    [
        ("bert", word_pieces, {"do_lower_case": False}),
        ("roberta", byte_pairs, {"add_prefix_space": True}),
        ("deberta-v2", unigrams, {"split_by_punct": True}),
    ],
)
def test_a_known_tokenizer_is_the_one_of_transformers(
    kind: str, make: Any, options: Any, tmp_path: Path
) -> None:
    tokenizer, trainer = make()
    special = [*SPECIAL, "<pad>", "<unk>", "<s>", "</s>", "<mask>"]
    unknown = {"unk_token": "<unk>"} if make is unigrams else {}
    tokenizer.train_from_iterator(TEXTS, trainer(vocab_size=80, special_tokens=special, **unknown))
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    fast = TOKENIZER_MAPPING[CONFIG_MAPPING[kind]][1]
    made = fast(tokenizer_file=str(tmp_path / "tokenizer.json"), **options)
    made.save_pretrained(tmp_path, legacy_format=False)
    CONFIG_MAPPING[kind]().save_pretrained(tmp_path)
    expected = AutoTokenizer.from_pretrained(str(tmp_path))
    path = tmp_path / "tokenizer_config.json"
    files = {"vocab_file": "/etc/passwd", "tokenizer_file": "/etc/passwd", "gguf_file": "x"}
    path.write_text(json.dumps({**json.loads(path.read_text()), **files}))
    found = load_tokenizer(str(tmp_path), is_stored=True)
    assert type(found) is type(expected) and len(found) == len(expected)
    for text in TEXTS:
        assert found(text)["input_ids"] == expected(text)["input_ids"]
    assert found.build_inputs_with_special_tokens([11]) == (
        expected.build_inputs_with_special_tokens([11])
    )


def test_options_of_the_user_s_transformer(tmp_path: Path) -> None:
    folder = make_tiny_transformer(tmp_path / "tiny")
    indexer = PretrainedTransformerWordsIndexer(folder, tokenizer_kwargs={"do_lower_case": True})
    pieces: List[int] = indexer.tokens_to_indices([Token("So")], Vocabulary())["token_ids"]
    tokenizer = AutoTokenizer.from_pretrained(folder, do_lower_case=True)
    assert tokenizer.convert_ids_to_tokens(pieces) == ["[CLS]", "s", "##o", "[SEP]"]
    embedder = PretrainedTransformerWordsEmbedder(
        folder, transformer_kwargs={"hidden_dropout_prob": 0.3}
    )
    assert embedder._matched_embedder.config.hidden_dropout_prob == 0.3
    assert not cached_transformers._tokenizer_cache


def test_a_missing_one_is_named(tmp_path: Path) -> None:
    name = str(tmp_path)
    with pytest.raises(ConfigurationError, match=f"cannot load the transformer '{name}'; expected"):
        PretrainedTransformerWordsIndexer(name)
