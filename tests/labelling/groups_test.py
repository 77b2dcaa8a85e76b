from typing import Any, Dict, Iterator, List

import pytest
from allennlp.common.util import SigTermReceived
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.labelling.groups import (
    InputError,
    Item,
    each_or_error,
    items_to_label,
    label_group,
)


def double(numbers: List[Any]) -> List[Any]:
    return [2 * number if number >= 0 else number.nothing for number in numbers]


def read(content: Any) -> int:
    if not isinstance(content, int):
        raise ConfigurationError(f"found {content!r}; expected a number")
    return content


def write(number: int, content: Any) -> Any:
    if number == 4:
        raise ValueError("found 4; expected another number")
    return number, content


REASONS: Dict[Any, str] = {
    "x": "found 'x'",
    -1: "AttributeError: 'int' object has no",
    2: "ValueError: found 4; expected another number",
    None: "found nothing",
}
"""For contents that cannot be read, labelled, written or had, the reason."""


@given(st.lists(st.sampled_from([0, 1, 3, *REASONS]), max_size=12))
def test_each_item_has_its_result_or_its_error(contents: List[Any]) -> None:
    items = [
        Item(content, f"file:{n}", n, "found nothing" if content is None else "")
        for n, content in enumerate(contents, start=1)
    ]
    results = label_group(items, read, double, write, list, stops=False)
    assert len(results) == len(contents)
    for number, (content, result) in enumerate(zip(contents, results, strict=True), start=1):
        if content not in REASONS:
            assert result == (2 * content, content)
            continue
        assert isinstance(result, InputError) and result.__cause__ is not None
        assert (result.place, result.position) == (f"file:{number}", number)
        assert result.reason.startswith(REASONS[content])
        assert result.message == f"file:{number}: {result.reason}"

    bad = [n for n, result in enumerate(results) if isinstance(result, InputError)]
    until = len(contents) if not bad else bad[0] + 1
    assert list(map(repr, label_group(items, read, double, write, list, stops=True))) == list(
        map(repr, results[:until])
    )


def test_the_others_are_labelled_in_few_calls() -> None:
    sizes: List[int] = []

    def count(numbers: List[Any]) -> List[Any]:
        result = double(numbers)
        sizes.append(len(numbers))
        return result

    results = each_or_error(count, [*range(700), -1, *range(323)], check=list)
    assert sum(isinstance(result, Exception) for result in results) == 1
    assert sum(sizes) == 1023 and len(sizes) == 10


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
        each_or_error(terminated, [1, 2], check=list)
