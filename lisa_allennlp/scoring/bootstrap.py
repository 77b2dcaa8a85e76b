"""
The paired bootstrap test between two systems (Efron and Tibshirani 1993; Koehn 2004;
Berg-Kirkpatrick et al. 2012).
"""

from dataclasses import dataclass
from typing import Dict, List, Sequence

import numpy

from lisa_allennlp.common.tables import Cell, Table, write_table
from lisa_allennlp.scoring.counts import Ratio

CONFIDENCE = 0.95

BATCH = 500

TOLERANCE = 1e-9
"""Differences of percentages that only rounding explains."""


@dataclass(frozen=True)
class Difference:
    """
    The scores of two systems on all sentences, in percent; `second - first`, with its percentile
    interval for `CONFIDENCE`; and the two-sided p-value: the probability of at least this
    difference between equally good systems.
    """

    score: str
    first: float
    second: float
    difference: float
    low: float
    high: float
    p_value: float


def paired_bootstrap(
    first: Sequence[Dict[str, Ratio]],
    second: Sequence[Dict[str, Ratio]],
    samples: int = 10000,
    seed: int = 0,
) -> List[Difference]:
    """
    Draws samples of the same number of sentences, with replacement, and computes the scores of both
    systems on each sample from its summed counts. The p-value shifts the differences of the samples
    so that their mean is 0, as under the null hypothesis, and is the share of differences that are
    at least as large as the observed one, which counts as one of them.

    # Parameters

    first, second : `Sequence[Dict[str, Ratio]]`
        Of two or more sentences, the ratios of a system, as from `Evaluation.sentence_ratios`.
    """
    if len(first) < 2 or len(first) != len(second):
        raise ValueError(
            f"found {len(first)} and {len(second)} sentences; expected as many for both systems, "
            "and two or more"
        )
    counts = numpy.stack([_counts(first), _counts(second)], axis=1)
    random = numpy.random.default_rng(seed)
    sizes = [min(BATCH, samples - start) for start in range(0, samples, BATCH)]
    draws = (random.integers(0, len(counts), (size, len(counts))) for size in sizes)
    differences = numpy.concatenate([_differences(counts, draw) for draw in draws], axis=1)
    tail = 100 * (1 - CONFIDENCE) / 2
    interval = numpy.percentile(differences, [tail, 100 - tail], axis=1)
    scores = _scores(counts.sum(axis=0))
    observed = scores[1] - scores[0]
    shifted = numpy.abs(differences - observed[:, None])
    as_large = (shifted >= numpy.abs(observed)[:, None] - TOLERANCE).sum(axis=1)
    columns = (*scores, observed, *interval, (1 + as_large) / (1 + samples))
    return [
        Difference(name, *map(float, values))
        for name, *values in zip(first[0], *columns, strict=True)
    ]


def difference_table(
    differences: Sequence[Difference], first: str, second: str, style: str = "text"
) -> str:
    """
    Returns a table of differences in a style of `write_table`. In CSV, the ends of the interval
    have columns of their own.
    """
    is_csv = style == "csv"
    ends = ["low", "high"] if is_csv else [f"{CONFIDENCE:.0%} interval"]
    rows: List[List[Cell]] = [
        [d.score, d.first, d.second, d.difference, d.low, d.high, d.p_value]
        if is_csv
        else [
            d.score,
            d.first,
            d.second,
            f"{d.difference:+.2f}",
            f"{d.low:+.2f} to {d.high:+.2f}",
            f"{d.p_value:.4f}",
        ]
        for d in differences
    ]
    names = ["", first, second, f"{second} - {first}", *ends, "p"]
    return write_table(Table(names, rows), style)


def _counts(sentences: Sequence[Dict[str, Ratio]]) -> numpy.ndarray:
    """Shape `(sentences, scores, 2)`: numerators and denominators."""
    return numpy.array([list(ratios.values()) for ratios in sentences], dtype=float)


def _differences(counts: numpy.ndarray, sentences: numpy.ndarray) -> numpy.ndarray:
    """
    Second minus first, in percent, `(scores, samples)`, from the numbers of the sentences drawn,
    `(samples, sentences)`, and counts, `(sentences, 2 systems, scores, 2)`.
    """
    length = len(counts)
    # How often each sample has each sentence; summing counts is then one matrix product.
    cells = sentences + length * numpy.arange(len(sentences))[:, None]
    times = numpy.bincount(cells.ravel(), minlength=cells.size).reshape(-1, length)
    sums = (times.astype(float) @ counts.reshape(length, -1)).reshape(-1, *counts.shape[1:])
    scores = _scores(sums)
    return (scores[:, 1] - scores[:, 0]).T


def _scores(counts: numpy.ndarray) -> numpy.ndarray:
    """In percent, from counts of shape `(..., 2)`; 0 for a zero denominator."""
    numerators, denominators = counts[..., 0], counts[..., 1]
    zeros = numpy.zeros_like(numerators)
    return 100 * numpy.divide(numerators, denominators, out=zeros, where=denominators > 0)
