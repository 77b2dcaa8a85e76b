#!/usr/bin/env python
"""
Makes the small pretrained inputs of the embedded sample: word vectors in GloVe's text format
(fixtures/sample/vectors.100d.txt.gz) and an ELMo in its published format (fixtures/elmo). Neither
has been trained. A word's vector is the sum of random vectors for its parts of speech, its
classes in the sample's lexicon and its lemma, so that words which the training part lacks are
near those they resemble; ELMo's weights are random.
"""

import argparse
import gzip
import io
import json
import sys
from pathlib import Path
from typing import Dict, List, Set

import h5py
import numpy

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from make_sample import make_parts  # noqa: E402

SEED = 2018
DIMENSION = 100
# How much of a vector comes from what it shares with other words, and how much is its own.
WEIGHTS = {"pos": 0.25, "class": 0.3, "lemma": 0.2, "word": 0.1}

OPTIONS = {
    "char_cnn": {
        "activation": "relu",
        "embedding": {"dim": 8},
        "filters": [[1, 8], [2, 8], [3, 16], [4, 16]],
        "max_characters_per_token": 50,
        "n_characters": 262,
        "n_highway": 1,
    },
    "lstm": {
        "cell_clip": 3,
        "dim": 32,
        "n_layers": 2,
        "proj_clip": 3,
        "projection_dim": 16,
        "use_skip_connections": True,
    },
}


def _traits() -> Dict[str, Set[str]]:
    """For each lower-cased word of the sample, what its vector is made of."""
    traits: Dict[str, Set[str]] = {}
    for samples in make_parts().values():
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


def elmo_weights() -> Dict[str, numpy.ndarray]:
    """The arrays of ELMo's weight file by their names in it."""
    random = numpy.random.RandomState(SEED)
    characters, lstm = OPTIONS["char_cnn"], OPTIONS["lstm"]
    size, projection, cell = characters["embedding"]["dim"], lstm["projection_dim"], lstm["dim"]
    num_filters = sum(number for _, number in characters["filters"])

    def weights(*shape: int) -> numpy.ndarray:
        fan_in = numpy.prod(shape[:-1])
        return (random.standard_normal(shape) / numpy.sqrt(fan_in)).astype("float32")

    # One row fewer than characters: 0 is the padding, which AllenNLP puts before these.
    arrays = {"char_embed": random.standard_normal((261, size)).astype("float32")}
    for i, (width, number) in enumerate(characters["filters"]):
        arrays[f"CNN/W_cnn_{i}"] = weights(1, width, size, number)
        arrays[f"CNN/b_cnn_{i}"] = weights(number)
    for i in range(characters["n_highway"]):
        for name in ("transform", "carry"):
            arrays[f"CNN_high_{i}/W_{name}"] = weights(num_filters, num_filters)
            arrays[f"CNN_high_{i}/b_{name}"] = weights(num_filters)
    arrays["CNN_proj/W_proj"] = weights(num_filters, projection)
    arrays["CNN_proj/b_proj"] = weights(projection)
    for direction in range(2):
        for layer in range(lstm["n_layers"]):
            prefix = f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"
            arrays[f"{prefix}/W_0"] = weights(2 * projection, 4 * cell)
            arrays[f"{prefix}/B"] = weights(4 * cell)
            arrays[f"{prefix}/W_P_0"] = weights(cell, projection)
    return arrays


def write_elmo(folder: Path) -> None:
    """Writes options.json and weights.hdf5."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "options.json").write_text(json.dumps(OPTIONS, indent=2) + "\n", encoding="utf-8")
    buffer = io.BytesIO()
    with h5py.File(buffer, "w", track_order=False) as file:
        for name, array in elmo_weights().items():
            file.create_dataset(name, data=array, track_times=False)
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
