"""Cycles, against the definition: nodes from which following heads never reaches a root."""

from typing import List

from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.common.graphs import find_cycle, shown_cycle

HEADS = st.integers(1, 7).flatmap(lambda n: st.lists(st.integers(0, n - 1), min_size=n, max_size=n))


def reaches_a_root(heads: List[int], node: int) -> bool:
    for _ in heads:
        node = heads[node]
    return heads[node] == node


@given(HEADS)
def test_a_cycle_is_found_if_there_is_one(heads: List[int]) -> None:
    cycle = find_cycle(heads)
    if cycle is None:
        assert all(reaches_a_root(heads, node) for node in range(len(heads)))
        return
    assert len(set(cycle)) == len(cycle) > 1
    assert [heads[node] for node in cycle] == [*cycle[1:], cycle[0]]


def test_long_cycles_and_words_are_shortened() -> None:
    shown = shown_cycle(range(2000), ["a" * 1000] * 2000)
    assert shown.startswith(f"1 ({'a' * 30}) <- 2 (") and shown.endswith(
        f" <- ... <- 1 ({'a' * 30})"
    )
    assert len(shown) < 500
