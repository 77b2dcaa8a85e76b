"""The lines of trees, read back from the drawing."""

from typing import List, Set

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.data.sentence import Parse, self_loop_heads
from lisa_allennlp.visualisation.tree import tree_lines
from tests.visualisation.strategies import heads, projective_heads

DOWN, UP, RIGHT = "╭├┬┼│", "╰├┴┼│", "╭╰├┬┴┼"


def drawn(heads: List[int]) -> List[str]:
    return tree_lines(Parse(self_loop_heads(heads), []))


def groups(rows: List[str]) -> List[Set[int]]:
    """The rows that each vertical line connects."""
    found = []
    for column in range(len(rows[0])):
        group: Set[int] = set()
        for row, line in enumerate(rows):
            character = line[column]
            if character in RIGHT:
                assert all(c in "─┬┴┼├╭╰│" for c in line[column + 1 : -1])
                group.add(row)
            if character in DOWN:
                assert rows[row + 1][column] in UP
            elif group:
                found.append(group)
                group = set()
        assert not group
    return found


@given(st.integers(1, 9).flatmap(heads))
def test_each_line_connects_a_head_with_its_dependents(heads: List[int]) -> None:
    rows = drawn(heads)
    connected = [
        {head - 1, *(t for t, h in enumerate(heads) if h == head)} for head in {*heads} if head
    ]
    assert sorted(map(sorted, groups(rows))) == sorted(map(sorted, connected))
    assert [row.endswith("►") for row in rows] == [head > 0 for head in heads]
    assert len(set(map(len, rows))) == 1


@given(st.integers(1, 10).flatmap(projective_heads))
def test_lines_of_projective_trees_do_not_cross(heads: List[int]) -> None:
    # A line that is crossed has a horizontal one on its right.
    assert not any("│─" in row for row in drawn(heads))


@pytest.mark.parametrize("heads, rows", [([], []), ([0, 0], ["", ""])])
def test_without_arcs_nothing_is_drawn(heads: List[int], rows: List[str]) -> None:
    assert drawn(heads) == rows
