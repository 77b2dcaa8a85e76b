"""The weights of roles."""

import random

import numpy

from experiments.role_context import GoldSpan, fit
from lisa_allennlp.decoding.role_context import RoleContext, feature_key


def test_functions_carry_over_to_rolesets_that_were_never_seen() -> None:
    """`to` marks goals of give.01; teach.01, which is not there, has its goal as ARG2, too."""
    rng = random.Random(1)
    gold = []
    for _ in range(300):
        is_goal = rng.random() < 0.5
        features = ["", "marker to" if is_goal else "marker", *["noise"] * (rng.random() < 0.5)]
        gold.append(GoldSpan(features, "give.01", "ARG2" if is_goal else "ARG1"))
    weights = fit(gold, ["ARG1", "ARG2"])
    context = RoleContext(weights, ["B-ARG1", "I-ARG1", "B-ARG2", "I-ARG2"])
    found = context._log_probabilities([["", "marker to"], ["", "marker"]], ["teach.01"] * 2)
    assert found.argmax(1).tolist() == [1, 0]
    assert feature_key("noise") not in weights.features.tolist()
    assert (numpy.diff(weights.features.astype(int)) > 0).all()


def test_rare_features_have_no_weight() -> None:
    gold = [GoldSpan(["rare", "often"], "give.01", "ARG1")] * 2 + [
        GoldSpan(["often"], "give.01", "ARG2")
    ] * 2
    assert feature_key("rare") not in fit(gold, ["ARG1", "ARG2"]).features.tolist()
