"""The fitted models of rolesets and roles."""

from zlib import crc32

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.decoding.contexts import RolesOfRolesets, Weights, open_weights


@given(st.lists(st.sampled_from(["a", "b", "c", "unknown"]), min_size=1))
def test_scores_are_sums_of_the_weights_of_known_features(features: list) -> None:
    own = {crc32(name.encode()): [number, -number] for number, name in enumerate("abc", start=100)}
    table = numpy.array([own[key] for key in sorted(own)], numpy.int8)
    weights = Weights(numpy.array(sorted(own), numpy.uint32), table, numpy.array(["x", "y"]), 0.5)
    known = [100 + "abc".index(name) for name in features if name in "abc"]
    assert weights.scores(features) == pytest.approx([sum(known) / 2, -sum(known) / 2])


def test_english_names_the_columns() -> None:
    assert {"ARG0", "ARGM-TMP", "GOL"} <= set(open_weights("role_context.npz").columns)


def test_rolesets_lack_roles() -> None:
    labels = "O B-V B-ARG0 I-ARG0 B-ARG5 B-R-ARG5 I-C-ARG1 B-ARGM-TMP B-A5".split()
    roles = RolesOfRolesets(labels)
    # In PropBank, sell.01 has the roles 0 to 4; there is no have.LV.
    pairs = zip(labels, roles.lacking("sell.01"), strict=True)
    lacking = [label for label, is_lacking in pairs if is_lacking]
    assert lacking == ["B-ARG5", "B-R-ARG5", "B-A5"]
    assert not roles.lacking("have.LV").any()
