"""Token embedders against AllenNLP's, transformers' and what their vectors are made of."""

import copy
import pickle
from pathlib import Path
from typing import List, Tuple

import pytest
import torch
from allennlp.common import Params
from allennlp.data import Batch, Instance, Token, Vocabulary
from allennlp.data.fields import TextField
from allennlp.modules.elmo import batch_to_ids
from allennlp.modules.seq2vec_encoders import CnnEncoder
from allennlp.modules.token_embedders import (
    ElmoTokenEmbedder,
    Embedding,
    TokenCharactersEncoder,
    TokenEmbedder,
)
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoModel, AutoTokenizer, RobertaConfig, RobertaModel

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.token_indexers.pretrained_transformer_words import (
    PretrainedEncoderIndexer,
    PretrainedTransformerWordsIndexer,
)
from lisa_allennlp.modules.token_embedders import (
    AffixCharactersEmbedder,
    DistinctWordsCharactersEncoder,
    PretrainedEncoderEmbedder,
    PretrainedTransformerWordsEmbedder,
    make_elmo_stateless,
)
from tests import FIXTURES
from tests.tiny_transformer import make_tiny_transformer


def test_embeddings_of_affixes_stand_side_by_side() -> None:
    vocab = Vocabulary(tokens_to_add={"affix_characters": [*"abc"]})
    embedder = AffixCharactersEmbedder(vocab, embedding_dim=3, num_characters=2)
    output = embedder(torch.tensor([[[2, 0, 0, 2], [2, 3, 3, 4]]]))
    assert output.shape == (1, 2, 12) and embedder.get_output_dim() == 12
    table = next(embedder.parameters())
    torch.testing.assert_close(output[0, 1], torch.cat([table[i] for i in (2, 3, 3, 4)]))


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


words = st.lists(st.integers(1, 5), min_size=0, max_size=40)


@pytest.mark.medium
@given(st.lists(st.lists(words, min_size=1, max_size=5), min_size=1, max_size=4))
def test_vectors_of_distinct_words_are_allennlps(sentences: List[List[List[int]]]) -> None:
    characters = to_tensor(sentences)
    ours, peer = make_encoders()
    outputs = [encoder(characters) for encoder in (ours, peer)]
    torch.testing.assert_close(outputs[0], outputs[1])
    for output in outputs:
        output.sin().sum().backward()
    for own, theirs in zip(ours.parameters(), peer.parameters(), strict=True):
        torch.testing.assert_close(own.grad, theirs.grad, rtol=1e-4, atol=1e-5)


def test_vectors_are_sums_of_which_one_part_is_trained(tmp_path: Path) -> None:
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("dog 1 2\nemu 3 4\n", encoding="utf-8")
    params = {"type": "pretrained_plus_trained", "embedding_dim": 2}
    params["pretrained_file"] = str(vectors)
    vocab = Vocabulary(tokens_to_add={"tokens": ["dog", "emu", "gnu"]})
    embedder = TokenEmbedder.from_params(Params(params), vocab=vocab)
    # Padding, the unknown word, dog, emu, gnu.
    words = torch.tensor([[2, 3]])
    assert embedder(words).tolist() == [[[1.0, 2.0], [3.0, 4.0]]]
    embedder._trained.weight.data[2] = torch.tensor([10.0, 20.0])
    assert embedder(words).tolist() == [[[11.0, 22.0], [3.0, 4.0]]]
    embedder(torch.tensor([[2, 2, 4]])).sum().backward()
    trained = {name: p.grad for name, p in embedder.named_parameters() if p.requires_grad}
    assert list(trained) == ["_trained.weight"]
    assert trained["_trained.weight"].tolist() == [[0, 0], [0, 0], [2, 2], [0, 0], [1, 1]]


