"""Embedders with random weights, against the sizes of the published ones and their own readers."""

import math
from pathlib import Path

import pytest
import torch
from allennlp.common import Params
from allennlp.data import Token, Vocabulary
from allennlp.modules import TextFieldEmbedder
from transformers import BertConfig, BertModel

from benchmarks.systems import CASED_BERT, ELMO, Words, random_elmo, random_transformer
from benchmarks.systems import _shapes_of_elmo as shapes_of_elmo
from lisa_allennlp.data.sentence import Sentence

TINY_ELMO = {
    "char_cnn": {**ELMO["char_cnn"], "embedding": {"dim": 3}, "filters": [[1, 4], [2, 5]]},
    "lstm": {**ELMO["lstm"], "dim": 7, "projection_dim": 6},
}
TINY_BERT = {
    "vocab_size": 40,
    "hidden_size": 8,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 8,
}
SENTENCES = [Sentence(["aba", "bab"]), Sentence(["aba", "b"])]


def embed(words: Words, text: str) -> torch.Tensor:
    vocab = Vocabulary()
    indexer = words.indexers["tokens"]
    indices = indexer.tokens_to_indices([Token(word) for word in text.split()], vocab)
    tensors = indexer.as_padded_tensor_dict(indices, indexer.get_padding_lengths(indices))
    embedder = TextFieldEmbedder.from_params(Params(words.embedder), vocab=vocab).eval()
    tokens = {"tokens": {name: tensor.unsqueeze(0) for name, tensor in tensors.items()}}
    with torch.no_grad():
        return embedder(tokens)


def test_sizes_are_the_published_ones() -> None:
    # 93.6 million parameters; AllenNLP adds a row of zeros for padding.
    of_elmo = sum(math.prod(shape) for _, shape in shapes_of_elmo(ELMO))
    assert of_elmo == pytest.approx(93.6e6, rel=1e-3)
    with torch.device("meta"):
        bert = BertModel(BertConfig(**CASED_BERT))
    assert sum(parameter.numel() for parameter in bert.parameters()) == 108_310_272


def test_elmo_is_read_by_allennlp(tmp_path: Path) -> None:
    vectors = embed(random_elmo(tmp_path, TINY_ELMO), "She saw her")
    assert vectors.shape == (1, 3, 12)
    assert len(vectors[0].unique(dim=0)) == 3


def test_words_that_occur_twice_are_one_piece(tmp_path: Path) -> None:
    words = random_transformer(tmp_path, SENTENCES, TINY_BERT)
    indices = words.indexers["tokens"].tokens_to_indices(
        [Token("aba"), Token("bab"), Token("b")], Vocabulary()
    )
    sizes = [last - first + 1 for first, last in indices["offsets"]]
    assert sizes[0] == sizes[2] == 1 and sizes[1] > 1
    vectors = embed(words, "aba bab b")
    assert vectors.shape == (1, 3, 8)
    assert len(vectors[0].unique(dim=0)) == 3
