"""The vectors of words in the network's input, computed once per distinct word."""

import itertools
import threading
from typing import Callable, Dict, FrozenSet, List, NamedTuple, Protocol, Sequence, Tuple

import numpy

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.inference.batches import batches_of_equal_length
from lisa_allennlp.models_on_disk.model_folder import OOV_TOKEN
from lisa_allennlp.models_on_disk.network_config import PieceEmbedder, WordEmbedder
from lisa_allennlp.models_on_disk.weights import Weights
from lisa_allennlp.text.tokens import LONGEST_WORD, BracketForms, unescape_brackets
from lisa_allennlp.text.word_pieces import WordPieces

CACHED_WORDS = 20_000
"""The number of words whose vectors are kept: 16 MB for 200 dimensions."""

PIECE_TABLE = "_matched_embedder.transformer_model.embeddings.word_embeddings"

WIDTH = 8
"""Words are padded to a multiple of this number of characters."""


class WordEmbedding(Protocol):
    """The vectors of words, shape `(len(words), dim)`."""

    def __call__(self, words: Sequence[str]) -> numpy.ndarray: ...


class WordVectors:
    """Looks up trained vectors of AllenNLP's `embedding`; `entries` are its vocabulary."""

    def __init__(self, embedder: WordEmbedder, weights: Weights, entries: Sequence[str]) -> None:
        self._lowercase = embedder.lowercase
        self.indices = dict(zip(entries, range(len(entries)), strict=True))
        self._unknown = self.indices[OOV_TOKEN]
        name = f"_text_field_embedder.token_embedder_{embedder.name}.weight"
        self._vectors, self._scales = weights.rows(name, len(entries), embedder.dim)

    def __call__(self, words: Sequence[str]) -> numpy.ndarray:
        forms = map(str.lower, words) if self._lowercase else words
        rows = numpy.array([self.indices.get(form, self._unknown) for form in forms])
        return self._vectors[rows].astype(numpy.float32) * self._scales[rows]


