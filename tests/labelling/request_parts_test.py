"""The parts of a request in every form that Python users have, and what JSON can hold."""

import json
from typing import Any

import numpy
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.labelling.request_parts import (
    MOST_LEVELS,
    plain_extra,
    read_heads,
    read_integers,
    read_predicates,
    read_strings,
    read_text,
)

TEXTS = st.text(st.characters(), max_size=4)
JSON_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXTS),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(TEXTS, values, max_size=3),
    max_leaves=6,
)


def has_a_place_in_json(value: Any) -> bool:
    """By Python's own functions: strict JSON in UTF-8."""
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        return False
    return True


@given(st.dictionaries(TEXTS, JSON_VALUES, max_size=3))
def test_copied_keys_read_back_equal_or_are_refused(given: Any) -> None:
    if has_a_place_in_json(given):
        written = json.dumps(plain_extra(given), ensure_ascii=False)
        assert json.loads(written.encode()) == given
    else:
        with pytest.raises(ConfigurationError) as raised:
            plain_extra(given)
        raised.value.message.encode()


def nested(levels: int) -> Any:
    value: Any = 0
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


def test_nesting() -> None:
    deepest = {"id": nested(MOST_LEVELS)}
    assert plain_extra(deepest) == deepest
    itself: Any = []
    itself.append(itself)
    empty: Any = []
    for _ in range(MOST_LEVELS):
        empty = [empty]
    assert plain_extra({"id": empty[0]}) == {"id": empty[0]}
    for value in (nested(MOST_LEVELS + 1), nested(100_000), itself, empty):
        with pytest.raises(ConfigurationError, match="`id`: .*; expected at most 100 levels"):
            plain_extra({"id": value})


class NotShown:
    def __repr__(self) -> str:
        raise OSError("no repr")


def test_other_copied_values() -> None:
    given = {"a": numpy.int64(3), "b": numpy.float32(0.5), "c": numpy.arange(2), "d": NotShown}
    assert plain_extra(given) == {"a": 3, "b": 0.5, "c": [0, 1], "d": NotShown}
    with pytest.raises(ConfigurationError, match="the input's keys: found 3; expected strings"):
        plain_extra({3: 4})


@pytest.mark.parametrize(
    "value",
    [["She", "left"], ("She", "left"), numpy.array(["She", "left"]), [numpy.str_("She"), "left"]],
)
def test_strings(value: Any) -> None:
    found = read_strings("tokens", value, 2)
    assert found == ["She", "left"] and {type(word) for word in found} == {str}
    assert type(read_text("sentence", numpy.str_("She"))) is str


@pytest.mark.parametrize(
    "value",
    [
        [2, 0, 2],
        (2, 0, 2),
        numpy.array([2, 0, 2]),
        torch.tensor([2, 0, 2]),
        list(numpy.int8([2, 0, 2])),
    ],
)
def test_integers(value: Any) -> None:
    assert read_heads(value, ["a", "b", "c"]) == [1, 1, 1]
    assert read_predicates(value, 3) == [1, 0, 1]
    assert {type(number) for number in read_integers("predicates", value)} == {int}


def one() -> Any:
    yield 1


@pytest.mark.parametrize(
    "value",
    [{1}, b"a", bytearray(b"a"), one(), None, 1, "1", {"a": 1}, numpy.array(1), torch.tensor(1)]
    + [numpy.array([[1]]), numpy.array([1.0]), [1.0], [True], [numpy.True_], [[1]], [NotShown()]],
)
def test_anything_else_is_refused(value: Any) -> None:
    with pytest.raises(ConfigurationError, match="`predicates`: found .*; expected a list of int"):
        read_predicates(value, 3)
    with pytest.raises(ConfigurationError, match="`tokens`: found .*; expected a list of non-emp"):
        read_strings("tokens", value)


def test_cycles() -> None:
    words = ["She", "has", "left", "."]
    with pytest.raises(ConfigurationError) as raised:
        read_heads([0, 3, 2, 1], words)
    assert raised.value.message == (
        "`head_indices`: found [0, 3, 2, 1]; expected a tree without the cycle 2 (has) <- 3 (left) "
        '<- 2 (has), or "allow_cycles": true'
    )
    assert read_heads([0, 3, 2, 1], words, allow_cycles=True) == [0, 2, 1, 0]
    assert read_heads([2, 3, 4, 1], words, allow_cycles=True) == [1, 2, 3, 0]
    assert read_heads([0, 0, 0, 0], words) == [0, 1, 2, 3]
