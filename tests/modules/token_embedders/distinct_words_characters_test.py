"""Distinct words against AllenNLP's encoder of all words."""

from typing import List, Tuple

import pytest
import torch
from allennlp.modules.seq2vec_encoders import CnnEncoder
from allennlp.modules.token_embedders import (
    Embedding,
    TokenCharactersEncoder,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.modules.token_embedders.distinct_words_characters import (
    DistinctWordsCharactersEncoder,
)

words = st.lists(st.integers(1, 5), min_size=0, max_size=40)


def make_encoders() -> Tuple[DistinctWordsCharactersEncoder, TokenCharactersEncoder]:
    torch.manual_seed(0)
    encoders = [
        cls(Embedding(3, num_embeddings=6), CnnEncoder(3, 4, ngram_filter_sizes=(2, 3, 4)))
        for cls in (DistinctWordsCharactersEncoder, TokenCharactersEncoder)
    ]
    encoders[1].load_state_dict(encoders[0].state_dict())
    return encoders[0], encoders[1]


def to_tensor(sentences: List[List[List[int]]]) -> torch.Tensor:
    length = max(len(sentence) for sentence in sentences)
    width = max(4, *(len(word) for sentence in sentences for word in sentence))
    tensor = torch.zeros(len(sentences), length, width, dtype=torch.long)
    for row, sentence in zip(tensor, sentences, strict=True):
        for place, word in zip(row, sentence, strict=False):
            place[: len(word)] = torch.tensor(word)
    return tensor


@pytest.mark.medium
@given(st.lists(st.lists(words, min_size=1, max_size=5), min_size=1, max_size=4))
@settings(deadline=None)
def test_it_is_allennlps(sentences):
    characters = to_tensor(sentences)
    ours, peer = make_encoders()
    outputs = [encoder(characters) for encoder in (ours, peer)]
    torch.testing.assert_close(outputs[0], outputs[1])
    for output in outputs:
        output.sin().sum().backward()
    for own, theirs in zip(ours.parameters(), peer.parameters(), strict=True):
        torch.testing.assert_close(own.grad, theirs.grad, rtol=1e-4, atol=1e-5)


def test_each_distinct_word_is_encoded_once():
    ours, _ = make_encoders()
    seen = []
    ours._encoder.register_forward_hook(lambda module, inputs, output: seen.append(inputs[0].shape))
    long, short = [1] * 20, [2, 3]
    ours(to_tensor([[short, long] * 50, [short] * 90]))
    # The two and the padding, three words in all.
    assert [tuple(shape) for shape in seen] == [(1, 3, 20, 3)]


def test_other_devices_encode_all_words():
    # The meta device has shapes without values.
    encoder = make_encoders()[0].to("meta")
    assert encoder(torch.empty(2, 3, 9, dtype=torch.long, device="meta")).shape == (2, 3, 12)
