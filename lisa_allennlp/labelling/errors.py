"""Errors of inputs that cannot be labelled."""

import traceback
from multiprocessing.pool import RemoteTraceback  # type: ignore[attr-defined]
from typing import Optional

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.json_values import printable


class InputError(ConfigurationError):
    """
    Raised for an input that cannot be labelled. The message is `place: reason`. The place is such
    as `input 7`, or a file and a line; `position` is that number, from 1.

    >>> print(InputError("corpus.jsonl:7", "found 3; expected a string", position=7).message)
    corpus.jsonl:7: found 3; expected a string
    """

    def __init__(self, place: str, reason: str, position: int = 0) -> None:
        super().__init__(f"{place}: {reason}" if place else reason)
        self.place = place
        self.reason = reason
        self.position = position

    def __repr__(self) -> str:
        return f"InputError({self.message!r})"

    def __reduce__(self):
        trace = None
        if self.__cause__ is not None:
            trace = "".join(traceback.format_exception(self.__cause__))
        return (_restored, (self.place, self.reason, self.position, trace))


def _restored(place: str, reason: str, position: int, trace: Optional[str]) -> InputError:
    """Returns the error of another process, with the traceback of its cause as text."""
    error = InputError(place, reason, position)
    error.__cause__ = None if trace is None else RemoteTraceback(trace)
    return error


class ModelError(ConfigurationError):
    """Raised for a model that cannot label any input."""


def one_line(message: str) -> str:
    """Returns a message that can be printed in one line."""
    return " ".join(printable(message).split())
