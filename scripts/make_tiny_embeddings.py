#!/usr/bin/env python
"""
Makes the small pretrained inputs of the embedded sample: word vectors in GloVe's text format
(fixtures/sample/vectors.100d.txt.gz) and an ELMo in its published format (fixtures/elmo). Both are
made for the sample's vocabulary and from its lexicon; neither has seen any text, and the ELMo is
not a language model.

A word's vector is the sum of random vectors for its parts of speech, its classes in the lexicon and
its lemma, so that words which the training part lacks are near those they resemble. The ELMo's
characters, filters, highway and LSTMs are random. Its projection alone is fitted, in closed form,
so that its token layer gives for each word of the sample about the main components of that word's
vector; other words get what their spelling suggests. The LSTMs pass this on with a little of the
neighbouring words.
"""

import argparse
import gzip
import io
import json
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, Dict, List, Sequence, Set, Tuple

import h5py
import numpy

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from make_sample import make_parts  # noqa: E402

SEED = 2018
DIMENSION = 100
# How much of a vector comes from what it shares with other words, and how much is its own.
WEIGHTS = {"pos": 0.25, "class": 0.3, "lemma": 0.2, "word": 0.1}

OPTIONS: Dict[str, Dict[str, Any]] = {
    "char_cnn": {
        "activation": "tanh",
        "embedding": {"dim": 8},
        "filters": [[1, 32], [2, 64], [3, 128], [4, 256], [5, 256], [6, 256]],
        "max_characters_per_token": 50,
        "n_characters": 262,
        "n_highway": 1,
    },
    "lstm": {
        "cell_clip": 3,
        "dim": 48,
        "n_layers": 2,
        "proj_clip": 6,
        "projection_dim": 48,
        "use_skip_connections": True,
    },
}
# Filters that each unit of the highway reads; the rest of its weights are 0.
HIGHWAY_INPUTS = 2
# The penalty on the fitted projection, and the standard deviation of what it predicts. The mix of
# the layers is then about as large as the positions that LISA adds to its projection.
RIDGE = 3.0
DEVIATION = 2.0
# The LSTMs forget soon (1 is added to this when the file is read), and hear little of themselves.
FORGET_BIAS = -2.0
RECURRENCE = 0.3
# What is read from their memory is made larger by this, since the gates are half open.
READING = 8.0
# All weights are multiples of this: precise enough, the same on every machine (but for a fitted one
# that falls between two), and small when compressed.
STEP = 1 / 128


# Made once for the vectors and for the ELMo.
_parts = cache(make_parts)


def _traits() -> Dict[str, Set[str]]:
    """For each lower-cased word of the sample, what its vector is made of."""
    traits: Dict[str, Set[str]] = {}
    for samples in _parts().values():
        for sample in samples:
            for token in sample.tokens:
                found = traits.setdefault(token.form.lower(), set())
                found.update({f"pos {token.pos}", f"lemma {(token.lemma or token.form).lower()}"})
                if token.kind:
                    found.add(f"class {token.kind}")
    return traits


def _direction(name: str) -> numpy.ndarray:
    """A random vector that depends on nothing but its name."""
    seed = [SEED, *name.encode("utf-8")]
    return numpy.random.RandomState(seed).standard_normal(DIMENSION)


@cache
def make_vectors() -> str:
    """The vectors in GloVe's text format: a word and its numbers a line, in alphabetical order."""
    lines: List[str] = []
    for word, traits in sorted(_traits().items()):
        vector = WEIGHTS["word"] * _direction(f"word {word}")
        for kind in ("pos", "class", "lemma"):
            shared = sorted(trait for trait in traits if trait.startswith(kind + " "))
            for trait in shared:
                vector = vector + WEIGHTS[kind] * _direction(trait) / len(shared)
        lines.append(" ".join([word, *(f"{value:.3f}" for value in vector)]))
    return "\n".join(lines) + "\n"


def write_vectors(path: Path) -> None:
    """Writes the vectors, compressed, without a date in the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as file:
        file.write(make_vectors().encode("utf-8"))


def word_vectors() -> Dict[str, numpy.ndarray]:
    """What `make_vectors` writes."""
    rows = (line.split(" ") for line in make_vectors().splitlines())
    return {row[0]: numpy.array(row[1:], dtype="float64") for row in rows}


def word_forms() -> Dict[str, int]:
    """The sample's words as they are spelled, and how often each occurs."""
    parts = _parts().values()
    return dict(Counter(token.form for part in parts for sample in part for token in sample.tokens))


