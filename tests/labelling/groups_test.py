"""One bad input costs itself alone."""

import pickle
from typing import Any, Dict, Iterator, List

import pytest
from allennlp.common.util import SigTermReceived
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.labelling.errors import InputError
from lisa_allennlp.labelling.groups import GroupLabeller, Item, each_or_error, items_to_label


def double(numbers: List[Any]) -> List[Any]:
    return [2 * number if number >= 0 else number.nothing for number in numbers]


def read(content: Any) -> int:
    if not isinstance(content, int):
        raise ConfigurationError(f"found {content!r}; expected a number")
    return content


def items(contents: List[Any]) -> List[Item]:
    return [Item(content, f"input {n}", n) for n, content in enumerate(contents, start=1)]


@given(st.lists(st.one_of(st.integers(-2, 9), st.just("x")), max_size=12))
def test_each_item_has_its_result_or_its_error(contents: List[Any]) -> None:
    label = GroupLabeller(read, double, lambda result, content: (result, content), stops=False)
    results = label(items(contents))
    assert len(results) == len(contents)
    for number, (content, result) in enumerate(zip(contents, results, strict=True), start=1):
        if isinstance(content, int) and content >= 0:
            assert result == (2 * content, content)
            continue
        assert isinstance(result, InputError)
        assert (result.place, result.position) == (f"input {number}", number)
        expected = "found 'x'" if content == "x" else "AttributeError: 'int' object has no"
        assert result.reason.startswith(expected)
        assert str(result.message) == f"input {number}: {result.reason}"

    stopping = GroupLabeller(read, double, lambda result, content: (result, content), stops=True)
    bad = [n for n, result in enumerate(results) if isinstance(result, InputError)]
    until = len(contents) if not bad else bad[0] + 1
    assert list(map(repr, stopping(items(contents)))) == list(map(repr, results[:until]))


@pytest.mark.parametrize("stops", [True, False])
def test_a_result_that_cannot_be_written_costs_itself_alone(stops: bool) -> None:
    def write(number: int, _: Any) -> str:
        if number == 4:
            raise ValueError("found 4; expected another number")
        return str(number)

    found = GroupLabeller(read, double, write, stops)(items([1, 2, 3]))
    reason = "ValueError: found 4; expected another number"
    assert (found[0], found[1].place, found[1].reason) == ("2", "input 2", reason)
    assert found[2:] == ([] if stops else ["6"])


def test_the_others_are_labelled_in_few_calls() -> None:
    sizes: List[int] = []

    def count(numbers: List[Any]) -> List[Any]:
        result = double(numbers)
        sizes.append(len(numbers))
        return result

    results = each_or_error(count, [*range(700), -1, *range(323)])
    assert sum(isinstance(result, Exception) for result in results) == 1
    assert sum(sizes) == 1023 and len(sizes) == 10


def test_an_item_that_could_not_be_had_keeps_its_error() -> None:
    label = GroupLabeller(read, double, lambda result, _: result, stops=False)
    (result,) = label([Item(None, "file:3", 3, "found nothing; expected a word")])
    assert isinstance(result, InputError) and "file:3: found nothing" in result.message


def test_an_object_that_is_given_again_and_again_is_read_each_time() -> None:
    def numbers() -> Iterator[Dict[str, int]]:
        given: Dict[str, int] = {}
        for number in range(3):
            given["id"] = number
            yield given

    items = list(items_to_label(numbers(), "raise"))
    assert [item.content["id"] for item in items] == [0, 1, 2]


def test_termination_is_not_an_items_error() -> None:
    def terminated(_: List[Any]) -> List[Any]:
        raise SigTermReceived

    with pytest.raises(SigTermReceived):
        each_or_error(terminated, [1, 2])


def test_errors_survive_pickling() -> None:
    error = pickle.loads(pickle.dumps(InputError("file:3", "found x", 3)))
    assert (error.place, error.reason, error.position) == ("file:3", "found x", 3)
