"""The weights of what surrounds predicates."""

import random

from experiments.sense_context import Choice, accuracy, fit


def test_weights_find_the_features_that_decide() -> None:
    """`good` decides between two rolesets that the model cannot tell apart; `noise` does not."""
    rng = random.Random(1)
    found = []
    for _ in range(200):
        is_good = rng.random() < 0.5
        features = [""] + ["good"] * is_good + ["noise"] * (rng.random() < 0.5)
        gold = "act.02" if is_good else "act.01"
        found.append(Choice(features, ["act.01", "act.02"], [0.5, 0.0], gold))
    weights = fit(found)
    good = weights["good"]["act.02"]
    assert good > 50 > -50 > weights["good"]["act.01"]
    assert all(abs(weight) < good / 4 for weight in weights.get("noise", {}).values())
    assert accuracy(found, {}) < 0.6 and accuracy(found, weights) == 1.0


def test_features_that_occur_once_have_no_weight() -> None:
    names, scores = ["act.01", "act.02"], [0.0, 0.0]
    found = [Choice(["", "once"], names, scores, "act.02"), Choice([""], names, scores, "act.02")]
    assert set(fit(found)) == {""}
