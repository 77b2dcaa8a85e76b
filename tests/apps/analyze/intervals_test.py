import numpy
import pytest

from lisa_allennlp.apps.analyze.intervals import Bootstrap


def test_the_interval_of_a_mean_is_that_of_the_normal_distribution():
    values = numpy.random.default_rng(1).normal(50, 10, size=(400, 1))
    [mean] = Bootstrap(400).means(values, numpy.ones((400, 1), dtype=bool))
    error = values.std() / 20
    assert mean.sentences == 400
    assert mean.mean == pytest.approx(values.mean())
    assert mean.low == pytest.approx(values.mean() - 1.96 * error, abs=0.2 * error)
    assert mean.high == pytest.approx(values.mean() + 1.96 * error, abs=0.2 * error)


def test_the_interval_of_f1_against_single_samples():
    """The same percentiles as a loop that draws one sentence after the other."""
    random = numpy.random.default_rng(2)
    counts = random.integers(0, 5, size=(60, 1, 3))
    [score] = Bootstrap(60).scores(counts)
    drawn = []
    for _ in range(2000):
        correct, excess, missed = sum(counts[random.integers(60), 0] for _ in range(60))
        drawn.append(200 * correct / (2 * correct + excess + missed))
    assert [score.f1_low, score.f1_high] == pytest.approx(
        numpy.percentile(drawn, [2.5, 97.5]), abs=0.7
    )
    assert (score.correct, score.excess, score.missed) == tuple(counts.sum((0, 1)))
    assert [score] == Bootstrap(60).scores(counts) != Bootstrap(60, seed=1).scores(counts)


def test_groups_without_items_and_perfect_ones():
    counts = numpy.array([[[0, 0, 0], [2, 0, 0]], [[0, 0, 0], [1, 0, 0]]])
    empty, perfect = Bootstrap(2).scores(counts)
    assert (empty.f1, empty.f1_low, empty.f1_high, empty.num_gold) == (0, 0, 0, 0)
    assert (perfect.f1, perfect.f1_high, perfect.num_gold) == (100, 100, 3)
    [mean] = Bootstrap(2).means(numpy.ones((2, 1)), numpy.zeros((2, 1), dtype=bool))
    assert (mean.sentences, mean.mean) == (0, 0)


def test_shares():
    first, second = Bootstrap(2).shares(numpy.array([[3, 1], [0, 0]]))
    assert (first.number, first.percent, first.high) == (3, 75, 75)
    assert (second.number, second.percent) == (1, 25)
