from pathlib import Path

import torch
from allennlp.common import Params
from allennlp.data import Vocabulary
from allennlp.modules.token_embedders import TokenEmbedder

import lisa_allennlp.plugin  # noqa: F401


def make_embedder(tmp_path: Path) -> TokenEmbedder:
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("dog 1 2\nemu 3 4\n", encoding="utf-8")
    vocab = Vocabulary(tokens_to_add={"tokens": ["dog", "emu", "gnu"]})
    params = {
        "type": "pretrained_plus_trained",
        "embedding_dim": 2,
        "pretrained_file": str(vectors),
    }
    return TokenEmbedder.from_params(Params(params), vocab=vocab)


def test_vectors_are_sums(tmp_path: Path):
    embedder = make_embedder(tmp_path)
    # Padding, the unknown word, dog, emu, gnu.
    words = torch.tensor([[2, 3]])
    assert embedder(words).tolist() == [[[1.0, 2.0], [3.0, 4.0]]]
    embedder._trained.weight.data[2] = torch.tensor([10.0, 20.0])
    assert embedder(words).tolist() == [[[11.0, 22.0], [3.0, 4.0]]]
    assert embedder.get_output_dim() == 2


def test_only_what_is_added_is_trained(tmp_path: Path):
    embedder = make_embedder(tmp_path)
    embedder(torch.tensor([[2, 2, 4]])).sum().backward()
    trained = {name: p.grad for name, p in embedder.named_parameters() if p.requires_grad}
    assert list(trained) == ["_trained.weight"]
    assert trained["_trained.weight"].tolist() == [[0, 0], [0, 0], [2, 2], [0, 0], [1, 1]]