def character_ids(words: Sequence[str]) -> numpy.ndarray:
    """
    The rows of `char_embed` that spell words: their bytes between the marks of a word's beginning
    and end, and the row of padding.

    # Returns

    `numpy.ndarray`
        Shape `(len(words), max_characters_per_token)`.
    """
    begin, end, padding = 258, 259, 260
    length = OPTIONS["char_cnn"]["max_characters_per_token"]
    ids = numpy.full((len(words), length), padding)
    for row, word in zip(ids, words, strict=True):
        spelled = [begin, *word.encode("utf-8")[: length - 2], end]
        row[: len(spelled)] = spelled
    return ids


def token_features(arrays: Dict[str, numpy.ndarray], words: Sequence[str]) -> numpy.ndarray:
    """
    What the token layer projects: ELMo's filters over the characters, the largest of each in the
    word, and the highway on top (Kim et al. 2016, section 2).

    # Returns

    `numpy.ndarray`
        Shape `(len(words), num_filters)`.
    """
    characters = arrays["char_embed"].astype("float64")[character_ids(words)]
    pooled = []
    for i, (width, _) in enumerate(OPTIONS["char_cnn"]["filters"]):
        windows = numpy.lib.stride_tricks.sliding_window_view(characters, width, axis=1)
        sums = numpy.einsum("wpdk,kdf->wpf", windows, arrays[f"CNN/W_cnn_{i}"][0], optimize=True)
        pooled.append(numpy.tanh(sums.max(axis=1) + arrays[f"CNN/b_cnn_{i}"]))
    states = numpy.concatenate(pooled, axis=1)
    for i in range(OPTIONS["char_cnn"]["n_highway"]):
        layer = f"CNN_high_{i}"
        new = numpy.maximum(
            states @ arrays[f"{layer}/W_transform"] + arrays[f"{layer}/b_transform"], 0
        )
        gate = states @ arrays[f"{layer}/W_carry"] + arrays[f"{layer}/b_carry"]
        gate = 1 / (1 + numpy.exp(-gate))
        states = gate * new + (1 - gate) * states
    return states


def main_components(vectors: numpy.ndarray, number: int) -> numpy.ndarray:
    """
    The first principal components of vectors, larger ones first, scaled together so that their
    standard deviation is `DEVIATION`.

    # Returns

    `numpy.ndarray`
        Shape `(len(vectors), number)`.
    """
    centred = vectors - vectors.mean(axis=0)
    _, _, axes = numpy.linalg.svd(centred, full_matrices=False)
    # A component's sign is arbitrary: here its largest coordinate is positive.
    largest = numpy.abs(axes).argmax(axis=1)
    axes = axes * numpy.sign(axes[numpy.arange(len(axes)), largest])[:, None]
    components = centred @ axes[:number].T
    return DEVIATION * components / components.std()


def fit_projection(
    features: numpy.ndarray, targets: numpy.ndarray, weights: numpy.ndarray
) -> Tuple[numpy.ndarray, numpy.ndarray]:
    """
    Ridge regression of targets on features: the weights and the bias, which has no penalty.

    # Parameters

    features : `numpy.ndarray`
        Shape `(num_words, num_filters)`.
    targets : `numpy.ndarray`
        Shape `(num_words, projection_dim)`.
    weights : `numpy.ndarray`
        Shape `(num_words,)`: how much each word counts.
    """
    shares = weights / weights.sum()
    feature_mean, target_mean = shares @ features, shares @ targets
    x = features - feature_mean
    weighted = weights[:, None] * x
    penalty = RIDGE * numpy.eye(features.shape[1])
    projection = numpy.linalg.solve(weighted.T @ x + penalty, weighted.T @ (targets - target_mean))
    return projection, target_mean - feature_mean @ projection


def _random_weights(random: numpy.random.RandomState, *shape: int) -> numpy.ndarray:
    """Weights whose sums over all axes but the last have a standard deviation of 1."""
    return random.standard_normal(shape) / numpy.sqrt(numpy.prod(shape[:-1]))


def _rounded(array: numpy.ndarray) -> numpy.ndarray:
    return STEP * numpy.round(array / STEP)


