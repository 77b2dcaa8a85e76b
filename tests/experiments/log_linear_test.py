"""Log-linear models are fitted by maximum likelihood."""

import numpy

from experiments.log_linear import fit
from lisa_allennlp.decoding.log_linear import UNIT, feature_key


def test_weights_without_a_penalty_are_the_log_odds() -> None:
    found = [["often"]] * 40 + [["seldom"]] * 40
    gold = ["A"] * 30 + ["B"] * 10 + ["A"] * 20 + ["B"] * 20
    model = fit(found, gold, ["A", "B"], penalty=0.0, least_weight=1)
    odds = numpy.diff(-model.scores([["often"], ["seldom"]]), axis=1)[:, 0]
    assert numpy.allclose(odds, [numpy.log(30 / 10), 0.0], atol=UNIT)


def test_rare_features_have_no_weight_and_keys_are_sorted() -> None:
    found = [["rare", "often"]] * 2 + [["often", "other"]] * 4
    model = fit(found, ["A"] * 2 + ["B"] * 4, ["A", "B"], penalty=0.1, least_weight=1)
    assert feature_key("rare") not in model.features.tolist()
    assert (numpy.diff(model.features.astype(int)) > 0).all()
