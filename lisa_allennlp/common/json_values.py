"""
Checks values of JSON against the type hints that describe them, such as those of `SentenceRecord`.

    >>> from typing import List
    >>> expected_of(List[int], [1, 2], length=3)
    'a list of integers with one item for each of the 3 tokens'
"""

import json
from functools import lru_cache
from math import isfinite
from numbers import Integral, Real
from typing import (
    Annotated,
    Any,
    Callable,
    Dict,
    Optional,
    Tuple,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from lisa_allennlp.common.errors import ConfigurationError

Checker = Callable[[Any], bool]

fields_of = lru_cache(None)(get_type_hints)


def is_unicode(text: str) -> bool:
    """Whether a text has no lone surrogates, which JSON can escape but UTF-8 cannot encode."""
    try:
        return text.isascii() or bool(text.encode())
    except UnicodeEncodeError:
        return False


def _is_integer(value: Any) -> bool:
    # The first test is the quick one.
    return type(value) is int or isinstance(value, Integral) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    is_number = type(value) is float or _is_integer(value) or isinstance(value, Real)
    return is_number and not isinstance(value, bool) and isfinite(value)


_SCALARS: Dict[Any, Tuple[str, str, Checker]] = {
    bool: ("true or false", "booleans", lambda value: isinstance(value, bool)),
    float: ("a number", "numbers", _is_number),
    int: ("an integer", "integers", _is_integer),
    str: (
        "a string",
        "non-empty strings",
        lambda value: isinstance(value, str) and is_unicode(value),
    ),
}
"""The names of one and of several values of a type, and its check."""


def expected_of(hint: Any, value: Any, length: Optional[int] = None) -> str:
    """
    Returns a description of the type `hint` if a value lacks it, otherwise the empty string. Values
    come from `json.loads`, or have tuples (lists in JSON) and NumPy's numbers. Strings in lists
    must not be empty. With `length`, a list has an item per token.
    """
    if _checker(hint)(value) and (length is None or len(value) == length):
        return ""
    try:
        json.dumps(value, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        return "Unicode text without lone surrogates"
    except Exception:
        # It is nested too deeply, or an object that cannot be shown.
        pass
    number = "" if length is None else f" with one item for each of the {length} tokens"
    return _name(hint) + number


def _name(hint: Any, many: bool = False) -> str:
    hint, origin, arguments = _parts(hint)
    if hint in _SCALARS:
        one, several, _ = _SCALARS[hint]
        return several if many else one
    if origin is list:
        return f"{'lists' if many else 'a list'} of {_name(arguments[0], True)}"
    if origin is Union:
        return f"{_name(arguments[0])} or null"
    if origin is tuple:
        return f"lists of {len(arguments)} {_name(arguments[0], True)}"
    if origin is dict:
        return f"{'objects' if many else 'an object'} with {_name(arguments[1])} for each key"
    if origin is None and issubclass(hint, tuple):
        return f"lists of {' and '.join(fields_of(hint))}"
    return "objects" if many else "an object"


def _parts(hint: Any) -> Tuple[Any, Any, Tuple[Any, ...]]:
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    return hint, get_origin(hint), get_args(hint)


@lru_cache(None)
def _checker(hint: Any) -> Checker:
    hint, origin, arguments = _parts(hint)
    if hint in _SCALARS:
        return _SCALARS[hint][2]
    if origin is list:
        inner, may_be_empty = _checker(arguments[0]), arguments[0] is not str
        return lambda value: (
            isinstance(value, (list, tuple))
            and all(map(inner, value))
            and (may_be_empty or all(value))
        )
    if origin is Union:
        inner = _checker(arguments[0])
        return lambda value: value is None or inner(value)
    if origin is dict:
        inner = _checker(arguments[1])
        return lambda value: isinstance(value, dict) and all(map(inner, value.values()))
    if origin is tuple or issubclass(hint, tuple):
        items = [_checker(item) for item in arguments or fields_of(hint).values()]
        return lambda value: (
            isinstance(value, (list, tuple))
            and len(value) == len(items)
            and all(is_item(item) for is_item, item in zip(items, value, strict=True))
        )
    return lambda value: isinstance(value, dict)


def bad_value(what: str, found: Any, expected: str) -> ConfigurationError:
    return ConfigurationError(f"{what}: found {shown(found)}; expected {expected}")


def shown(value: Any, limit: int = 200) -> str:
    """Returns a value as JSON, shortened to `limit` characters."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=repr)
    except Exception:
        # It may be nested too deeply, and `repr` of the user's own classes may raise any error.
        return f"a {type(value).__name__} that cannot be shown"
    text = printable(text)
    return text if len(text) <= limit else text[: limit - 3] + "..."


def printable(text: str) -> str:
    """Escapes lone surrogates, which cannot be printed."""
    return text.encode("utf-8", "backslashreplace").decode()
