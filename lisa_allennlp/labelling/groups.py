"""Labels groups of inputs and isolates those that cannot be labelled."""

import sys
import traceback
from contextlib import closing
from copy import copy
from typing import (
    Any,
    Callable,
    Generator,
    Generic,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    TypeVar,
    Union,
)

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.labelling.errors import InputError, ModelError, bad_value, one_line

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
    except Exception as error:
        if group and not _is_termination(error):
            yield group
        raise
    if group:
        yield group


def nothing() -> None:
    """The `check` of a `GroupLabeller` that needs none."""


class GroupLabeller(Generic[Asked, Labelled, Result]):
    """
    Labels the items of a group together, and reports each item that cannot be labelled by itself,
    whatever the error.

    # Parameters

    read : `Callable`
        Checks the content of one item and returns a request.
    label : `Callable`
        Labels a list of requests.
    finish : `Callable`
        Makes the result of one item from its label and its content.
    stops : `bool`
        Whether to stop after the first such item.
    check : `Callable`, optional
        Labels something simple. It is called when `label` fails. If it fails too, the reason is no
        item.

    # Raises

    `ModelError`
        When called, if `check` fails.
    """

    def __init__(
        self,
        read: Callable[[Any], Asked],
        label: Callable[[List[Asked]], List[Labelled]],
        finish: Callable[[Labelled, Any], Result],
        stops: bool,
        check: Callable[[], Any] = nothing,
    ) -> None:
        self._read = read
        self._label = label
        self._finish = finish
        self._stops = stops
        self._check = check

    def __call__(self, items: Sequence[Item]) -> List[Union[Result, InputError]]:
        """The result or the error of each item, in order."""
        asked: List[Union[Asked, Exception]] = []
        for item in items:
            asked.append(self._read_item(item))
            if self._stops and isinstance(asked[-1], Exception):
                break
        good = [request for request in asked if not isinstance(request, Exception)]
        labelled = iter(each_or_error(self._label, good, self._check))
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


def one_by_one(
    groups: Generator[List[Union[Result, InputError]], None, None], stops: bool
) -> Generator[Union[Result, InputError], None, None]:
    """The results of all groups; with `stops`, raises the first `InputError`."""
    # Closing the generator early ends its processes.
    with closing(groups):
        for group in groups:
            for result in group:
                if stops and isinstance(result, InputError):
                    raise result
                yield result


def label_one(
    read: Callable[[Any], Asked],
    label: Callable[[List[Asked]], List[Labelled]],
    content: Any,
    check: Callable[[], Any] = nothing,
) -> Labelled:
    """
    Labels one input with the functions of a `GroupLabeller`.

    # Raises

    `InputError`
        If it cannot be labelled. Its cause is the original error.
    """

    def finish(labelled: Labelled, _: Any) -> Labelled:
        return labelled

    labeller: GroupLabeller = GroupLabeller(read, label, finish, stops=True, check=check)
    (result,) = labeller([Item(content, "", 1)])
    if isinstance(result, InputError):
        raise result
    return result


def each_or_error(
    function: Callable[[List[Any]], List[Any]],
    items: List[Any],
    check: Callable[[], Any] = nothing,
) -> List[Union[Any, Exception]]:
    """
    Calls a function on all items at once. If it fails, halves the list until each item that makes
    it fail is isolated. All other items get their results, and the number of calls stays low.

    >>> each_or_error(lambda numbers: [1 / n for n in numbers], [4, 0, 2])
    [0.25, ZeroDivisionError('division by zero'), 0.5]

    # Parameters

    check : `Callable`, optional
        As for `GroupLabeller`.

    # Raises

    `ModelError`
        If the function and `check` fail.
    """
    if not items:
        return []
    results = _result_or_error(function, items)
    if not isinstance(results, Exception):
        return results
    broken = _result_or_error(check)
    if isinstance(broken, Exception):
        raise ModelError(f"cannot label any sentence: {_reason(broken)}") from broken
    if len(items) == 1:
        return [results]
    middle = len(items) // 2
    first = each_or_error(function, items[:middle], check)
    return first + each_or_error(function, items[middle:], check)


def _result_or_error(function: Callable[..., Any], *arguments: Any) -> Union[Any, Exception]:
    """
    Calls a function and returns its result or its error, but lets a termination through.
    """
    try:
        return function(*arguments)
    except Exception as error:
        if _is_termination(error):
            raise
        _release_memory(error)
        return error


def _is_termination(error: Exception) -> bool:
    """Whether this is the error of AllenNLP's handler of SIGTERM."""
    allennlp = sys.modules.get("allennlp.common.util")
    return allennlp is not None and isinstance(error, allennlp.SigTermReceived)


def _release_memory(error: Optional[BaseException]) -> None:
    """
    Forgets the variables of the calls that failed, as they may fill the memory that the next item
    needs.
    """
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__cause__ or error.__context__


def _input_error(item: Item, error: Exception) -> InputError:
    input_error = InputError(item.place, _reason(error), item.position)
    input_error.__cause__ = error
    return input_error


def _reason(error: Exception) -> str:
    if isinstance(error, ConfigurationError):
        return error.message
    return one_line(f"{type(error).__name__}: {error}").removesuffix(":")