def _token_weights(random: numpy.random.RandomState) -> Dict[str, numpy.ndarray]:
    """The token layer but for its projection: all random."""
    options = OPTIONS["char_cnn"]
    size = options["embedding"]["dim"]
    num_filters = sum(number for _, number in options["filters"])
    # One row fewer than characters: 0 is the padding, which AllenNLP puts before these.
    arrays: Dict[str, numpy.ndarray] = {"char_embed": random.standard_normal((261, size))}
    # The padding after a word says nothing about it.
    arrays["char_embed"][260:] = 0.0
    for i, (width, number) in enumerate(options["filters"]):
        weights = _random_weights(random, 1, width, size, number)
        arrays[f"CNN/W_cnn_{i}"] = weights
        # The largest of a word's few sums is about one deviation above 0: taken off again, so that
        # words differ by more than they have in common.
        arrays[f"CNN/b_cnn_{i}"] = -numpy.sqrt((weights**2).sum((0, 1, 2)))
    for i in range(options["n_highway"]):
        for name in ("transform", "carry"):
            weights = numpy.zeros((num_filters, num_filters))
            for unit in range(num_filters):
                read = random.choice(num_filters, HIGHWAY_INPUTS, replace=False)
                weights[read, unit] = random.standard_normal(HIGHWAY_INPUTS)
            arrays[f"CNN_high_{i}/W_{name}"] = weights
            arrays[f"CNN_high_{i}/b_{name}"] = numpy.zeros(num_filters)
    return arrays


def _lstm_weights(random: numpy.random.RandomState) -> Dict[str, numpy.ndarray]:
    """
    The LSTMs. What is written to a cell's memory is a random projection of the word, what is read
    from it is projected back by the same weights: layers above the first, which skips nothing,
    still tell the word.
    """
    options = OPTIONS["lstm"]
    size, cell = options["projection_dim"], options["dim"]
    arrays = {}
    for direction in range(2):
        for layer in range(options["n_layers"]):
            # Tensorflow's order: input gate, memory, forget gate, output gate.
            gates = [_random_weights(random, size, cell) / DEVIATION for _ in range(4)]
            recurrent = RECURRENCE * _random_weights(random, size, 4 * cell) / DEVIATION
            bias = numpy.zeros(4 * cell)
            bias[2 * cell : 3 * cell] = FORGET_BIAS
            prefix = f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"
            arrays[f"{prefix}/W_0"] = numpy.concatenate([numpy.concatenate(gates, 1), recurrent])
            arrays[f"{prefix}/B"] = bias
            arrays[f"{prefix}/W_P_0"] = READING * gates[1].T
    return arrays


def elmo_weights() -> Dict[str, numpy.ndarray]:
    """
    The arrays of ELMo's weight file by their names in it. In the fit, a word counts as the square
    root of how often the sample, all three parts of it, has the word.
    """
    random = numpy.random.RandomState(SEED)
    arrays = {name: _rounded(array) for name, array in _token_weights(random).items()}
    forms, vectors = word_forms(), word_vectors()
    words = sorted(forms)
    projection, bias = fit_projection(
        token_features(arrays, words),
        main_components(
            numpy.stack([vectors[word.lower()] for word in words]),
            OPTIONS["lstm"]["projection_dim"],
        ),
        numpy.sqrt([forms[word] for word in words]),
    )
    arrays.update({"CNN_proj/W_proj": projection, "CNN_proj/b_proj": bias})
    arrays.update(_lstm_weights(random))
    return {name: _rounded(array).astype("float32") for name, array in arrays.items()}


def write_elmo(folder: Path) -> None:
    """Writes options.json and weights.hdf5."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "options.json").write_text(json.dumps(OPTIONS, indent=2) + "\n", encoding="utf-8")
    buffer = io.BytesIO()
    with h5py.File(buffer, "w", track_order=False) as file:
        for name, array in elmo_weights().items():
            file.create_dataset(
                name,
                data=array,
                # In one piece: most of the highway's weights are 0.
                chunks=array.shape,
                shuffle=True,
                compression="gzip",
                compression_opts=9,
                track_times=False,
            )
    (folder / "weights.hdf5").write_bytes(buffer.getvalue())


def main() -> None:
    """Reads the arguments and writes."""
    parser = argparse.ArgumentParser(description="Makes the sample's vectors and its ELMo.")
    parser.add_argument("--folder", type=Path, default=ROOT / "fixtures")
    folder = parser.parse_args().folder
    write_vectors(folder / "sample" / "vectors.100d.txt.gz")
    write_elmo(folder / "elmo")
    print(f"wrote {folder}/sample/vectors.100d.txt.gz and {folder}/elmo")


if __name__ == "__main__":
    main()
