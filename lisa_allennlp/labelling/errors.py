"""Inputs that cannot be labelled."""

import json
from typing import Any

from allennlp.common.checks import ConfigurationError


class InputError(ConfigurationError):
    """
    An input that cannot be labelled. Its message is `place: reason`.

    # Parameters

    place : `str`
        Where the input stands: `input 7`, or a file and a line.
    reason : `str`
        What was found and what was expected.
    position : `int`, optional (default = `0`)
        The number of the input, from 1; in a file, of its line.
    """

    def __init__(self, place: str, reason: str, position: int = 0) -> None:
        super().__init__(f"{place}: {reason}" if place else reason)
        self.place = place
        self.reason = reason
        self.position = position

    def __reduce__(self):
        return (type(self), (self.place, self.reason, self.position))


def bad_value(what: str, found: Any, expected: str) -> ConfigurationError:
    """The error for a part of an input, with the value that was found."""
    return ConfigurationError(f"{what}: found {shown(found)}; expected {expected}")


def shown(value: Any, limit: int = 200) -> str:
    """A value as JSON, cut off where it is long."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=repr)
    except (RecursionError, ValueError, TypeError):
        return f"a {type(value).__name__} that cannot be shown"
    # Halves of surrogate pairs cannot be printed.
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= limit else text[: limit - 3] + "..."
