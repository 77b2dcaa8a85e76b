"""Line breaks, against all possible ones."""

from itertools import combinations
from typing import Dict, List, Tuple

from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.visualisation.columns import Needs
from lisa_allennlp.visualisation.lines import break_lines, crossings

SIZES = st.integers(1, 60)
ENDS = st.tuples(st.integers(0, 6), st.integers(0, 6)).map(lambda ends: (min(ends), max(ends)))


def lines(firsts: List[int], length: int) -> List[Tuple[int, int]]:
    return list(zip(firsts, [*firsts[1:], length], strict=True))


@given(
    st.lists(SIZES, min_size=1, max_size=7),
    st.dictionaries(st.integers(1, 6), SIZES),
    st.dictionaries(ENDS, SIZES, max_size=4),
    st.integers(1, 300),
)
def test_lines_fit_and_are_as_few_as_possible(
    widths: List[int], distances: Dict[int, int], ends: Dict[Tuple[int, int], int], width: int
) -> None:
    length = len(widths)
    spans = {(first, last): least for (first, last), least in ends.items() if last < length}
    needs = Needs(widths, 5, distances, spans)

    def fits(first: int, end: int) -> bool:
        return end == first + 1 or needs.columns(first, end)[-1][1] <= width

    found = break_lines(needs, width)
    assert all(fits(*line) for line in lines(found, length))
    fewest = next(
        number
        for number in range(length)
        for breaks in combinations(range(1, length), number)
        if all(fits(*line) for line in lines([0, *breaks], length))
    )
    assert len(found) == fewest + 1


@given(
    st.lists(SIZES, min_size=1, max_size=7),
    st.dictionaries(ENDS, SIZES, max_size=4),
    st.integers(0, 6),
    st.integers(1, 7),
)
def test_a_part_of_a_span_has_as_much_room_as_the_whole(
    widths: List[int], spans: Dict[Tuple[int, int], int], first: int, length: int
) -> None:
    columns = Needs(widths, 5, {}, spans).columns(first, min(first + length, len(widths)))
    for (start, last), least in spans.items():
        covered = columns[max(start - first, 0) : max(last + 1 - first, 0)]
        if covered:
            assert covered[-1][1] - covered[0][0] >= least


@given(st.integers(1, 40), st.integers(1, 40))
def test_lines_of_equal_words_are_even(length: int, per_line: int) -> None:
    firsts = break_lines(Needs([10] * length, 5), 15 * per_line)
    sizes = [end - first for first, end in lines(firsts, length)]
    assert len(sizes) == -(-length // per_line)
    assert max(sizes) - min(sizes) <= 1


@given(st.integers(2, 12), st.data())
def test_a_break_is_where_it_costs_least(length: int, data: st.DataObject) -> None:
    break_ = data.draw(st.integers(1, length - 1))
    costs = [0.0 if token == break_ else 1000.0 for token in range(length)]
    # All words but one have room in a line.
    assert break_lines(Needs([10] * length, 5), 15 * length - 6, costs) == [0, break_]


@given(st.lists(ENDS, max_size=6))
def test_breaks_within_arcs_cost_more(ends: List[Tuple[int, int]]) -> None:
    costs = crossings(ends, 7)
    for token, cost in enumerate(costs):
        broken = [last - first for first, last in ends if first < token <= last]
        assert abs(cost - sum(1 + 2 / distance for distance in broken)) < 1e-9