@pytest.fixture(scope="module")
def transformer(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_tiny_transformer(tmp_path_factory.mktemp("transformer") / "tiny", 64)


@torch.no_grad()
def embed(name: str, sentence: str, max_length: int = 64) -> torch.Tensor:
    indexers = {"words": PretrainedTransformerWordsIndexer(name, max_length=max_length)}
    field = TextField([Token(word) for word in sentence.split(" ")], indexers)
    batch = Batch([Instance({"tokens": field})])
    batch.index_instances(Vocabulary())
    embedder = PretrainedTransformerWordsEmbedder(name, max_length=max_length).eval()
    return embedder(**batch.as_tensor_dict()["tokens"]["words"])[0]


@torch.no_grad()
def test_a_word_is_the_mean_of_its_pieces(transformer: str) -> None:
    ids = AutoTokenizer.from_pretrained(transformer)("Go on", return_tensors="pt")
    pieces = AutoModel.from_pretrained(transformer).eval()(**ids).last_hidden_state[0]
    expected = torch.stack([pieces[1:3].mean(0), pieces[3:5].mean(0)])
    torch.testing.assert_close(embed(transformer, "Go on"), expected)
    PretrainedTransformerWordsEmbedder(transformer, max_length=64)
    with pytest.raises(ConfigurationError, match="max_length is 65, but .* has positions for 64"):
        PretrainedTransformerWordsEmbedder(transformer, max_length=65)


def test_positions_after_those_of_padding_are_counted(tmp_path: Path, transformer: str) -> None:
    folder = make_tiny_transformer(tmp_path / "roberta")
    config = RobertaConfig(
        vocab_size=AutoModel.from_pretrained(transformer).config.vocab_size,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=34,
        pad_token_id=1,
    )
    RobertaModel(config).save_pretrained(folder)
    # 34 positions, of which two are not for word pieces: one more word than 30 would not fit.
    assert torch.isfinite(embed(folder, " ".join("a" * 30), max_length=32)).all()
    with pytest.raises(ConfigurationError, match="has positions for 32 word pieces"):
        PretrainedTransformerWordsEmbedder(folder, max_length=33)


@torch.no_grad()
def encode(name: str, sentences: List[str], max_length: int = 64) -> torch.Tensor:
    indexers = {"words": PretrainedEncoderIndexer(name)}
    fields = [TextField([Token(w) for w in s.split(" ")], indexers) for s in sentences]
    batch = Batch([Instance({"tokens": field}) for field in fields])
    batch.index_instances(Vocabulary())
    embedder = PretrainedEncoderEmbedder(name, max_length=max_length).eval()
    vectors = embedder(**batch.as_tensor_dict()["tokens"]["words"])
    assert vectors.size(-1) == embedder.get_output_dim()
    return vectors


@torch.no_grad()
def layers_of(name: str, pieces: List[str]) -> torch.Tensor:
    """Shape `(num_layers, num_pieces, dim)`, by transformers alone."""
    ids = torch.tensor([AutoTokenizer.from_pretrained(name).convert_tokens_to_ids(pieces)])
    encoded = AutoModel.from_pretrained(name).eval()(ids, output_hidden_states=True)
    return torch.cat(encoded.hidden_states[1:])


def test_a_word_is_its_first_piece_in_the_last_layer_and_in_all(transformer: str) -> None:
    layers = layers_of(transformer, ["[CLS]", "(", "G", "##o", "[UNK]", "[SEP]"])[:, [1, 2, 4]]
    expected = torch.cat([layers[-1], layers.mean(0)], dim=-1)
    # A bracket is as it is typed, and a word without word pieces is unknown.
    sentence = "-LRB- Go \u200b"
    (found, _) = encode(transformer, [sentence, "a longer sentence of words"])
    torch.testing.assert_close(found[:3], expected, atol=1e-5, rtol=1e-4)


def test_long_sentences_are_encoded_in_segments_that_overlap(transformer: str) -> None:
    letters = "abcdefghij"
    for length in range(1, 10):
        shorter = " ".join(letters[:length])
        found, short = encode(transformer, [" ".join(letters), shorter], max_length=8)
        alone = encode(transformer, [shorter], max_length=8)[0]
        torch.testing.assert_close(short[:length], alone, atol=1e-5, rtol=1e-4)
    pieces = ["[CLS]", *letters, "[SEP]"]
    # Of eight pieces, those at the ends of a segment are read from another one.
    first, second = (
        layers_of(transformer, pieces[:8]),
        layers_of(transformer, ["[CLS]", *pieces[5:]]),
    )
    last = torch.cat([first[-1, 1:6], second[-1, 2:7]])
    torch.testing.assert_close(found[:, : last.size(-1)], last, atol=1e-5, rtol=1e-4)


SENTENCES = [
    "the senator saw the man with the telescope .".split(),
    ["stop"],
    "she left .".split(),
    "the dog that she saw chased him yesterday".split(),
]


@torch.no_grad()
def embed_by_elmo(embedder: ElmoTokenEmbedder, sentences: List[List[str]]) -> List[torch.Tensor]:
    vectors = embedder(batch_to_ids(sentences))
    return [row[: len(words)] for row, words in zip(vectors, sentences, strict=True)]


def test_stateless_elmo_embeds_every_batch_as_allennlps_its_first() -> None:
    folder = FIXTURES / "elmo"
    options, weights = str(folder / "options.json"), str(folder / "weights.hdf5")
    fresh = ElmoTokenEmbedder(options, weights, dropout=0.0).eval()
    stateless = make_elmo_stateless(copy.deepcopy(fresh))
    assert list(stateless.state_dict()) == list(fresh.state_dict())
    pickled = pickle.loads(pickle.dumps(stateless))
    # A larger batch after a smaller one, and the other way round.
    for batch in (SENTENCES[:1], SENTENCES, SENTENCES[::-1], SENTENCES[1:3], SENTENCES):
        expected = embed_by_elmo(copy.deepcopy(fresh), batch)
        for ours in (stateless, pickled):
            assert all(map(torch.equal, embed_by_elmo(ours, batch), expected))
