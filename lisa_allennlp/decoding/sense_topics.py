"""The words around a predicate say what a sentence is about, and so which roleset is meant."""

from typing import NamedTuple, Sequence

import numpy

from lisa_allennlp.decoding.log_linear import find_keys, keys_of

CONTENT_TAGS = ("NN", "VB", "JJ", "RB")
"""The first letters of the tags of words that say what a sentence is about."""

WINDOW = 15
"""The most tokens from a predicate to such a word."""

CLASSES = "nvj"
"""PropBank's parts of speech, in the order of the columns of `SenseTopics.classes`."""


UNIT = numpy.float64(127)
"""
What the vectors of rolesets are divided by, which are stored as whole numbers. In double precision,
so that products do not depend on how many there are.
"""

PATTERN_UNIT = numpy.float64(10)
"""The same of the scores of patterns."""


class SenseTopics(NamedTuple):
    """
    Vectors of words and of rolesets in one space, from text whose rolesets are known: (N,), the
    sorted CRC-32 of lower-case words, and (N, D), their vectors, longer for rarer words; (S,), the
    sorted CRC-32 of the names of rolesets, and (S, D), their topics: `UNIT` times the mean of what
    `around` returns for their predicates; `objects` and `arguments`, the same of the heads of their
    objects and of all their arguments; and `patterns`, (S, P), `PATTERN_UNIT` times what each of
    `features.PATTERNS` adds to log P(patterns | roleset). Of rolesets also (S, 3), whether PropBank
    lists a word of each of `CLASSES`; (S,), whether it is the first roleset of a verb that is rare
    in the treebank; and (S,), log(1 + the number of predicates there that have its lemma).
    `factors`, (11,), are those of `contexts.TopicContext`.
    """

    words: numpy.ndarray
    word_vectors: numpy.ndarray
    senses: numpy.ndarray
    sense_vectors: numpy.ndarray
    objects: numpy.ndarray
    arguments: numpy.ndarray
    patterns: numpy.ndarray
    classes: numpy.ndarray
    is_first: numpy.ndarray
    frequencies: numpy.ndarray
    factors: numpy.ndarray

    def rows_of(self, names: Sequence[str]) -> numpy.ndarray:
        """The rows of rolesets, -1 of one that is not known."""
        rows, is_known = find_keys(self.senses, keys_of(names))
        return numpy.where(is_known, rows, -1)

    def at(self, rows: numpy.ndarray) -> "SenseTopics":
        """The same with the rolesets in these rows, in any shape. One without a row is neutral."""
        is_known = rows >= 0
        is_own = is_known[..., None]
        return self._replace(
            senses=self.senses[rows],
            sense_vectors=numpy.where(is_own, self.sense_vectors[rows], 0) / UNIT,
            objects=numpy.where(is_own, self.objects[rows], 0) / UNIT,
            arguments=numpy.where(is_own, self.arguments[rows], 0) / UNIT,
            patterns=numpy.where(is_own, self.patterns[rows], 0),
            classes=self.classes[rows] | ~is_own,
            is_first=self.is_first[rows] & is_known,
            frequencies=self.frequencies[rows] * is_known,
        )

    def of_words(self, words: Sequence[Sequence[str]]) -> numpy.ndarray:
        """(F, D), the normalised sums of the vectors of F lists of lower-case words."""
        rows, is_known = find_keys(self.words, keys_of(w for own in words for w in own))
        vectors = self.word_vectors[rows] * is_known[:, None].astype(numpy.float32)
        owners = numpy.repeat(numpy.arange(len(words)), list(map(len, words)))
        sums = numpy.zeros((len(words), vectors.shape[1]), numpy.float32)
        numpy.add.at(sums, owners, vectors)
        return _normalised(sums)

    def around(
        self,
        words: Sequence[Sequence[str]],
        tags: Sequence[Sequence[str]],
        sentences: numpy.ndarray,
        predicates: numpy.ndarray,
    ) -> numpy.ndarray:
        """
        The topics of F predicates, (F, D): the normalised sums of the vectors of the words around
        them. The predicates are given by the numbers of their sentences, which have words and tags,
        and their places there.
        """
        lengths = numpy.array(list(map(len, words)))
        starts = numpy.concatenate([[0], lengths.cumsum()])[sentences]
        rows, counts = find_keys(self.words, keys_of(w.lower() for own in words for w in own))
        counts &= [tag.startswith(CONTENT_TAGS) for own in tags for tag in own]
        vectors = self.word_vectors[rows] * counts[:, None].astype(numpy.float32)
        sums = numpy.concatenate([numpy.zeros_like(vectors[:1]), vectors.cumsum(0)])
        first = starts + numpy.maximum(predicates - WINDOW, 0)
        end = starts + numpy.minimum(predicates + WINDOW + 1, lengths[sentences])
        topics = sums[end] - sums[first] - vectors[starts + predicates]
        # Sums of whole numbers are exact, so that no word leaves exactly zero.
        return _normalised(topics)


def _normalised(sums: numpy.ndarray) -> numpy.ndarray:
    return sums / numpy.maximum(numpy.linalg.norm(sums, axis=1, keepdims=True), 1.0)
