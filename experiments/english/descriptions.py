"""
Writes a vector per roleset of the packaged frames, in the format of word vectors: its lemma, gloss
and roles as MPNet embeds them, by their principal components.

    python -m experiments.english.descriptions OUT.txt

`experiments.english.encoder` unpacks the encoder.
"""

import sys
from pathlib import Path
from typing import List

import numpy
from transformers import pipeline

from experiments.english.encoder import encoder_folder
from lisa_allennlp.common.complete_files import complete_file
from lisa_allennlp.sentence.roles import lemma_of_roleset
from lisa_allennlp.text.propbank_frames import Roleset, packaged_inventory

DIM = 128


def main() -> int:
    (output,) = map(Path, sys.argv[1:])
    rolesets = list(packaged_inventory())
    vectors = principal_components(embed([describe(roleset) for roleset in rolesets]))
    with complete_file(output) as partial, partial.open("w", encoding="utf-8") as file:
        for roleset, vector in zip(rolesets, vectors, strict=True):
            file.write(" ".join([roleset.sense, *(f"{value:.4f}" for value in vector)]) + "\n")
    return 0


def describe(roleset: Roleset) -> str:
    lemma = lemma_of_roleset(roleset.sense).replace("_", " ")
    return f"{lemma}: {roleset.gloss}. {'; '.join(roleset.roles.values())}."


def embed(texts: List[str]) -> numpy.ndarray:
    """(N, D), the means of the encoder's states, at length 1, of N texts."""
    options = {"truncation": True, "max_length": 64}
    encode = pipeline("feature-extraction", str(encoder_folder()), tokenize_kwargs=options)
    vectors = numpy.stack([numpy.mean(encode(text)[0], axis=0) for text in texts])
    return vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)


def principal_components(vectors: numpy.ndarray) -> numpy.ndarray:
    """(N, DIM), the first principal components of (N, D) vectors, with unit variance overall."""
    centred = vectors - vectors.mean(0)
    projected = centred @ numpy.linalg.svd(centred, full_matrices=False)[2][:DIM].T
    return projected / projected.std()


if __name__ == "__main__":
    raise SystemExit(main())
