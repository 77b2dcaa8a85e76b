"""The lines of trees, read back from the drawing."""

from typing import List, Set, Tuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.visualisation.terminal_tree import tree_lines
from tests.visualisation.strategies import heads, projective_heads

DOWN, UP, RIGHT = "╭├┬┼│", "╰├┴┼│", "╭╰├┬┴┼"


def groups(rows: List[str]) -> List[Set[int]]:
    """The rows that each vertical line connects."""
    found = []
    for column in range(len(rows[0]) if rows else 0):
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


def connected(heads: List[int]) -> List[Set[int]]:
    """Each head with its dependents."""
    of = {head: {t for t, h in enumerate(heads) if h == head} for head in heads if head}
    return [{head - 1, *tokens} for head, tokens in of.items()]


@given(st.integers(1, 9).flatmap(heads), st.sampled_from([1, 2]))
def test_each_line_connects_a_head_with_its_dependents(heads: List[int], pitch: int) -> None:
    rows, below = tree_lines(heads, pitch)
    assert sorted(map(sorted, groups(rows))) == sorted(map(sorted, connected(heads)))
    assert [row.endswith("►") for row in rows] == [head > 0 for head in heads]
    for number, (row, continued) in enumerate(zip(rows, below, strict=True)):
        assert len(row) == len(rows[0]) == len(continued)
        for character, under in zip(row, continued, strict=True):
            assert (character in DOWN) == (under == "│"), number


@given(st.integers(1, 10).flatmap(projective_heads))
def test_lines_of_projective_trees_do_not_cross(heads: List[int]) -> None:
    for row in tree_lines(heads).rows:
        # A line that is crossed has a horizontal one on its right.
        assert "│─" not in row


@pytest.mark.parametrize("heads, rows", [([], []), ([0, 0], ["", ""])])
def test_without_arcs_nothing_is_drawn(heads: List[int], rows: List[str]) -> None:
    assert tree_lines(heads) == (rows, rows)
    assert tree_lines(heads).width == 0


def test_golden() -> None:
    drawn: Tuple[List[str], List[str]] = tree_lines([2, 1, 4, 0, 3])
    assert drawn[0] == [
        "╭─┬──►",
        "╰─┴──►",
        "╭─┬──►",
        "╰─│───",
        "  ╰──►",
    ]
