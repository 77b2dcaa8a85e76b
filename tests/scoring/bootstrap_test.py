import itertools

import numpy
import pytest
from scipy import stats

from lisa_allennlp.scoring import paired_bootstrap


def ratios(right, total=1):
    return [{"accuracy": (int(number), total)} for number in right]


def bootstrap(first, second, **options):
    (difference,) = paired_bootstrap(first, second, **options)
    return difference


def simulated(rng, length):
    """Two equally good systems' right answers to the same questions."""
    easiness = rng.random(length)
    return rng.random(length) < easiness, rng.random(length) < easiness


def test_width_is_that_of_the_standard_error_of_an_accuracy_difference():
    first, second = simulated(numpy.random.default_rng(1), 2000)
    gain = second.astype(int) - first.astype(int)
    error = 100 * gain.std() / len(gain) ** 0.5
    difference = bootstrap(ratios(first), ratios(second))
    assert difference.difference == pytest.approx(100 * gain.mean())
    assert difference.low == pytest.approx(difference.difference - 1.96 * error, abs=0.1 * error)
    assert difference.high == pytest.approx(difference.difference + 1.96 * error, abs=0.1 * error)
    expected = 2 * stats.norm.sf(abs(difference.difference) / error)
    assert difference.p_value == pytest.approx(expected, abs=0.03)


def test_small_case_is_that_of_all_samples():
    # F1 of three sentences: numerators 2 * correct, denominators found + wanted.
    first = [{"F1": (2, 4)}, {"F1": (0, 3)}, {"F1": (4, 4)}]
    second = [{"F1": (4, 5)}, {"F1": (2, 3)}, {"F1": (2, 5)}]

    def score(sentences, sample):
        pairs = [sentences[i]["F1"] for i in sample]
        return 100 * sum(n for n, _ in pairs) / sum(d for _, d in pairs)

    samples = list(itertools.product(range(3), repeat=3))
    deltas = [score(second, sample) - score(first, sample) for sample in samples]
    observed = score(second, range(3)) - score(first, range(3))
    expected = sum(abs(d - observed) >= abs(observed) - 1e-9 for d in deltas) / len(deltas)
    difference = bootstrap(first, second, samples=20000)
    assert difference.difference == pytest.approx(observed)
    assert difference.p_value == pytest.approx(expected, abs=0.01)
    assert difference.low == pytest.approx(min(deltas), abs=1e-9)
    assert difference.high == pytest.approx(max(deltas), abs=1e-9)


def test_scores_are_named_and_independent_of_each_other():
    def both(right):
        return [{"a": (int(number), 1), "b": (1 - int(number), 1)} for number in right]

    first, second = simulated(numpy.random.default_rng(5), 80)
    a, b = paired_bootstrap(both(first), both(second), samples=300, seed=9)
    assert (a.score, b.score) == ("a", "b")
    alone = bootstrap(ratios(first), ratios(second), samples=300, seed=9)
    assert (a.low, a.high, a.p_value) == (alone.low, alone.high, alone.p_value)
    assert b.difference == pytest.approx(-a.difference)


def test_scores_without_counts_are_0():
    nothing = [{"V F1": (0, 0)}] * 3
    difference = bootstrap(nothing, nothing, samples=10)
    assert (difference.first, difference.difference, difference.p_value) == (0, 0, 1)


def test_too_few_or_unequal_sentences():
    for first, second in ((1, 1), (3, 2)):
        with pytest.raises(ValueError, match=f"found {first} and {second} sentences"):
            paired_bootstrap(ratios([1] * first), ratios([1] * second))
