"""Columns of words."""

from typing import Dict, List, Tuple

from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.visualisation.columns import place

SIZES = st.integers(0, 60)


@given(
    st.lists(SIZES, max_size=8),
    st.dictionaries(st.integers(1, 7), SIZES),
    st.dictionaries(st.tuples(st.integers(0, 7), st.integers(0, 7)).map(sorted).map(tuple), SIZES),
)
def test_all_needs_are_met(
    widths: List[int], distances: Dict[int, int], spans: Dict[Tuple[int, int], int]
) -> None:
    columns = place(widths, 5, distances, spans)
    assert len(columns) == len(widths)
    for number, ((left, right), width) in enumerate(zip(columns, widths, strict=True)):
        assert right - left >= width
        if number:
            before = columns[number - 1]
            assert left >= before[1] + 5
            assert (left + right) / 2 - sum(before) / 2 >= distances.get(number, 0) - 1e-9
    for (first, last), least in spans.items():
        if last < len(columns):
            assert columns[last][1] - columns[first][0] >= least - 1e-9


@given(st.lists(SIZES, max_size=8))
def test_nothing_is_wider_than_needed(widths: List[int]) -> None:
    columns = place(widths, 5)
    assert [right - left for left, right in columns] == widths
    assert all(
        after[0] - before[1] == 5 for before, after in zip(columns, columns[1:], strict=False)
    )
