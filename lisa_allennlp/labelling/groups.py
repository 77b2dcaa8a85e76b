"""Groups of inputs of which some may be bad."""

from typing import (
    Any,
    Callable,
    Generic,
    Iterable,
    Iterator,
    List,
    NamedTuple,
    Sequence,
    TypeVar,
    Union,
)

from allennlp.common.checks import ConfigurationError
from allennlp.common.util import SigTermReceived

from lisa_allennlp.labelling.errors import InputError

Asked = TypeVar("Asked")
Labelled = TypeVar("Labelled")
Result = TypeVar("Result")


class Item(NamedTuple):
    """
    # Parameters

    content : `Any`
        An input: a line, a request, an instance; `None` with an error.
    place : `str`
        Where it stands, for errors.
    position : `int`
        Its number, from 1; in a file, of its line.
    error : `str`, optional (default = `""`)
        Why there is no content.
    """

    content: Any
    place: str
    position: int
    error: str = ""


def in_groups(items: Iterable[Item], size: int) -> Iterator[List[Item]]:
    """
    The items in lists of one size; the last one may be shorter. Where the source of the items
    fails, those before the failure come first.
    """
    group: List[Item] = []
    try:
        for item in items:
            group.append(item)
            if len(group) == size:
                yield group
                group = []
    except Exception:
        if group:
            yield group
        raise
    if group:
        yield group


class GroupLabeller(Generic[Asked, Labelled, Result]):
    """
    Labels the items of a group together, and singles out those that cannot be labelled.

    # Parameters

    read : `Callable`
        Checks the content of one item.
    label : `Callable`
        Labels all that was read.
    finish : `Callable`
        Makes the result of one item from what was labelled and its content.
    stops : `bool`
        Whether the first bad item is the last result.
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
        """The result of each item in their order, or the error that it alone causes."""
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
            results.append(
                _input_error(item, found)
                if isinstance(found, Exception)
                else self._finish(found, item.content)
            )
            if self._stops and isinstance(found, Exception):
                break
        return results

    def _read_item(self, item: Item) -> Union[Asked, Exception]:
        if item.error:
            return ConfigurationError(item.error)
        try:
            return self._read(item.content)
        except SigTermReceived:
            raise
        except Exception as error:
            return error


def each_or_error(
    function: Callable[[List[Any]], List[Any]], items: List[Any]
) -> List[Union[Any, Exception]]:
    """
    What a function makes of items together. Where that fails, the items that make it fail are
    looked for by halves, so that all others keep their results and are still computed in few calls.

    >>> each_or_error(lambda numbers: [1 / n for n in numbers], [4, 0, 2])
    [0.25, ZeroDivisionError('division by zero'), 0.5]
    """
    if not items:
        return []
    try:
        return function(items)
    except SigTermReceived:
        raise
    except Exception as error:
        if len(items) == 1:
            return [error]
    middle = len(items) // 2
    return each_or_error(function, items[:middle]) + each_or_error(function, items[middle:])


def _input_error(item: Item, error: Exception) -> InputError:
    if isinstance(error, ConfigurationError):
        reason = error.message
    else:
        reason = f"{type(error).__name__}: {error}"
    input_error = InputError(item.place, reason, item.position)
    input_error.__cause__ = error
    return input_error
