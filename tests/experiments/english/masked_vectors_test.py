"""Pre-training of an encoder on hidden words."""

import random
from argparse import Namespace
from collections import Counter
from copy import deepcopy

import pytest
import torch
from allennlp.common import Params
from allennlp.data import Vocabulary
from allennlp.modules import Seq2SeqEncoder

from experiments.english.masked_vectors import Batches, MaskedVectors, initial_weights, train

SENTENCES = [["The", "dog", "barked", "at", "her", "."], ["She", "ran"], ["Leave", "!"]] * 10

ENCODER = {
    "type": "syntactically_informed_self_attention",
    "num_layers": 3,
    "num_heads": 3,
    "head_dim": 4,
    "feedforward_hidden_dim": 16,
    "predicate_layer": 1,
    "parse_layer": 2,
}

CHARACTERS = {
    "type": "distinct_character_encoding",
    "embedding": {"embedding_dim": 4, "vocab_namespace": "token_characters"},
    "encoder": {"type": "cnn", "embedding_dim": 4, "num_filters": 4, "ngram_filter_sizes": [2]},
}


@pytest.fixture(scope="module")
def vocab():
    vocab = Vocabulary()
    for word in sorted({word for words in SENTENCES for word in words}):
        vocab.add_token_to_namespace(word.lower(), "tokens")
        vocab.add_tokens_to_namespace(list(word), "token_characters")
    return vocab


@pytest.fixture
def network(vocab):
    torch.manual_seed(1)
    words = {"type": "embedding", "embedding_dim": 8}
    embedders = {"token_embedders": {"tokens": words, "characters": CHARACTERS}}
    options = {"text_field_embedder": embedders, "encoder": ENCODER, "precision": "float32"}
    network = MaskedVectors(vocab, Params(deepcopy(options)))
    network.set_frequent(Counter({vocab.get_token_index("the", "tokens"): 10}))
    return network


@pytest.fixture
def batch(vocab):
    torch.manual_seed(1)
    return next(Batches(vocab, 200, random.Random(1))(SENTENCES))


def test_hidden_words_are_predicted_from_the_others(network, batch):
    other = torch.where(batch.hidden, batch.words.roll(1), batch.words)
    forms = torch.where(batch.hidden, batch.forms.roll(1), batch.forms)
    changed = batch._replace(words=other, forms=forms)
    torch.testing.assert_close(network.predict(changed), network.predict(batch))
    shown = batch._replace(words=torch.where(batch.hidden, batch.words, batch.words.roll(1)))
    assert not network.predict(shown).allclose(network.predict(batch))


def test_hidden_words_are_learnt(network, vocab):
    batches = Batches(vocab, 200, random.Random(1))
    read = (batch for _ in range(30) for batch in batches(SENTENCES))
    before = network(next(batches(SENTENCES))).loss
    assert sum(1 for _ in train(network, read, Namespace(minutes=60, peak_rate=1.0))) >= 30
    assert network(next(batches(SENTENCES))).loss < before / 2


@pytest.mark.parametrize("words", [["Leave"], SENTENCES[0]])
def test_a_lisa_with_its_weights_encodes_alike_but_for_the_tree(network, words):
    lisa = Seq2SeqEncoder.from_params(Params({**ENCODER, "input_dim": 12})).eval()
    if len(words) > 1:
        # Only the syntactic head attends otherwise, and nothing reads the last head here.
        network.encoder._layers[1]._output_projection.weight.data[:, -4:] = 0
    weights = initial_weights(network, parse_layer=2)
    own = {k[len("_encoder.") :]: v for k, v in weights.items() if k.startswith("_encoder.")}
    missing, unexpected = lisa.load_state_dict(own, strict=False)
    assert all("parse_norm" in name or "syntactic_head" in name for name in missing)
    assert not unexpected
    inputs, mask = torch.randn(1, len(words), 12), torch.ones(1, len(words), dtype=torch.bool)
    torch.testing.assert_close(lisa(inputs, mask), network.encoder(inputs, mask))
