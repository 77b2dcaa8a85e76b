"""Log-linear models are fitted by maximum likelihood."""

from typing import List, Sequence

import numpy
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from lisa_allennlp.decoding.fitting import Choices, fit
from lisa_allennlp.decoding.log_linear import UNIT, LogLinear, keys_of

FINE = 0.001


def random_features(rng: numpy.random.Generator, number: int) -> List[List[str]]:
    """Of which some are frequent and some are rare."""
    return [["", *{f"f{int(20 * rng.random() ** 2)}" for _ in range(4)}] for _ in range(number)]


def of_columns(
    features: Sequence[Sequence[str]], gold: Sequence[str], columns: List[str]
) -> Choices:
    """For each list of features, a choice between all columns."""
    offsets = numpy.zeros((len(features), len(columns)), numpy.float32)
    places = numpy.arange(offsets.size).reshape(*offsets.shape, 1)
    return Choices(features, places, offsets, numpy.array([columns.index(name) for name in gold]))


def test_weights_are_those_of_a_logistic_regression() -> None:
    rng, columns = numpy.random.default_rng(0), ["A", "B", "C"]
    features = random_features(rng, 200)
    gold = [
        columns[len(own) % 3] if rng.random() < 0.5 else rng.choice(columns) for own in features
    ]
    choices = of_columns(features, gold, columns)
    found = fit(choices, LogLinear.empty(columns, FINE), penalty=0.5)
    vectorizer = DictVectorizer()
    matrix = vectorizer.fit_transform([dict.fromkeys(own, 1) for own in features])
    expected = LogisticRegression(C=2.0, fit_intercept=False, tol=1e-6, max_iter=1000)
    expected.fit(matrix, gold)
    ours = found.scores([[name] for name in vectorizer.feature_names_])
    assert numpy.allclose(ours, expected.coef_.T, atol=0.01)


def test_alternatives_may_share_scores_and_have_offsets() -> None:
    """Two alternatives differ by the score of one feature alone, the third one is impossible."""
    number, gold = 100, 30
    places = numpy.full((number, 3, 2), -1)
    places[:, 0, 0] = places[:, 1, 0] = places[:, 2, 0] = 2 * numpy.arange(number)
    places[:, 1, 1] = 2 * numpy.arange(number) + 1
    offsets = numpy.tile([0.0, 0.5, -numpy.inf], (number, 1))
    choices = Choices([["x"]] * number, places, offsets, (numpy.arange(number) < gold).astype(int))
    found = fit(choices, LogLinear.empty(["both", "one"], FINE), penalty=1e-6)
    (scores,) = found.scores([["x"]])
    assert numpy.isclose(scores[1] + 0.5, numpy.log(30 / 70), atol=0.01)


def test_few_choices_move_given_weights() -> None:
    rng, columns = numpy.random.default_rng(0), ["A", "B"]
    features: Sequence[Sequence[str]] = [[""], ["", "x"]] * 50
    start = fit(of_columns(features, ["A", "B"] * 50, columns), LogLinear.empty(columns), 1.0)
    other = [["", "x", "new"]]
    corrected = fit(of_columns(other, ["A"], columns), start, 0.1)
    assert start.scores(other)[0].argmax() == 1 and corrected.scores(other)[0].argmax() == 0
    # Features that do not occur keep their weights, and so do all if the penalty is high.
    unseen = random_features(rng, 5)
    assert (corrected.scores(unseen) - corrected.scores([[""]]) == 0).all()
    stiff = fit(of_columns(other, ["A"], columns), start, 1000.0)
    assert (stiff.scores([["x"], [""]]) == start.scores([["x"], [""]])).all()


def test_rare_features_and_small_weights_are_dropped_and_keys_are_sorted() -> None:
    features = [["rare", "often"]] * 2 + [["often", "other"]] * 4
    choices = of_columns(features, ["A"] * 2 + ["B"] * 4, ["A", "B"])
    found = fit(choices, LogLinear.empty(["A", "B"]), 0.1, least_count=3)
    assert keys_of(["rare"])[0] not in found.features.tolist()
    assert (numpy.diff(found.features.astype(int)) > 0).all()
    none = fit(choices, LogLinear.empty(["A", "B"]), 0.1, least_weight=round(10 / UNIT))
    assert not none.weights.any()
