"""
Reads the bodies of requests.

    >>> read_json(b'["It rained.", {"tokens": ["Go"]}]')
    ['It rained.', {'tokens': ['Go']}]
    >>> try:
    ...     read_json(b'{"id": NaN}')
    ... except RequestError as refusal:
    ...     print(refusal.status, refusal.message)
    400 found the number NaN; expected a finite number
"""

import json
import math
from typing import Any, Callable, Iterable, Iterator, List, NamedTuple, NoReturn, Tuple, Union

from allennlp.common.checks import ConfigurationError

from lisa_allennlp.labelling.errors import bad_value, shown
from lisa_allennlp.labelling.requests import (
    DOCUMENT_KEY,
    WORD_KEYS,
    DocumentRequest,
    Request,
    decoded,
    distinct_keys,
)
from lisa_allennlp.service.errors import RequestError

MOST_LEVELS = 100
"""The greatest depth of lists and objects in a body."""

Asked = Union[Request, DocumentRequest]


class Inputs(NamedTuple):
    """
    # Parameters

    asked : `List[Union[Request, DocumentRequest, str]]`
        The inputs; the reason for one that cannot be labelled.
    are_many : `bool`
        Whether the body is a list.
    """

    asked: List[Union[Asked, str]]
    are_many: bool


def read_json(body: bytes) -> Any:
    """
    # Raises

    `RequestError`
        If the body is no JSON in UTF-8, an object has a key twice, a number is not finite, or lists
        and objects are nested deeper than `MOST_LEVELS`.
    """
    try:
        value = json.loads(
            decoded(body),
            object_pairs_hook=distinct_keys,
            parse_constant=_refuse_number,
            parse_float=_finite,
        )
    except ConfigurationError as error:
        raise RequestError(400, error.message) from error
    except json.JSONDecodeError as error:
        found = shown(error.doc[error.pos : error.pos + 40])
        place = f"{error.msg} at character {error.pos + 1}"
        raise RequestError(400, f"found {found}; expected JSON ({place})") from error
    except RecursionError as error:
        raise _too_deep() from error
    except ValueError as error:
        raise RequestError(
            400, "found a number with thousands of digits; expected fewer"
        ) from error
    _check_depth(value)
    return value


def _refuse_number(name: str) -> NoReturn:
    raise RequestError(400, f"found the number {name}; expected a finite number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        _refuse_number(text[:40])
    return number


def _too_deep() -> RequestError:
    return RequestError(
        400, f"found JSON nested deeper than {MOST_LEVELS} levels; expected at most {MOST_LEVELS}"
    )


def _check_depth(value: Any) -> None:
    level = list(_containers([value]))
    for _ in range(MOST_LEVELS):
        if not level:
            return
        level = [inner for outer in level for inner in _containers(_inner(outer))]
    if level:
        raise _too_deep()


def _containers(values: Iterable[Any]) -> Iterator[Union[list, dict]]:
    return (value for value in values if isinstance(value, (list, dict)))


def _inner(value: Union[list, dict]) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value


def read_inputs(body: bytes, read: Callable[[Any], Asked], max_words: int) -> Inputs:
    """
    Reads the body of `/label`.

    # Parameters

    body : `bytes`
    read : `Callable[[Any], Union[Request, DocumentRequest]]`
        Checks and tokenises one input.
    max_words : `int`
        The length of the longest sentence.

    # Raises

    `RequestError`
        If the body is no JSON.
    """
    value = read_json(body)
    are_many = isinstance(value, list)
    contents = value if are_many else [value]
    return Inputs([_read_input(content, read, max_words) for content in contents], are_many)


def _read_input(content: Any, read: Callable[[Any], Asked], max_words: int) -> Union[Asked, str]:
    try:
        if not _is_input(content):
            expected = "raw text, or an object with `sentence`, `tokens` or `text`"
            raise bad_value("the input", content, expected)
        asked = read(content)
        for request in requests_of(asked):
            _check_length(len(request.sentence.words), max_words)
        return asked
    except ConfigurationError as error:
        return error.message


def _is_input(content: Any) -> bool:
    if isinstance(content, dict):
        return any(key in content for key in (*WORD_KEYS, DOCUMENT_KEY))
    return isinstance(content, str)


def requests_of(asked: Asked) -> Tuple[Request, ...]:
    """The sentences of an input."""
    return tuple(asked.requests) if isinstance(asked, DocumentRequest) else (asked,)


def _check_length(length: int, max_words: int) -> None:
    if length > max_words:
        raise ConfigurationError(
            f"found a sentence of {length:,} words; expected at most {max_words:,} "
            "(lisa serve --max-words)"
        )
