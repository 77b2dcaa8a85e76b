"""Type hints as checks of JSON, against the same values in Python's own terms."""

from typing import Any, Dict, List, Optional, Tuple

import numpy
import pytest

from lisa_allennlp.common.json_values import expected_of, is_unicode, shown
from lisa_allennlp.sentence.sentence import RankedSupertag

GOOD: List[Tuple[Any, Any]] = [
    (int, numpy.int8(3)),
    (float, 1),
    (Optional[str], None),
    (List[str], ["a", "é"]),
    (List[int], (1, 2)),
    (List[Tuple[int, int]], [[1, 2]]),
    (List[List[RankedSupertag]], [[["N", 0.5]], []]),
    (Dict[str, str], {"a": ""}),
]
BAD: List[Tuple[Any, Any, str]] = [
    (str, 3, "a string"),
    (str, "\ud800", "Unicode text without lone surrogates"),
    (int, True, "an integer"),
    (float, float("nan"), "a number"),
    (bool, 1, "true or false"),
    (Optional[str], 3, "a string or null"),
    (List[str], "ab", "a list of non-empty strings"),
    (List[int], {1}, "a list of integers"),
    (List[List[RankedSupertag]], [[[0.5, "N"]]], "a list of lists of lists of supertag and prob"),
    (Dict[str, str], {"a": 3}, "an object with a string for each key"),
]


def test_values_that_fit() -> None:
    assert {expected_of(hint, value) for hint, value in GOOD} == {""}


@pytest.mark.parametrize("hint, value, expected", BAD)
def test_values_that_do_not(hint: Any, value: Any, expected: str) -> None:
    assert expected_of(hint, value).startswith(expected)


def test_values_that_cannot_be_shown() -> None:
    nested: Any = []
    for _ in range(100_000):
        nested = [nested]
    assert expected_of(str, nested) == "a string"
    assert shown(nested) == "a list that cannot be shown"
    assert shown("a" * 300) == '"' + "a" * 196 + "..." and is_unicode(shown("\ud800"))
