"""Rolesets and their parts."""

import pytest
from hypothesis import given

from lisa_allennlp.data.formats.rolesets import join_roleset, split_roleset
from tests.data.sentences import known_values, values


@given(known_values, values)
def test_parts_are_kept(lemma: str, number: str) -> None:
    assert split_roleset(lemma, join_roleset(lemma, number)) == (lemma, number)


@pytest.mark.parametrize(
    "lemma, sense, expected",
    [
        ("U.S.", "U.S..01", ("U.S.", "01")),
        ("-", "01", ("-", "01")),
        ("-", "-", ("-", "-")),
        # Not written by this package: the lemma of the token, and none at all.
        ("better", "good.02", ("good", "02")),
        ("-", "good.02", ("good", "02")),
        ("run", "01", ("run", "01")),
    ],
)
def test_split(lemma: str, sense: str, expected: tuple) -> None:
    assert split_roleset(lemma, sense) == expected
