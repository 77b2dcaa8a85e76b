from typing import List, Sequence

import numpy
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from lisa_allennlp.decoding.log_linear import Decision, LogLinear, fit, keys_of

UNIT = 0.05
LABELS = ["A", "B", "C"]


def random_features(rng: numpy.random.Generator, number: int) -> List[List[str]]:
    """Of which some are frequent and some are rare."""
    return [["", *{f"f{int(20 * rng.random() ** 2)}" for _ in range(4)}] for _ in range(number)]


def of_labels(
    features: Sequence[Sequence[str]], gold: Sequence[str], labels: List[str]
) -> List[Decision]:
    """For each list of features, a decision between all labels, each with its own features."""
    return [
        (
            [[f"{label} {name}" for name in own] for label in labels],
            numpy.zeros(len(labels)),
            labels.index(right),
        )
        for own, right in zip(features, gold, strict=True)
    ]


def scores(model: LogLinear, features: Sequence[Sequence[str]]) -> numpy.ndarray:
    """Of each list of features with A and with B."""
    return numpy.stack(
        [model.scores([[f"{label} {name}" for name in own] for own in features]) for label in "AB"],
        axis=1,
    )


def test_scores_are_sums_that_eight_bits_do_not_hold() -> None:
    weights = {"one": 127, "two": 127, "three": 1}
    pairs = sorted(zip(keys_of(weights).tolist(), weights.values(), strict=True))
    keys, units = zip(*pairs, strict=True)
    columns = numpy.outer(units, [1, -1]).astype(numpy.int8)
    model = LogLinear(numpy.array(keys, numpy.uint32), columns, UNIT)
    scores = model.scores([["one", "two", "unknown"], ["unknown"], ["three", "three"]])
    assert numpy.allclose(scores, numpy.outer([UNIT * 254, 0, UNIT * 2], [1, -1]))


def test_weights_are_those_of_a_logistic_regression() -> None:
    rng = numpy.random.default_rng(0)
    features = random_features(rng, 200)
    gold = [LABELS[len(own) % 3] if rng.random() < 0.5 else rng.choice(LABELS) for own in features]
    found = fit(of_labels(features, gold, LABELS), LogLinear.empty(0.001), penalty=0.5)
    vectorizer = DictVectorizer()
    matrix = vectorizer.fit_transform([dict.fromkeys(own, 1) for own in features])
    expected = LogisticRegression(C=2.0, fit_intercept=False, tol=1e-6, max_iter=1000)
    expected.fit(matrix, gold)
    for label, weights in zip(LABELS, expected.coef_, strict=True):
        ours = found.scores([[f"{label} {name}"] for name in vectorizer.feature_names_])
        assert numpy.allclose(ours, weights, atol=0.01)


def test_decisions_have_offsets_and_sizes_of_their_own() -> None:
    """A decision with a single alternative teaches nothing; of the others, 3 of 10 are x."""
    decisions: List[Decision] = []
    for number in range(100):
        decisions.append(([["y"], ["x"]], numpy.array([0.0, 0.5]), int(number % 10 < 3)))
        decisions.append(([["y"]], numpy.zeros(1), 0))
    found = fit(decisions, LogLinear.empty(0.001), penalty=1e-6)
    x, y = found.scores([["x"], ["y"]])
    assert numpy.isclose(x - y + 0.5, numpy.log(30 / 70), atol=0.01)


def test_few_decisions_move_given_weights() -> None:
    rng, labels = numpy.random.default_rng(0), ["A", "B"]
    features: Sequence[Sequence[str]] = [[""], ["", "x"]] * 50
    start = fit(of_labels(features, ["A", "B"] * 50, labels), LogLinear.empty(UNIT), 1.0)
    other = [["", "x", "new"]]
    corrected = fit(of_labels(other, ["A"], labels), start, 0.1)
    assert scores(start, other)[0].argmax() == 1 and scores(corrected, other)[0].argmax() == 0
    # Features that do not occur keep their weights, and so do all if the penalty is high.
    unseen = random_features(rng, 5)
    assert (scores(corrected, unseen) - scores(corrected, [[""]]) == 0).all()
    stiff = fit(of_labels(other, ["A"], labels), start, 1000.0)
    assert (scores(stiff, [["x"], [""]]) == scores(start, [["x"], [""]])).all()


def test_small_weights_are_dropped_and_keys_are_sorted() -> None:
    features = [["rare", "often"]] * 2 + [["often", "other"]] * 4
    decisions = of_labels(features, ["A"] * 2 + ["B"] * 4, ["A", "B"])
    found = fit(decisions, LogLinear.empty(UNIT), 0.1)
    assert (numpy.diff(found.features.astype(int)) > 0).all()
    none = fit(decisions, LogLinear.empty(UNIT), 0.1, least_weight=round(10 / UNIT))
    assert not none.weights.any()
