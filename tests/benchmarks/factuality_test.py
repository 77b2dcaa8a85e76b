"""Figures of what happened, against a plain count."""

from pathlib import Path

import numpy
import pytest

from benchmarks.factuality import TEMPERATURES, figures, read_answers

TABLE = """\
sent_id\ttoken\tform\tfactuality\tannotators\thappened\tconfidence
a-1\t3\tsold\t1.2\t2\t1,1\t4,4
a-1\t5\t"go\t0.1\t2\t0,1\t4,2
a-2\t1\tGo\t-1.1\t1\t0\t3
"""


def test_answers_of_two_people_who_agree(tmp_path: Path) -> None:
    (tmp_path / "dev.tsv").write_text(TABLE, encoding="utf-8")
    expected = {("a-1", 2): (1.0, 1.2, True), ("a-1", 4): (0.5, 0.1, False)}
    assert read_answers(tmp_path / "dev.tsv") == {**expected, ("a-2", 0): (0.0, -1.1, False)}


def test_figures() -> None:
    # Of 100 verbs with the probability 0.9, 60 have happened; of as many with 0.3, 20.
    shares = numpy.repeat([1, 0, 1, 0], [60, 40, 20, 80])
    expected = numpy.repeat([0.9, 0.3], 100)
    is_agreed, negated = numpy.ones(200), numpy.repeat([0, 1, 0], [100, 50, 50])
    verbs = numpy.array([expected, shares, 2 * shares - 1, is_agreed, negated]).T
    found = figures(verbs[numpy.random.default_rng(0).permutation(200)], 250)
    assert (found["with an event"], found["agreement"]) == (80, 70)
    assert (found["others"], found["negated"]) == (pytest.approx(110 / 1.5), 60)
    assert found["r"] == pytest.approx(numpy.corrcoef(expected, shares)[0, 1])
    others = negated == 0
    assert found["r of others"] == pytest.approx(
        numpy.corrcoef(expected[others], shares[others])[0, 1]
    )
    assert 20 <= found["calibration error"] < 30
    assert found["temperature"] in TEMPERATURES and found["temperature"] > 1
