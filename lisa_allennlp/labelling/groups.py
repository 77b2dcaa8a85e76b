"""Labels groups of inputs and isolates those that cannot be labelled."""

import traceback
from copy import copy
from typing import (
    Any,
    Callable,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    NoReturn,
    Optional,
    Sequence,
    Union,
)

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.json_values import bad_value, printable
from lisa_allennlp.common.user_errors import is_termination

_CHARACTERS_PER_SENTENCE = 500


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

    def __reduce__(self):
        trace = None
        if not isinstance(self.__cause__, (ConfigurationError, type(None))):
            trace = "".join(traceback.format_exception(self.__cause__))
        return (_restored, (self.place, self.reason, self.position, trace))


def _restored(place: str, reason: str, position: int, trace: Optional[str]) -> InputError:
    from multiprocessing.pool import RemoteTraceback  # type: ignore[attr-defined]

    error = InputError(place, reason, position)
    error.__cause__ = None if trace is None else RemoteTraceback(trace)
    return error


class ModelError(ConfigurationError):
    """Raised for a model that cannot label any input, or no raw text."""


class Item(NamedTuple):
    """
    An input, or `None` if there is an `error`. Place and position are as for `InputError`. `size`
    estimates the number of sentences; `offset` is a `Source`'s.
    """

    content: Any
    place: str
    position: int
    error: str = ""
    size: int = 1
    offset: int = 0


def size_of_text(length: int) -> int:
    return 1 + length // _CHARACTERS_PER_SENTENCE


def items_to_label(
    inputs: Iterable[Any], on_error: str, size: Callable[[Any], int] = lambda _: 1
) -> Iterator[Item]:
    is_one = isinstance(inputs, (str, bytes, bytearray, Mapping))
    if is_one or not isinstance(inputs, Iterable):
        raise bad_value("inputs", inputs, "several inputs, such as a list of strings")
    if on_error not in ("raise", "yield"):
        raise ConfigurationError(f"on_error is {on_error!r}; expected 'raise' or 'yield'")
    # A source may yield one object again and again, with other content.
    copies = (copy(content) if isinstance(content, (dict, list)) else content for content in inputs)
    return (
        Item(content, f"input {n}", n, size=size(content))
        for n, content in enumerate(copies, start=1)
    )


def in_groups(items: Iterable[Item], size: int) -> Iterator[List[Item]]:
    """
    Yields lists of items whose sizes add up to at least `size`, except the last one's. If `items`
    raises an error, the items before it are yielded first.
    """
    group: List[Item] = []
    gathered = 0
    try:
        for item in items:
            group.append(item)
            gathered += item.size
            if gathered >= size:
                yield group
                group, gathered = [], 0
    except Exception as error:
        if group and not is_termination(error):
            yield group
        raise
    if group:
        yield group


def label_group(
    items: Sequence[Item],
    read: Callable[[Any], Any],
    label: Callable[[List[Any]], List[Any]],
    finish: Callable[[Any, Any], Any],
    check: Callable[[], Any],
    stops: bool,
) -> List[Any]:
    """
    Labels the items of a group together, and reports each item that cannot be labelled by itself,
    whatever the error. Returns the result or the `InputError` of each item, in order.

    # Parameters

    read : `Callable`
        Checks the content of one item and returns a request. A `ModelError` ends the labelling.
    label : `Callable`
        Labels a list of requests.
    finish : `Callable`
        Makes the result of one item from its label and its content.
    check : `Callable`
        Labels something simple, when `label` fails. If that fails too, the reason is no item, and
        `ModelError` is raised.
    stops : `bool`
        Whether to stop after the first item that cannot be labelled.
    """
    asked: List[Any] = []
    for item in items:
        error = ConfigurationError(item.error) if item.error else None
        asked.append(error or _result_or_error(read, item.content))
        if isinstance(asked[-1], ModelError):
            raise asked[-1]
        if stops and isinstance(asked[-1], Exception):
            break
    good = [request for request in asked if not isinstance(request, Exception)]
    labelled = iter(each_or_error(label, good, check))
    results: List[Any] = []
    for item, request in zip(items, asked, strict=False):
        found = request if isinstance(request, Exception) else next(labelled)
        if not isinstance(found, Exception):
            found = _result_or_error(finish, found, item.content)
        if isinstance(found, Exception):
            results.append(InputError(item.place, reason_of(found), item.position))
            results[-1].__cause__ = found
            if stops:
                break
        else:
            results.append(found)
    return results


def each_or_error(
    function: Callable[[List[Any]], List[Any]], items: List[Any], check: Callable[[], Any]
) -> List[Union[Any, Exception]]:
    """
    Calls a function on all items at once. If it fails, halves the list until each failing item is
    isolated, so that others get their results in few calls. If `check` fails as well, as in
    `label_group`, it raises `ModelError`.
    """
    if not items:
        return []
    results = _result_or_error(function, items)
    if not isinstance(results, Exception):
        return results
    _fail_if_broken(check)
    if len(items) == 1:
        return [results]
    middle = len(items) // 2
    first = each_or_error(function, items[:middle], check)
    return first + each_or_error(function, items[middle:], check)


def raise_input_error(error: Exception, check: Optional[Callable[[], Any]]) -> NoReturn:
    """
    Raises an `InputError` for a single input. `check` is `None` if reading failed. If labelling
    failed and `check` fails as well, it raises a `ModelError`.
    """
    if is_termination(error) or isinstance(error, ModelError):
        raise error
    _clear_frames(error)
    if check is not None:
        _fail_if_broken(check)
    raise InputError("", reason_of(error), 1) from error


def _fail_if_broken(check: Callable[[], Any]) -> None:
    broken = _result_or_error(check)
    if isinstance(broken, Exception):
        raise ModelError(f"cannot label any sentence: {reason_of(broken)}") from broken


def _result_or_error(function: Callable[..., Any], *arguments: Any) -> Union[Any, Exception]:
    try:
        return function(*arguments)
    except Exception as error:
        if is_termination(error):
            raise
        _clear_frames(error)
        return error


def _clear_frames(error: Exception) -> None:
    """Frees the variables of failed calls, whose memory the next item may need."""
    failed: Optional[BaseException] = error
    while failed is not None:
        traceback.clear_frames(failed.__traceback__)
        failed = failed.__cause__ or failed.__context__


def reason_of(error: Exception) -> str:
    """Returns the message in a line, with its type if it is no `ConfigurationError`."""
    if isinstance(error, ConfigurationError):
        return error.message
    return one_line(f"{type(error).__name__}: {error}").removesuffix(":")


def one_line(message: str) -> str:
    return " ".join(printable(message).split())
