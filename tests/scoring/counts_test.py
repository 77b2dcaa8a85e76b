import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.scoring import Counts

numbers = st.integers(0, 1000)
counts = st.builds(Counts, numbers, numbers, numbers)


@given(counts)
def test_f1_is_the_harmonic_mean_and_the_ratio(some):
    ratios = some.ratios("x")
    for name, score in [("precision", some.precision), ("recall", some.recall), ("F1", some.f1)]:
        numerator, denominator = ratios[f"x {name}"]
        assert score == pytest.approx(100 * numerator / denominator if denominator else 0)
    if some.correct:
        assert some.f1 == pytest.approx(2 / (1 / some.precision + 1 / some.recall))
