"""The sample's vectors and ELMo, read by AllenNLP."""

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Dict

import h5py
import numpy
import pytest
import torch
from allennlp.data import Vocabulary
from allennlp.data.token_indexers import ELMoTokenCharactersIndexer
from allennlp.data.tokenizers import Token
from allennlp.modules.token_embedders import ElmoTokenEmbedder, Embedding

from tests import FIXTURES, ROOT

VECTORS = FIXTURES / "sample" / "vectors.100d.txt.gz"
ELMO = FIXTURES / "elmo"


@pytest.fixture(scope="module")
def vectors() -> Dict[str, numpy.ndarray]:
    with gzip.open(VECTORS, "rt", encoding="utf-8") as file:
        rows = [line.split(" ") for line in file.read().splitlines()]
    assert {len(row) for row in rows} == {101}
    found = {row[0]: numpy.array(row[1:], dtype="float32") for row in rows}
    assert len(found) == len(rows)
    return found


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("embeddings")
    command = [sys.executable, str(ROOT / "scripts" / "make_tiny_embeddings.py")]
    subprocess.run([*command, "--folder", str(folder)], check=True, capture_output=True)
    return folder


def test_committed_vectors_are_what_the_script_writes(written: Path):
    # Their content: compressors differ from one zlib to the next.
    new = gzip.decompress((written / "sample" / VECTORS.name).read_bytes())
    assert new == gzip.decompress(VECTORS.read_bytes())


def test_committed_elmo_is_what_the_script_writes(written: Path):
    options = (written / "elmo" / "options.json").read_text()
    assert options == (ELMO / "options.json").read_text()
    with (
        h5py.File(written / "elmo" / "weights.hdf5", "r") as new,
        h5py.File(ELMO / "weights.hdf5", "r") as old,
    ):
        names: list = []
        old.visititems(lambda name, item: names.append(name) if hasattr(item, "shape") else None)
        assert len(names) == 4 * 2 + 4 + 2 + 4 * 3 + 1
        assert all(numpy.array_equal(new[name][...], old[name][...]) for name in names)


def test_vectors_cover_the_sample(vectors):
    for part in ("train", "dev", "test"):
        lines = (FIXTURES / "sample" / f"{part}.gold_conll").read_text().splitlines()
        words = {line.split()[3] for line in lines if line and not line.startswith("#")}
        assert {word.lower() for word in words} <= set(vectors)


def test_words_of_a_class_are_near_each_other(vectors):
    def cosine(first: str, second: str) -> float:
        a, b = vectors[first], vectors[second]
        return float(a @ b / numpy.linalg.norm(a) / numpy.linalg.norm(b))

    assert cosine("telescope", "microscope") > 0.4 > cosine("telescope", "anna")
    assert cosine("monday", "friday") > 0.4 > cosine("monday", "eat")


def test_embedding_reads_the_vectors(vectors):
    vocab = Vocabulary({"tokens": {word: 1 for word in ("telescope", "monday", "unheard-of")}})
    embedding = Embedding(
        embedding_dim=100, pretrained_file=str(VECTORS), vocab=vocab, trainable=True
    )
    row = embedding.weight[vocab.get_token_index("telescope")].detach().numpy()
    assert numpy.allclose(row, vectors["telescope"])


def test_elmo_embeds_words_by_their_characters():
    options, weights = str(ELMO / "options.json"), str(ELMO / "weights.hdf5")
    embedder = ElmoTokenEmbedder(options, weights, dropout=0.0, requires_grad=False).eval()
    width = 2 * json.loads((ELMO / "options.json").read_text())["lstm"]["projection_dim"]
    assert embedder.get_output_dim() == width

    def embed(text: str) -> torch.Tensor:
        indexer = ELMoTokenCharactersIndexer()
        tokens = [Token(word) for word in text.split()]
        indices = indexer.tokens_to_indices(tokens, Vocabulary())["elmo_tokens"]
        with torch.no_grad():
            return embedder(torch.tensor([indices]))[0]

    first, second = embed("the dog barked"), embed("the dog slept")
    assert first.shape == (3, width) and torch.isfinite(first).all()
    # "dog" is embedded in its context, and different words differently.
    assert not torch.allclose(first[1], second[1])
    assert not torch.allclose(first[0], first[1], atol=0.05)
    # The published weights' scale: neither vanishing nor exploding.
    assert 0.05 < first.std() < 5


def test_elmo_is_small():
    assert sum(path.stat().st_size for path in ELMO.iterdir()) < 400_000