class CharacterVectors:
    """The vectors of words by `graph`, which reads their characters, `(num_words, width)`."""

    def __init__(
        self, graph: Callable[[numpy.ndarray], List[numpy.ndarray]], entries: Sequence[str]
    ) -> None:
        self._graph = graph
        self._indices = dict(zip(entries, range(len(entries)), strict=True))
        self._unknown = self._indices[OOV_TOKEN]

    def __call__(self, words: Sequence[str]) -> numpy.ndarray:
        # By width, since padding takes time.
        rows = [[self._indices.get(c, self._unknown) for c in word] for word in words]
        widths = numpy.array([-(-len(row) // WIDTH) * WIDTH for row in rows])
        vectors: Dict[int, numpy.ndarray] = {}
        for width in set(widths.tolist()):
            (own,) = (widths == width).nonzero()
            characters = numpy.array([rows[i] + [0] * (width - len(rows[i])) for i in own])
            vectors.update(zip(own.tolist(), self._graph(characters)[0], strict=True))
        return numpy.stack([vectors[i] for i in range(len(words))])


class PieceVectors:
    """
    The vectors of words in their sentences, from word pieces by a graph, as in the embedder
    `pretrained_encoder`, which describes the segments of long sentences.
    """

    def __init__(
        self,
        embedder: PieceEmbedder,
        weights: Weights,
        pieces: WordPieces,
        brackets: BracketForms,
    ) -> None:
        indices = {*pieces.indices, *embedder.start, *embedder.end}
        if not 0 <= min(indices) <= max(indices) < embedder.num_pieces:
            raise ConfigurationError(
                f"tokenizer.json: found a piece with the index {max(indices)}; expected those of "
                f"the {embedder.num_pieces} vectors of the embedder '{embedder.name}'"
            )
        self._embedder, self._pieces, self._brackets = embedder, pieces, brackets
        name = f"_text_field_embedder.token_embedder_{embedder.name}.{PIECE_TABLE}.weight"
        self._vectors, self._scales = weights.rows(name, embedder.num_pieces, embedder.dim)

    def __call__(
        self, sentences: Sequence[Sequence[str]], run: Callable[..., List[numpy.ndarray]]
    ) -> numpy.ndarray:
        """Shape `(num_words, dim)`, by the `run` of a network."""
        segments: List[numpy.ndarray] = []
        places: List[Tuple[int, int]] = []
        size, step = self._embedder.max_length, self._embedder.max_length // 2
        for words in sentences:
            pieces, firsts = self._index(words)
            last = max(0, -(-(len(pieces) - size) // step))
            for first in firsts:
                number = min(max(0, (first - size // 4) // step), last)
                places.append((len(segments) + number, first - number * step))
            for number in range(last + 1):
                segment = pieces[number * step : number * step + size]
                segments.append(numpy.array([pieces[0], *segment[1:]]))
        order = sorted(range(len(segments)), key=lambda number: len(segments[number]))
        vectors: Dict[int, numpy.ndarray] = {}
        for rows, _ in batches_of_equal_length([len(segments[number]) for number in order]):
            own = numpy.stack([segments[number] for number in order[rows]])
            embedded = self._vectors[own].astype(numpy.float32) * self._scales[own]
            (found,) = run(f"pieces-{self._embedder.name}", embedded)
            vectors.update(zip(order[rows], found, strict=True))
        return numpy.stack([vectors[number][place] for number, place in places])

    def most_frequent(self, number: int) -> FrozenSet[str]:
        return frozenset(itertools.islice(self._pieces.words, number))

    def _index(self, words: Sequence[str]) -> Tuple[List[int], List[int]]:
        """The pieces of a sentence, and the place of each word's first one."""
        pieces, firsts = list(self._embedder.start), []
        forms = [unescape_brackets(word[:LONGEST_WORD]) for word in self._brackets.write(words)]
        for own in self._pieces(forms):
            firsts.append(len(pieces))
            pieces += own
        return pieces + self._embedder.end, firsts


class _KnownWords(NamedTuple):
    rows: Dict[str, int]
    vectors: numpy.ndarray


class WordInputs:
    """
    Concatenates the vectors of words, and keeps those of about `CACHED_WORDS` words. Several
    threads may call it. Brackets are as in the training corpus, such as `-LRB-`.
    """

    def __init__(self, embedders: Sequence[WordEmbedding], brackets: BracketForms) -> None:
        self._embedders = embedders
        self._brackets = brackets
        self._lock = threading.Lock()
        self._known = _KnownWords({}, numpy.empty((0, 0), numpy.float32))

    def __call__(self, words: Sequence[str]) -> numpy.ndarray:
        """Shape `(len(words), dim)`."""
        words = [word[:LONGEST_WORD] for word in words]
        known = self._known
        if not known.rows.keys() >= set(words):
            known = self._add(list(dict.fromkeys(words)))
        return known.vectors[[known.rows[word] for word in words]]

    def most_frequent(self, number: int) -> FrozenSet[str]:
        vectors = (embed for embed in self._embedders if isinstance(embed, WordVectors))
        return frozenset(w for one in vectors for w in itertools.islice(one.indices, number))

    def _add(self, distinct: List[str]) -> _KnownWords:
        with self._lock:
            known = self._known
            new = [word for word in distinct if word not in known.rows]
            if new and len(known.rows) + len(new) > len(known.vectors):
                # Not in place: other threads may be reading the old rows.
                new, known = distinct, _KnownWords({}, numpy.empty((0, 0), numpy.float32))
            if new:
                forms = self._brackets.write(new)
                vectors = numpy.concatenate([embed(forms) for embed in self._embedders], axis=1)
                if not known.rows:
                    shape = max(CACHED_WORDS, len(new)), vectors.shape[1]
                    known = _KnownWords({}, numpy.empty(shape, numpy.float32))
                start = len(known.rows)
                known.vectors[start : start + len(new)] = vectors
                known.rows.update(zip(new, itertools.count(start)))
            self._known = known
        return known
