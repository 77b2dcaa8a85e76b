"""Sums of the weights of features."""

from typing import Mapping, Sequence

import numpy

from lisa_allennlp.decoding.log_linear import (
    LEAST,
    UNIT,
    LogLinear,
    alternative_scores,
    keys_of,
    log_probabilities,
)


def log_linear(columns: Sequence[str], weights: Mapping[str, Sequence[int]]) -> LogLinear:
    """Returns a model with these weights, in units."""
    keys, rows = zip(*sorted(zip(keys_of(weights), weights.values(), strict=True)), strict=True)
    parts = numpy.array(keys, numpy.uint32), numpy.array(rows, numpy.int8)
    return LogLinear(*parts, numpy.array(columns))


def test_scores_are_sums_that_eight_bits_do_not_hold() -> None:
    model = log_linear(["A", "B"], {"one": [127, -127], "two": [127, 0], "three": [1, 2]})
    scores = model.scores([["one", "two", "unknown"], ["unknown"], ["three", "three"]])
    assert numpy.allclose(scores, UNIT * numpy.array([[254, -127], [0, 0], [2, 4]]))


def test_improbable_labels_have_a_least_probability() -> None:
    found = log_probabilities(numpy.array([[0.0, 0.0, -50.0]]))
    assert numpy.allclose(found, [[numpy.log(0.5), numpy.log(0.5), LEAST]])


def test_alternatives_have_sums_of_scores_from_any_place() -> None:
    scores = numpy.array([[1.0, 2.0], [3.0, 4.0]])
    places = numpy.array([[[0, 3], [2, -1]], [[-1, -1], [1, 1]]])
    assert alternative_scores(scores, places).tolist() == [[5.0, 3.0], [0.0, 4.0]]
