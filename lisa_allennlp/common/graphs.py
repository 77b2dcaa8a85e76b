"""Cycles of dependency graphs, and how they are shown."""

from typing import List, Optional, Sequence


def find_cycle(heads: Sequence[int]) -> Optional[List[int]]:
    """
    Returns the nodes of the first cycle, each followed by its head. Heads are 0-based; a root is
    its own head, which is no cycle.
    """
    seen_from = [-1] * len(heads)
    for start in range(len(heads)):
        node = start
        while seen_from[node] < 0:
            seen_from[node] = start
            node = heads[node]
        if heads[node] != node and seen_from[node] == start:
            nodes = [node]
            while heads[nodes[-1]] != node:
                nodes.append(heads[nodes[-1]])
            return nodes
    return None


def shown_cycle(cycle: Sequence[int], words: Sequence[str], most: int = 10) -> str:
    """
    Shows the first words of a cycle from `find_cycle`, for error messages.

    >>> shown_cycle([0, 2], ["She", "has", "left"])
    '1 (She) <- 3 (left) <- 1 (She)'
    """
    tokens = [f"{position + 1} ({words[position]:.30})" for position in cycle[:most]]
    return " <- ".join([*tokens, *["..."] * (len(cycle) > most), tokens[0]])
