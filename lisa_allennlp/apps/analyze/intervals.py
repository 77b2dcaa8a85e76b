"""Scores with 95 % bootstrap intervals (Efron 1979). Samples are of sentences, not of arguments."""

from dataclasses import dataclass
from typing import Any, List

import numpy

from lisa_allennlp.scoring.counts import Counts

SAMPLES = 1000

PERCENTILES = (2.5, 97.5)


@dataclass(frozen=True)
class Score:
    correct: int
    excess: int
    missed: int
    precision: float
    recall: float
    f1: float
    f1_low: float
    f1_high: float

    @property
    def num_gold(self) -> int:
        return self.correct + self.missed


@dataclass(frozen=True)
class Mean:
    sentences: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Share:
    number: int
    percent: float
    low: float
    high: float


class Bootstrap:
    """Draws as many sentences as a corpus has, with replacement; always the same for a seed."""

    def __init__(self, num_sentences: int, seed: int = 0) -> None:
        random = numpy.random.default_rng(seed)
        chances = numpy.full(num_sentences, 1 / num_sentences)
        # How often each sample has each sentence.
        self._weights = numpy.empty((SAMPLES, num_sentences), dtype=numpy.float32)
        for sample in self._weights:
            sample[:] = random.multinomial(num_sentences, chances)

    def scores(self, counts: numpy.ndarray) -> List[Score]:
        """
        Scores groups, in percent, by `(sentences, groups, 3)` correct, excess and missed items.
        """
        correct, excess, missed = numpy.moveaxis(self._sums(counts), -1, 0)
        f1 = 200 * correct / numpy.maximum(2 * correct + excess + missed, 1)
        totals = (Counts(*sums) for sums in counts.sum(0).tolist())
        return [
            Score(**total.to_dict(), f1_low=low, f1_high=high)
            for total, low, high in zip(totals, *_intervals(f1), strict=True)
        ]

    def means(self, values: numpy.ndarray, mask: numpy.ndarray) -> List[Mean]:
        """
        Returns each group's mean value, 0 without sentences. `values` and the `mask` of members
        have shape `(sentences, groups)`.
        """
        sampled = self._sums(values * mask) / numpy.maximum(self._sums(mask), 1)
        sizes = mask.sum(0)
        means = (values * mask).sum(0) / numpy.maximum(sizes, 1)
        columns = (sizes.tolist(), means.tolist(), *_intervals(sampled))
        return [Mean(*row) for row in zip(*columns, strict=True)]

    def shares(self, counts: numpy.ndarray) -> List[Share]:
        """`counts` has shape `(sentences, kinds)`."""
        sampled = self._sums(counts)
        sampled = 100 * sampled / numpy.maximum(sampled.sum(1, keepdims=True), 1)
        numbers = counts.sum(0).tolist()
        percents = [100 * number / max(sum(numbers), 1) for number in numbers]
        columns = (numbers, percents, *_intervals(sampled))
        return [Share(*row) for row in zip(*columns, strict=True)]

    def _sums(self, values: numpy.ndarray) -> numpy.ndarray:
        """Shape `(samples, ...)`."""
        return numpy.tensordot(self._weights, values.astype(numpy.float32), axes=1)


def _intervals(sampled: numpy.ndarray) -> Any:
    return numpy.percentile(sampled, PERCENTILES, axis=0).tolist()
