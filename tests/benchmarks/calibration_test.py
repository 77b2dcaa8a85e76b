import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.calibration import (
    Outcomes,
    bins_of,
    calibration_error,
    outcomes_of,
)
from lisa_allennlp.sentence.sentence import Frame, Parse, Sentence

GOLD = Sentence(
    ["She", "left", "home", "early"],
    pos=["PRP", "VBD", "NN", "RB"],
    frames=[Frame(1, ["B-ARG0", "B-V", "B-ARG1", "B-ARGM-TMP"])],
    parse=Parse([1, 1, 1, 1], ["nsubj", "root", "obj", "advmod"]),
)
PREDICTED = Sentence(
    GOLD.words,
    pos=["PRP", "VBD", "NN", "JJ"],
    frames=[
        Frame(
            1,
            ["B-ARG0", "B-V", "B-ARG1", "I-ARG1"],
            probability=0.9,
            span_probabilities=[0.8, 1.0, 0.3],
        ),
        Frame(2, ["B-ARG0", "O", "B-V", "O"], probability=0.6, span_probabilities=[0.2, 1.0]),
    ],
    parse=Parse([1, 1, 1, 2], ["nsubj", "root", "dep", "advmod"]),
    pos_probabilities=[0.9, 0.8, 0.7, 0.6],
    head_probabilities=[0.5, 0.4, 0.3, 0.2],
)


def test_what_is_right() -> None:
    outcomes = outcomes_of([PREDICTED], [GOLD])
    assert outcomes == {
        "spans": Outcomes([0.8, 0.3, 0.2], [True, False, False]),
        "predicates": Outcomes([0.9, 0.6], [True, False]),
        "arcs": Outcomes([0.5, 0.4, 0.3, 0.2], [True, True, False, False]),
        "tags": Outcomes([0.9, 0.8, 0.7, 0.6], [True, True, True, False]),
    }
    outcomes = outcomes_of([PREDICTED], [GOLD], spans_at_gold=True)
    assert outcomes["spans"] == Outcomes([0.8, 0.3], [True, False])


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1), st.integers(1, 20))
def test_bins_of_equal_width(items, number) -> None:
    outcomes = Outcomes([p for p, _ in items], [right for _, right in items])
    bins = bins_of(outcomes, number)
    edges = [i / number for i in range(1, number)]
    groups = {}
    for probability, right in items:
        groups.setdefault(sum(e <= probability for e in edges), []).append((probability, right))
    assert [one.number for one in bins] == [len(groups[i]) for i in sorted(groups)]
    error = sum(abs(math.fsum(p - right for p, right in group)) for group in groups.values())
    assert calibration_error(bins) == pytest.approx(100 * error / len(items), abs=1e-9)


def test_log_loss() -> None:
    loss = Outcomes([0.8, 0.4, 1.0], [True, False, True]).log_loss()
    assert loss == pytest.approx(-(math.log(0.8) + math.log(0.6)) / 3, abs=1e-5)
    assert math.isfinite(Outcomes([1.0], [False]).log_loss())
