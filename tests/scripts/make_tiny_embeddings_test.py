"""The sample's vectors and ELMo, read by AllenNLP."""

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Dict, List

import h5py
import numpy
import pytest
import torch
from allennlp.data import Vocabulary
from allennlp.data.token_indexers import ELMoTokenCharactersIndexer
from allennlp.data.tokenizers import Token
from allennlp.modules.elmo import _ElmoBiLm, batch_to_ids
from allennlp.modules.token_embedders import ElmoTokenEmbedder, Embedding

from scripts import make_tiny_embeddings as script
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
def forms() -> List[str]:
    """The words of the sample, as they are spelled."""
    lines = [
        line
        for part in ("train", "dev", "test")
        for line in (FIXTURES / "sample" / f"{part}.gold_conll").read_text().splitlines()
    ]
    return sorted({line.split()[3] for line in lines if line and not line.startswith("#")})


@pytest.fixture(scope="module")
def bilm() -> _ElmoBiLm:
    return _ElmoBiLm(str(ELMO / "options.json"), str(ELMO / "weights.hdf5")).eval()


def _arrays(folder: Path) -> Dict[str, numpy.ndarray]:
    names: List[str] = []
    with h5py.File(folder / "weights.hdf5", "r") as file:
        file.visititems(lambda name, item: names.append(name) if hasattr(item, "shape") else None)
        return {name: file[name][...] for name in names}


def _cosines(first: numpy.ndarray, second: numpy.ndarray) -> numpy.ndarray:
    norms = numpy.linalg.norm(first, axis=1) * numpy.linalg.norm(second, axis=1)
    return (first * second).sum(axis=1) / norms


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("embeddings")
    command = [sys.executable, str(ROOT / "scripts" / "make_tiny_embeddings.py")]
    subprocess.run([*command, "--folder", str(folder)], check=True, capture_output=True)
    return folder


@pytest.mark.slow
def test_committed_vectors_are_what_the_script_writes(written: Path):
    # Their content: compressors differ from one zlib to the next.
    new = gzip.decompress((written / "sample" / VECTORS.name).read_bytes())
    assert new == gzip.decompress(VECTORS.read_bytes())


def test_committed_elmo_is_what_the_script_writes(written: Path):
    options = (written / "elmo" / "options.json").read_text()
    assert options == (ELMO / "options.json").read_text()
    new, old = _arrays(written / "elmo"), _arrays(ELMO)
    assert list(new) == list(old)
    assert len(old) == 6 * 2 + 4 + 2 + 4 * 3 + 1
    for name in old:
        difference = numpy.abs(new[name] - old[name])
        # Another linear algebra library may round a fitted weight to the next step.
        assert difference.max() <= script.STEP
        assert (difference > 0).mean() < 0.001


def test_vectors_cover_the_sample(vectors, forms):
    assert {word.lower() for word in forms} <= set(vectors)


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


def _layers(bilm: _ElmoBiLm, sentences: List[List[str]]) -> numpy.ndarray:
    """Shape `(num_layers, num_sentences, length, 2 * projection_dim)`, for equal lengths."""
    with torch.no_grad():
        activations = bilm(batch_to_ids(sentences))["activations"]
    return torch.stack(activations)[:, :, 1:-1].numpy()


def test_script_computes_the_token_layer_as_allennlp_does(bilm):
    arrays = _arrays(ELMO)
    words = ["The", "dog", ".", "1990", "caf\u00e9", "never-seen", "x" * 47, "y" * 48, "z" * 60]
    features = script.token_features(arrays, words)
    expected = features @ arrays["CNN_proj/W_proj"] + arrays["CNN_proj/b_proj"]
    tokens = _layers(bilm, [words])[0, 0]
    # Both directions begin with the same.
    assert numpy.allclose(tokens, numpy.concatenate([expected, expected], axis=1), atol=1e-3)


@pytest.mark.medium
def test_every_layer_of_elmo_tells_words_of_a_class(bilm, vectors, forms):
    # Each word in two random contexts: pairs that their vectors say are alike, and pairs that are
    # not. Half of the pairs would be ranked right by chance.
    random = numpy.random.RandomState(1)
    contexts = [[forms[i] for i in random.permutation(len(forms))] for _ in range(2)]
    sentences = [words[i : i + 20] for words in contexts for i in range(0, len(words) - 19, 20)]
    words = [word for sentence in sentences for word in sentence]
    layers = _layers(bilm, sentences).reshape(3, len(words), -1)
    wanted = numpy.stack([vectors[word.lower()] for word in words])
    wanted = wanted - wanted.mean(axis=0)
    first, second, third = random.randint(len(words), size=(3, 20000))
    margins = _cosines(wanted[first], wanted[second]) - _cosines(wanted[first], wanted[third])
    clear = numpy.abs(margins) > 0.3
    for layer in layers:
        layer = layer - layer.mean(axis=0)
        found = _cosines(layer[first], layer[second]) - _cosines(layer[first], layer[third])
        assert ((found > 0) == (margins > 0))[clear].mean() > 0.7


@pytest.mark.medium
def test_fit_is_a_ridge_regression_and_says_something_of_unseen_words(vectors, forms):
    words = sorted({word.lower() for word in forms})
    held_out = set(words[::5])
    is_held_out = numpy.array([word.lower() in held_out for word in forms])
    features = script.token_features(_arrays(ELMO), forms)
    targets = script.main_components(numpy.stack([vectors[word.lower()] for word in forms]), 8)
    weights = numpy.random.RandomState(0).uniform(1, 5, size=(~is_held_out).sum())
    projection, bias = script.fit_projection(features[~is_held_out], targets[~is_held_out], weights)

    # The same as least squares with a row of its own for each penalised weight.
    roots = numpy.sqrt(weights)[:, None]
    number = features.shape[1]
    rows = numpy.hstack([roots * features[~is_held_out], roots])
    penalties = numpy.hstack(
        [numpy.sqrt(script.RIDGE) * numpy.eye(number), numpy.zeros((number, 1))]
    )
    expected, *_ = numpy.linalg.lstsq(
        numpy.vstack([rows, penalties]),
        numpy.vstack([roots * targets[~is_held_out], numpy.zeros((number, targets.shape[1]))]),
        rcond=None,
    )
    assert numpy.allclose(projection, expected[:-1], atol=1e-6)
    assert numpy.allclose(bias, expected[-1], atol=1e-6)

    predicted = features[is_held_out] @ projection + bias
    truth = targets[is_held_out]
    others = numpy.random.RandomState(0).permutation(truth)
    assert _cosines(predicted, truth).mean() > _cosines(predicted, others).mean() + 0.1


def test_elmo_is_small():
    assert sum(path.stat().st_size for path in ELMO.iterdir()) < 400_000
