import statistics

import pytest
import scipy.stats

from experiments.papers.report import (
    welch_p_value,
)


def test_p_values_of_a_t_distribution():
    """Welch's statistic and its degrees of freedom, written out; and what cannot be tested."""
    first, second = [70.0, 71.0, 72.5], [74.0, 74.2]
    parts = [statistics.variance(x) / len(x) for x in (first, second)]
    statistic = (statistics.mean(first) - statistics.mean(second)) / sum(parts) ** 0.5
    freedom = sum(parts) ** 2 / (parts[0] ** 2 / 2 + parts[1] ** 2 / 1)
    expected = 2 * scipy.stats.t.sf(abs(statistic), freedom)
    assert welch_p_value(first, second) == pytest.approx(expected)
    assert welch_p_value(first, [74.0]) is None
    assert welch_p_value([1.0, 1.0], [2.0, 2.0]) is None
