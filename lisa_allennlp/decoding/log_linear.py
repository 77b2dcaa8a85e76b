"""Log-linear models of many features, which help the network to choose."""

import itertools
from functools import cache
from pathlib import Path
from typing import NamedTuple, Optional, Sequence
from zlib import crc32

import numpy

from lisa_allennlp.common.errors import ConfigurationError

EWT = "ewt"
"""The name of the weights that the package carries, fitted on the English Web Treebank."""

UNIT = 0.05
"""Weights are whole multiples of this."""

LEAST = -6.0
"""A label with a lower log-probability counts as if it had this one."""


class LogLinear(NamedTuple):
    """
    The weights of a model: (N,) the sorted CRC-32 of features, (N, C) their 8-bit weights in units
    of `UNIT`, and (C,) the names of the columns.
    """

    features: numpy.ndarray
    weights: numpy.ndarray
    columns: numpy.ndarray

    def save(self, path: Path) -> None:
        """Writes a file, without the time, so that the same weights make the same file."""
        numpy.savez_compressed(path, **self._asdict())

    def scores(self, found: Sequence[Sequence[str]]) -> numpy.ndarray:
        """(S, C), the sums of the weights of S lists of features, of which none is empty."""
        keys = [feature_key(feature) for features in found for feature in features]
        numbers = numpy.searchsorted(self.features, numpy.array(keys, numpy.uint32))
        numbers = numpy.minimum(numbers, len(self.features) - 1)
        weights = self.weights[numbers]
        weights[self.features[numbers] != keys] = 0
        starts = [0, *itertools.accumulate(map(len, found[:-1]))]
        return UNIT * numpy.add.reduceat(weights, starts, axis=0, dtype=numpy.int16)


@cache
def open_log_linear(path: Path) -> LogLinear:
    """Opens a file that `LogLinear.save` wrote, once per process."""
    with numpy.load(path) as arrays:
        return LogLinear(*(arrays[name] for name in LogLinear._fields))


def check_weights_name(key: str, name: Optional[str]) -> None:
    """Checks the value of a config's `sense_context` or another context."""
    if name not in (None, EWT):
        raise ConfigurationError(f"{key}: found {name!r}; expected '{EWT}'")


def feature_key(feature: str) -> int:
    """Returns the number that stands for a feature."""
    return crc32(feature.encode())


def log_probabilities(scores: numpy.ndarray) -> numpy.ndarray:
    """Normalises (S, C) scores; none is below `LEAST`."""
    scores = scores - scores.max(1, keepdims=True)
    return numpy.maximum(scores - numpy.log(numpy.exp(scores).sum(1, keepdims=True)), LEAST)
