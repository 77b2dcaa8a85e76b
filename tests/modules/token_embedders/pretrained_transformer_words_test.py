"""Embedding words with a Hugging Face encoder."""

from pathlib import Path
from typing import List

import pytest
import torch
from allennlp.data import Batch, Instance, Token, Vocabulary
from allennlp.data.fields import TextField
from transformers import AutoModel, AutoTokenizer

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.token_indexers.pretrained_transformer_words import (
    PretrainedTransformerWordsIndexer,
)
from lisa_allennlp.modules.token_embedders.pretrained_transformer_words import (
    PretrainedTransformerWordsEmbedder,
)
from tests.tiny_transformer import make_tiny_transformer


@pytest.fixture(scope="module")
def model_name(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_tiny_transformer(tmp_path_factory.mktemp("transformer") / "tiny", 64)


@torch.no_grad()
def embed(model_name: str, sentences: List[str], max_length: int = 64) -> torch.Tensor:
    indexers = {"words": PretrainedTransformerWordsIndexer(model_name, max_length=max_length)}
    fields = [TextField([Token(word) for word in s.split(" ")], indexers) for s in sentences]
    batch = Batch([Instance({"tokens": field}) for field in fields])
    batch.index_instances(Vocabulary())
    embedder = PretrainedTransformerWordsEmbedder(model_name, max_length=max_length).eval()
    return embedder(**batch.as_tensor_dict()["tokens"]["words"])


@torch.no_grad()
def test_a_word_is_the_mean_of_its_pieces(model_name: str) -> None:
    ids = AutoTokenizer.from_pretrained(model_name)("Go on", return_tensors="pt")
    pieces = AutoModel.from_pretrained(model_name).eval()(**ids).last_hidden_state[0]
    expected = torch.stack([pieces[1:3].mean(0), pieces[3:5].mean(0)])
    torch.testing.assert_close(embed(model_name, ["Go on"])[0], expected)


def test_long_sentences_are_embedded_in_segments(model_name: str) -> None:
    # 40 pieces a sentence, and 10 a segment beside the two that are added.
    words = " ".join(["abcde"] * 8)
    embedded = embed(model_name, [words], max_length=12)[0]
    segment = embed(model_name, ["abcde abcde"], max_length=12)[0]
    torch.testing.assert_close(embedded, segment.repeat(4, 1))


def test_more_positions_than_the_transformer_has_are_refused(model_name: str) -> None:
    PretrainedTransformerWordsEmbedder(model_name, max_length=64)
    with pytest.raises(ConfigurationError, match="max_length is 65, but .* has positions for 64"):
        PretrainedTransformerWordsEmbedder(model_name, max_length=65)


def test_positions_after_those_of_padding_are_counted(tmp_path: Path, model_name: str) -> None:
    from transformers import RobertaConfig, RobertaModel

    folder = make_tiny_transformer(tmp_path / "roberta")
    config = RobertaConfig(
        vocab_size=AutoModel.from_pretrained(model_name).config.vocab_size,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=34,
        pad_token_id=1,
    )
    RobertaModel(config).save_pretrained(folder)
    # 34 positions, of which two are not for word pieces: one more word than 30 would not fit.
    assert torch.isfinite(embed(folder, [" ".join("a" * 30)], max_length=32)).all()
    with pytest.raises(ConfigurationError, match="has positions for 32 word pieces"):
        PretrainedTransformerWordsEmbedder(folder, max_length=33)
