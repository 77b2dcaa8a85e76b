"""What the first layer gets of each word, computed once per distinct word."""

import itertools
import threading
from typing import Any, Dict, List, Mapping, NamedTuple, Sequence, Union

import numpy

from lisa_allennlp.data.formats.tokens import BracketForms
from lisa_allennlp.inference.vocabulary import UNKNOWN, VocabularyFiles
from lisa_allennlp.inference.weights import Linear, Weights

LONGEST_WORD = 200
"""In characters. Of longer words the network reads the beginning."""

MAX_WORDS = 20_000
"""The number of words whose inputs are kept: 16 MB for 200 dimensions."""


class WordVectors:
    """
    Looks up trained vectors: AllenNLP's `embedding` of a `single_id`.

    # Parameters

    config, indexer : `Mapping[str, Any]`
        The configs of the embedder and of its indexer.
    name : `str`
        The name of the embedder among the weights.
    """

    def __init__(
        self,
        config: Mapping[str, Any],
        indexer: Mapping[str, Any],
        name: str,
        weights: Weights,
        vocabulary: VocabularyFiles,
    ) -> None:
        entries = vocabulary.entries(indexer.get("namespace", "tokens"))
        self.dim: int = config["embedding_dim"]
        self._lowercase = indexer.get("lowercase_tokens", False)
        self._indices = dict(zip(entries, range(len(entries)), strict=True))
        self._vectors, self._scales = weights.vectors(f"{name}.weight", len(entries), self.dim)

    def __call__(self, words: Sequence[str]) -> numpy.ndarray:
        """Shape `(len(words), dim)`."""
        forms = map(str.lower, words) if self._lowercase else words
        unknown = self._indices[UNKNOWN]
        rows = numpy.array([self._indices.get(form, unknown) for form in forms])
        return self._vectors[rows].astype(numpy.float32) * self._scales[rows]


class CharacterConvolution:
    """
    Takes the largest value of each filter over the windows of a word's characters, or 0 if that is
    larger (a ReLU) or the word is shorter than the filter: `distinct_character_encoding` by a `cnn`
    (Zhang & Wallace 2016, figure 1). The parameters are those of `WordVectors`.
    """

    def __init__(
        self,
        config: Mapping[str, Any],
        indexer: Mapping[str, Any],
        name: str,
        weights: Weights,
        vocabulary: VocabularyFiles,
    ) -> None:
        entries = vocabulary.entries(indexer.get("namespace", "token_characters"))
        self._indices = dict(zip(entries, range(len(entries)), strict=True))
        cnn, embedding_dim = config["encoder"], config["embedding"]["embedding_dim"]
        embedding = weights.take(f"{name}._embedding._module.weight", len(entries), embedding_dim)
        self._filters = []
        number = cnn["num_filters"]
        for i, size in enumerate(cnn.get("ngram_filter_sizes", (2, 3, 4, 5))):
            layer = f"{name}._encoder._module.conv_layer_{i}"
            filters = weights.take(f"{layer}.weight", number, embedding_dim, size)
            # What each character adds at each place of the window.
            parts = [embedding @ filters[:, :, place].T for place in range(size)]
            self._filters.append((size, parts, weights.take(f"{layer}.bias", number)))
        self.dim: int = number * len(self._filters)

    def __call__(self, words: Sequence[str]) -> numpy.ndarray:
        """Shape `(len(words), dim)`."""
        unknown = self._indices[UNKNOWN]
        characters = numpy.array([self._indices.get(c, unknown) for c in itertools.chain(*words)])
        lengths = numpy.array([len(word) for word in words])
        ends = lengths.cumsum()
        remaining = ends.repeat(lengths) - numpy.arange(len(characters))
        pooled = []
        for size, parts, bias in self._filters:
            windows = parts[0][characters]
            for place in range(1, size):
                windows[:-place] += parts[place][characters[place:]]
            windows += bias
            # Windows that cross the end of their word.
            windows[remaining < size] = 0
            pooled.append(numpy.maximum.reduceat(windows, ends - lengths, axis=0))
        return numpy.maximum(numpy.concatenate(pooled, axis=1), 0)


class _KnownWords(NamedTuple):
    rows: Dict[str, int]
    inputs: numpy.ndarray


class WordInputs:
    """
    Projects the vectors of words, `W [e_1; ...; e_n] + b`. The results for the last `MAX_WORDS`
    distinct words or so are kept. Several threads may call it.

    # Parameters

    embedders : `List[Union[WordVectors, CharacterConvolution]]`
    projection : `Linear`
    brackets : `BracketForms`
        Those of the training corpus, such as `-LRB-`.
    """

    def __init__(
        self,
        embedders: List[Union[WordVectors, CharacterConvolution]],
        projection: Linear,
        brackets: BracketForms,
    ) -> None:
        self._embedders = embedders
        self._projection = projection
        self._brackets = brackets
        self._lock = threading.Lock()
        self._known = self._nothing(MAX_WORDS)

    def __call__(self, words: Sequence[str]) -> numpy.ndarray:
        """Shape `(len(words), dim)`."""
        words = [word[:LONGEST_WORD] for word in words]
        known = self._known
        if not known.rows.keys() >= set(words):
            known = self._add(list(dict.fromkeys(words)))
        return known.inputs[[known.rows[word] for word in words]]

    def _add(self, distinct: List[str]) -> _KnownWords:
        with self._lock:
            known = self._known
            new = [word for word in distinct if word not in known.rows]
            if len(known.rows) + len(new) > len(known.inputs):
                # Not in place: other threads may be reading the old rows.
                new, known = distinct, self._nothing(max(MAX_WORDS, len(distinct)))
            if new:
                start, forms = len(known.rows), self._brackets.write(new)
                embedded = numpy.concatenate([embed(forms) for embed in self._embedders], axis=1)
                known.inputs[start : start + len(new)] = self._projection(embedded)
                known.rows.update(zip(new, itertools.count(start)))
            self._known = known
        return known

    def _nothing(self, number: int) -> _KnownWords:
        dim = len(self._projection.bias)
        return _KnownWords({}, numpy.empty((number, dim), dtype=numpy.float32))
