"""What the first layer gets of each word, computed once per distinct word."""

import itertools
import threading
from typing import Dict, FrozenSet, List, NamedTuple, Sequence, Union

import numpy

from lisa_allennlp.data.formats.tokens import LONGEST_WORD, BracketForms
from lisa_allennlp.inference.config import CharacterEmbedder, NetworkConfig, WordEmbedder
from lisa_allennlp.inference.layers import Linear, Weights
from lisa_allennlp.model_files.model_folder import OOV_TOKEN, VocabularyFiles

CACHED_WORDS = 20_000
"""The number of words whose inputs are kept: 16 MB for 200 dimensions."""


class WordVectors:
    """Looks up trained vectors: AllenNLP's `embedding` of a `single_id`."""

    def __init__(
        self, embedder: WordEmbedder, weights: Weights, vocabulary: VocabularyFiles
    ) -> None:
        entries = vocabulary.entries(embedder.namespace)
        self._lowercase = embedder.lowercase
        self.indices = dict(zip(entries, range(len(entries)), strict=True))
        """The row of each word, the most frequent ones first."""
        self._unknown = self.indices[OOV_TOKEN]
        name = f"{embedder.weights_name}.weight"
        self._vectors, self._scales = weights.vectors(name, len(entries), embedder.dim)

    def __call__(self, words: Sequence[str]) -> numpy.ndarray:
        """Shape `(len(words), dim)`."""
        forms = map(str.lower, words) if self._lowercase else words
        rows = numpy.array([self.indices.get(form, self._unknown) for form in forms])
        return self._vectors[rows].astype(numpy.float32) * self._scales[rows]


class CharacterConvolution:
    """
    Takes the largest value of each filter over the windows of a word's characters, or 0 if that is
    larger (a ReLU) or the word is shorter than the filter: `distinct_character_encoding` by a `cnn`
    (Zhang & Wallace 2016, figure 1).
    """

    def __init__(
        self, embedder: CharacterEmbedder, weights: Weights, vocabulary: VocabularyFiles
    ) -> None:
        entries = vocabulary.entries(embedder.namespace)
        self._indices = dict(zip(entries, range(len(entries)), strict=True))
        self._unknown = self._indices[OOV_TOKEN]
        name, number, dim = embedder.weights_name, embedder.num_filters, embedder.dim
        embedding = weights.take(f"{name}._embedding._module.weight", len(entries), dim)
        self._filters = []
        for i, size in enumerate(embedder.filter_sizes):
            layer = f"{name}._encoder._module.conv_layer_{i}"
            filters = weights.take(f"{layer}.weight", number, dim, size)
            # What each character adds at each place of the window.
            parts = [embedding @ filters[:, :, place].T for place in range(size)]
            self._filters.append((size, parts, weights.take(f"{layer}.bias", number)))

    def __call__(self, words: Sequence[str]) -> numpy.ndarray:
        """Shape `(len(words), dim)`."""
        found = (self._indices.get(c, self._unknown) for c in itertools.chain(*words))
        characters = numpy.fromiter(found, int)
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


def make_word_inputs(
    config: NetworkConfig, weights: Weights, vocabulary: VocabularyFiles, brackets: BracketForms
) -> "WordInputs":
    """Makes the inputs of the first layer of a network."""
    embedders: List[Union[WordVectors, CharacterConvolution]] = [
        WordVectors(embedder, weights, vocabulary)
        if isinstance(embedder, WordEmbedder)
        else CharacterConvolution(embedder, weights, vocabulary)
        for embedder in config.embedders
    ]
    weight, bias = input_projection(config, weights)
    words = weight[: len(weight) - config.indicator_dim]
    return WordInputs(embedders, Linear(words, bias), brackets)


def input_projection(config: NetworkConfig, weights: Weights) -> Linear:
    """
    The map from the vectors of words, and from the indicator of the predicate if there is one, to
    the first states. Only layers that begin with a norm may get centred inputs.
    """
    input_dim = config.indicator_dim + sum(one.output_dim for one in config.embedders)
    is_centred = config.encoder.layer_style != "paper"
    name = "_encoder._input_projection"
    return weights.linear(name, input_dim, config.encoder.dim, centred=is_centred)


class _KnownWords(NamedTuple):
    rows: Dict[str, int]
    inputs: numpy.ndarray


class WordInputs:
    """
    Projects the vectors of words, `W [e_1; ...; e_n] + b`. The results for the last `CACHED_WORDS`
    distinct words or so are kept. Several threads may call it. The network reads brackets as in its
    training corpus, such as `-LRB-`.
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
        self._known = self._nothing(CACHED_WORDS)

    def __call__(self, words: Sequence[str]) -> numpy.ndarray:
        """Shape `(len(words), dim)`."""
        words = [word[:LONGEST_WORD] for word in words]
        known = self._known
        if not known.rows.keys() >= set(words):
            known = self._add(list(dict.fromkeys(words)))
        return known.inputs[[known.rows[word] for word in words]]

    def most_frequent(self, number: int) -> FrozenSet[str]:
        """Returns so many of the words that have vectors, the most frequent ones first."""
        vectors = (embed for embed in self._embedders if isinstance(embed, WordVectors))
        return frozenset(w for one in vectors for w in itertools.islice(one.indices, number))

    def _add(self, distinct: List[str]) -> _KnownWords:
        with self._lock:
            known = self._known
            new = [word for word in distinct if word not in known.rows]
            if len(known.rows) + len(new) > len(known.inputs):
                # Not in place: other threads may be reading the old rows.
                new, known = distinct, self._nothing(max(CACHED_WORDS, len(distinct)))
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
