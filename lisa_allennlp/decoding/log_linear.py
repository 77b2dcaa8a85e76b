"""Log-linear models of many features, which help the network to choose."""

import itertools
from functools import cache
from pathlib import Path
from typing import NamedTuple, Sequence, Union
from zlib import crc32

import numpy

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

    def save(self, path: Path) -> None:
        """Writes a file, without the time, so that the same weights make the same file."""
        numpy.savez_compressed(path, **self._asdict())

    def scores(self, found: Sequence[Sequence[str]]) -> numpy.ndarray:
        """(S, C), the sums of the weights of S lists of features, of which none is empty."""
        names = itertools.chain.from_iterable(found)
        weights = self.rows(list(map(crc32, map(str.encode, names))))
        starts = [0, *itertools.accumulate(map(len, found[:-1]))]
        return self.unit * numpy.add.reduceat(weights, starts, axis=0, dtype=numpy.int16)

    def rows(self, keys: Union[Sequence[int], numpy.ndarray]) -> numpy.ndarray:
        """The weights of features, zero where the model does not know them."""
        numbers = numpy.searchsorted(self.features, numpy.array(keys, numpy.uint32))
        numbers = numpy.minimum(numbers, len(self.features) - 1)
        weights = self.weights[numbers]
        weights[self.features[numbers] != keys] = 0
        return weights


def feature_key(feature: str) -> int:
    """Returns the number that stands for a feature."""
    return crc32(feature.encode())


@cache
def open_log_linear(path: Path) -> LogLinear:
    """Opens a file that `LogLinear.save` wrote, once per process."""
    with numpy.load(path) as arrays:
        return LogLinear(**arrays)


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
