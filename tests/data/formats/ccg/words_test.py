import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.data.formats.ccg.words import (
    CAPITALIZATIONS,
    capitalization,
    map_digits,
    normalize_word,
)


def test_digits_become_nine():
    assert map_digits("1987-88") == "9999-99"
    assert normalize_word("B2B") == "b9b"


@pytest.mark.parametrize(
    "word, expected",
    [
        ("cat", "lower"),
        ("The", "initial"),
        ("I", "initial"),
        ("I'm", "initial"),
        ("IBM", "upper"),
        ("U.S.", "upper"),
        ("iPod", "mixed"),
        ("McNally", "mixed"),
        ("1987", "none"),
        (",", "none"),
        ("", "none"),
        ("日本", "none"),
        ("Élan", "initial"),
        ("4th", "lower"),
    ],
)
def test_capitalization(word, expected):
    assert capitalization(word) == expected


@pytest.mark.medium
@given(st.text())
def test_every_text_has_a_capitalization_and_a_form(word):
    assert capitalization(word) in CAPITALIZATIONS
    assert not set("012345678") & set(normalize_word(word))
