"""Labels groups of inputs and isolates the invalid ones."""

from typing import (
    Any,
    Callable,
    Generic,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Sequence,
    TypeVar,
    Union,
)

from allennlp.common.checks import ConfigurationError
from allennlp.common.util import SigTermReceived

from lisa_allennlp.labelling.errors import InputError, bad_value

Asked = TypeVar("Asked")
Labelled = TypeVar("Labelled")
Result = TypeVar("Result")


GROUP_SIZE = 1000
"""
The number of sentences to read before labelling them in batches of similar length. The larger the
group, the less padding.
"""

_CHARACTERS_PER_SENTENCE = 500


class Item(NamedTuple):
    """
    An input and its place.

    # Parameters

    content : `Any`
        A line, a request or an instance; `None` if there is an error.
    place : `str`
        The place that error messages name.
    position : `int`
        The number of the input, or of its line in a file, from 1.
    error : `str`, optional (default = `""`)
        The reason for missing content.
    size : `int`, optional (default = `1`)
        About the number of sentences.
    """

    content: Any
    place: str
    position: int
    error: str = ""
    size: int = 1


def size_of_text(length: int) -> int:
    """About the number of sentences in a text or a line of JSON with this number of characters."""
    return 1 + length // _CHARACTERS_PER_SENTENCE


def items_to_label(
    inputs: Iterable[Any], on_error: str, size: Callable[[Any], int] = lambda _: 1
) -> Iterator[Item]:
    """
    The inputs of `pipe` and `documents`, with their places.

    # Raises

    `ConfigurationError`
        If there is one input instead of several, or `on_error` is neither `raise` nor `yield`.
    """
    if isinstance(inputs, (str, Mapping)):
        raise bad_value("inputs", inputs, "several inputs, such as a list of strings")
    if on_error not in ("raise", "yield"):
        raise ConfigurationError(f"on_error is {on_error!r}; expected 'raise' or 'yield'")
    return (
        Item(content, f"input {n}", n, size=size(content))
        for n, content in enumerate(inputs, start=1)
    )


def in_groups(items: Iterable[Item], size: int) -> Iterator[List[Item]]:
    """
    The items in lists, each of at least this size in all; the last one may be smaller. Where the
    source of the items fails, those before the failure come first.
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
    except SigTermReceived:
        raise
    except Exception:
        if group:
            yield group
        raise
    if group:
        yield group


class GroupLabeller(Generic[Asked, Labelled, Result]):
    """
    Labels the items of a group together, and reports each invalid item by itself.

    # Parameters

    read : `Callable`
        Checks the content of one item and returns a request.
    label : `Callable`
        Labels a list of requests.
    finish : `Callable`
        Makes the result of one item from its label and its content.
    stops : `bool`
        Whether to stop after the first invalid item.
    """

    def __init__(
        self,
        read: Callable[[Any], Asked],
        label: Callable[[List[Asked]], List[Labelled]],
        finish: Callable[[Labelled, Any], Result],
        stops: bool,
    ) -> None:
        self._read = read
        self._label = label
        self._finish = finish
        self._stops = stops

    def __call__(self, items: Sequence[Item]) -> List[Union[Result, InputError]]:
        """The result or the error of each item, in order."""
        asked: List[Union[Asked, Exception]] = []
        for item in items:
            asked.append(self._read_item(item))
            if self._stops and isinstance(asked[-1], Exception):
                break
        good = [request for request in asked if not isinstance(request, Exception)]
        labelled = iter(each_or_error(self._label, good))
        results: List[Union[Result, InputError]] = []
        for item, request in zip(items, asked, strict=False):
            found = request if isinstance(request, Exception) else next(labelled)
            results.append(self._finish_item(item, found))
            if self._stops and isinstance(results[-1], InputError):
                break
        return results

    def _read_item(self, item: Item) -> Union[Asked, Exception]:
        if item.error:
            return ConfigurationError(item.error)
        return _result_or_error(self._read, item.content)

    def _finish_item(
        self, item: Item, labelled: Union[Labelled, Exception]
    ) -> Union[Result, InputError]:
        result: Union[Result, Exception] = (
            labelled
            if isinstance(labelled, Exception)
            else _result_or_error(self._finish, labelled, item.content)
        )
        return _input_error(item, result) if isinstance(result, Exception) else result


def each_or_error(
    function: Callable[[List[Any]], List[Any]], items: List[Any]
) -> List[Union[Any, Exception]]:
    """
    Calls a function on all items at once. If it fails, halves the list until each item that makes
    it fail is isolated. All other items get their results, and the number of calls stays low.

    >>> each_or_error(lambda numbers: [1 / n for n in numbers], [4, 0, 2])
    [0.25, ZeroDivisionError('division by zero'), 0.5]
    """
    if not items:
        return []
    results = _result_or_error(function, items)
    if not isinstance(results, Exception):
        return results
    if len(items) == 1:
        return [results]
    middle = len(items) // 2
    return each_or_error(function, items[:middle]) + each_or_error(function, items[middle:])


def _result_or_error(function: Callable[..., Any], *arguments: Any) -> Union[Any, Exception]:
    """Calls a function and returns its result or its error, but lets a termination through."""
    try:
        return function(*arguments)
    except SigTermReceived:
        raise
    except Exception as error:
        return error


def _input_error(item: Item, error: Exception) -> InputError:
    if isinstance(error, ConfigurationError):
        reason = error.message
    else:
        reason = f"{type(error).__name__}: {error}"
    input_error = InputError(item.place, reason, item.position)
    input_error.__cause__ = error
    return input_error
