"""Log-linear models of many features, which help the network to choose."""

import itertools
from functools import cache
from pathlib import Path
from typing import Callable, Iterable, NamedTuple, Sequence, Tuple, TypeVar
from zlib import crc32

import numpy

Arrays = TypeVar("Arrays")

UNIT = 0.05

LEAST = -6.0
"""A label with a lower log-probability counts as if it had this one."""


class LogLinear(NamedTuple):
    """
    The weights of a model: (N,) the sorted CRC-32 of features, (N, C) their weights as whole
    multiples of `unit`, and (C,) the names of the columns. Each set of features that occur together
    has a score in each column: the sum of their weights.
    """

    features: numpy.ndarray
    weights: numpy.ndarray
    columns: numpy.ndarray
    unit: float = UNIT

    @classmethod
    def empty(cls, columns: Sequence[str], unit: float = UNIT) -> "LogLinear":
        """Without weights: that of one feature is 0."""
        weights = numpy.zeros((1, len(columns)), numpy.int8)
        return cls(numpy.zeros(1, numpy.uint32), weights, numpy.array(columns), unit)

    def scores(self, found: Sequence[Sequence[str]]) -> numpy.ndarray:
        """(S, C), the sums of the weights of S lists of features, of which none is empty."""
        weights = self.rows(keys_of(itertools.chain.from_iterable(found)))
        starts = [0, *itertools.accumulate(map(len, found[:-1]))]
        return self.unit * numpy.add.reduceat(weights, starts, axis=0, dtype=numpy.int16)

    def with_rows_of(self, other: "LogLinear", keys: numpy.ndarray) -> "LogLinear":
        """Returns the same, with the weights that another one has for some features."""
        kept, taken = ~numpy.isin(self.features, keys), numpy.isin(other.features, keys)
        features = numpy.concatenate([self.features[kept], other.features[taken]])
        weights = numpy.concatenate([self.weights[kept], other.weights[taken]])
        used = numpy.flatnonzero(weights.any(1))
        if not len(used):
            return LogLinear.empty(self.columns.tolist(), self.unit)
        order = used[features[used].argsort(kind="stable")]
        return self._replace(features=features[order], weights=weights[order])

    def rows(self, keys: numpy.ndarray) -> numpy.ndarray:
        """The weights of features, zero where the model does not know them."""
        numbers, is_known = find_keys(self.features, keys)
        weights = self.weights[numbers]
        weights[~is_known] = 0
        return weights


def keys_of(names: Iterable[str]) -> numpy.ndarray:
    """The numbers that stand for names, such as features: their CRC-32."""
    return numpy.array(list(map(crc32, map(str.encode, names))), numpy.uint32)


def find_keys(known: numpy.ndarray, keys: numpy.ndarray) -> Tuple[numpy.ndarray, numpy.ndarray]:
    """The places of keys among sorted ones, and whether they are there."""
    places = numpy.searchsorted(known, keys).clip(max=len(known) - 1)
    return places, known[places] == keys


@cache
def open_arrays(kind: Callable[..., Arrays], path: Path) -> Arrays:
    """Opens a file of the fields of such a tuple of arrays, once per process."""
    with numpy.load(path) as arrays:
        return kind(**arrays)


def alternative_scores(scores: numpy.ndarray, places: numpy.ndarray) -> numpy.ndarray:
    """
    Returns (N, A), the scores of A alternatives in each of N choices: the sum of those of the (R,
    C) scores whose numbers, in the order of rows, are in `places`, (N, A, K). -1 stands for none.
    """
    return numpy.append(scores, 0)[places].sum(-1)


def log_probabilities(scores: numpy.ndarray) -> numpy.ndarray:
    """Normalises (N, A) scores; none is below `LEAST`."""
    scores = scores - scores.max(1, keepdims=True)
    return numpy.maximum(scores - numpy.log(numpy.exp(scores).sum(1, keepdims=True)), LEAST)
