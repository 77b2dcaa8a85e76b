"""Errors of inputs that cannot be labelled."""

import json
from typing import Any

from allennlp.common.checks import ConfigurationError


class InputError(ConfigurationError):
    """
    Raised for an input that cannot be labelled. The message is `place: reason`.

    >>> print(InputError("corpus.jsonl:7", "found 3; expected a string", position=7).message)
    corpus.jsonl:7: found 3; expected a string

    # Parameters

    place : `str`
        The place of the input, such as `input 7`, or a file and a line number.
    reason : `str`
        The value found and the value expected.
    position : `int`, optional (default = `0`)
        The number of the input, or of its line in a file, from 1.
    """

    def __init__(self, place: str, reason: str, position: int = 0) -> None:
        super().__init__(f"{place}: {reason}" if place else reason)
        self.place = place
        self.reason = reason
        self.position = position

    def __repr__(self) -> str:
        return f"InputError({self.message!r})"

    def __reduce__(self):
        return (type(self), (self.place, self.reason, self.position))


def bad_value(what: str, found: Any, expected: str) -> ConfigurationError:
    """
    The error for a part of an input that has the wrong value.

    >>> print(bad_value("`pos`", 3, "a list of non-empty strings").message)
    `pos`: found 3; expected a list of non-empty strings
    """
    return ConfigurationError(f"{what}: found {shown(found)}; expected {expected}")


def shown(value: Any, limit: int = 200) -> str:
    """A value as JSON, shortened to `limit` characters."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=repr)
    except (RecursionError, ValueError, TypeError):
        return f"a {type(value).__name__} that cannot be shown"
    # Lone surrogates cannot be printed.
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= limit else text[: limit - 3] + "..."
