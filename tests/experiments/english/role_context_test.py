"""The weights of roles."""

import random

from experiments.english.role_context import GoldSpan, fit_roles
from lisa_allennlp.decoding.contexts import RoleContext
from lisa_allennlp.decoding.log_linear import alternative_scores, keys_of
from lisa_allennlp.decoding.well_formed import RolesOfRolesets


def test_functions_carry_over_to_rolesets_that_were_never_seen() -> None:
    """`to` marks goals of give.01; teach.01, which is not there, has its goal as ARG2, too."""
    rng = random.Random(1)
    gold = []
    for _ in range(300):
        is_goal = rng.random() < 0.5
        features = ["", "marker to" if is_goal else "marker", *["noise"] * (rng.random() < 0.5)]
        gold.append(GoldSpan(features, "give.01", "ARG2" if is_goal else "ARG1"))
    weights = fit_roles(gold, ["ARG1", "ARG2"])
    context = RoleContext(weights, RolesOfRolesets(["B-ARG1", "I-ARG1", "B-ARG2", "I-ARG2"]))
    places, _ = context.alternatives(["teach.01"] * 2)
    scores = weights.scores([["", "marker to"], ["", "marker"]])
    assert alternative_scores(scores, places).argmax(1).tolist() == [1, 0]
    assert keys_of(["noise"])[0] not in weights.features.tolist()
