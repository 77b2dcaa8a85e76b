"""
The lines of a tree beside its words, one row per token. Each head has a vertical line from its
first to its last dependent; arrows lead from there to the dependents.

    >>> for row, word in zip(tree_lines([2, 0, 2, 5, 2]).rows, "She sold him the car".split()):
    ...     print(row, word)
    ╭────► She
    ├───── sold
    ├────► him
    │ ╭──► the
    ╰─┴──► car

Lines cross without touching where a tree is not projective:

    >>> for row in tree_lines([3, 4, 0, 3]).rows:
    ...     print(row)
    ╭────►
    │ ╭──►
    ├─│───
    ╰─┴──►
"""

from typing import Dict, List, NamedTuple, Sequence, Tuple

from lisa_allennlp.data.sentence import self_loop_heads
from lisa_allennlp.visualisation.levels import levels

_ARROW = "►"
# By whether a line leads up, down, to the left and to the right.
_JUNCTIONS = {
    (False, True, False, True): "╭",
    (True, False, False, True): "╰",
    (True, True, False, True): "├",
    (False, True, True, True): "┬",
    (True, False, True, True): "┴",
    (True, True, True, True): "┼",
}


class TreeLines(NamedTuple):
    """
    # Parameters

    rows : `List[str]`
        For each token, the lines beside it; all have the same length, empty without arcs.
    below : `List[str]`
        For each token, the lines beside the continuation of its row, if it has several lines.
    """

    rows: List[str]
    below: List[str]

    @property
    def width(self) -> int:
        """The length of the rows, in characters."""
        return len(self.rows[0]) if self.rows else 0


def tree_lines(heads: Sequence[int], pitch: int = 2) -> TreeLines:
    """
    # Parameters

    heads : `Sequence[int]`
        The 1-based head of each token, 0 for a root. Cycles and several roots are allowed.
    pitch : `int`, optional (default = `2`)
        The characters per column: 1 or 2.
    """
    head_indices = self_loop_heads(heads)
    dependents: Dict[int, List[int]] = {}
    for token, head in enumerate(head_indices):
        if head != token:
            dependents.setdefault(head, []).append(token)
    if not dependents:
        return TreeLines([""] * len(heads), [""] * len(heads))
    spans = {head: (min(head, *of), max(head, *of)) for head, of in dependents.items()}
    columns = _columns(spans, head_indices)
    number = max(columns.values())
    drawing = _Drawing(spans, columns, head_indices, pitch)
    order = range(number, 0, -1)
    rows = ["".join(drawing.cell(row, column) for column in order) for row in range(len(heads))]
    below = ["".join(drawing.below(row, column) for column in order) for row in range(len(heads))]
    ends = [drawing.end(row) for row in range(len(heads))]
    return TreeLines(
        [row + end for row, end in zip(rows, ends, strict=True)], [row + "  " for row in below]
    )


def _columns(spans: Dict[int, Tuple[int, int]], head_indices: Sequence[int]) -> Dict[int, int]:
    """
    The column of each head's line, from the words. The line of a head is further from the words
    than those of its descendants that it overlaps, so that no lines cross in a projective tree.
    """
    order = _children_first(spans, head_indices)
    return dict(zip(order, levels([spans[head] for head in order], range(len(order))), strict=True))


def _children_first(spans: Dict[int, Tuple[int, int]], head_indices: Sequence[int]) -> List[int]:
    """The heads, each after its descendants. Heads on cycles come last."""
    waiting = {head: 0 for head in spans}
    for head in spans:
        if head_indices[head] != head:
            waiting[head_indices[head]] += 1
    ready = [head for head in spans if not waiting[head]]
    for head in ready:
        parent = head_indices[head]
        if parent != head:
            waiting[parent] -= 1
            if not waiting[parent]:
                ready.append(parent)
    return ready + [head for head in spans if waiting[head]]


class _Drawing:
    def __init__(
        self,
        spans: Dict[int, Tuple[int, int]],
        columns: Dict[int, int],
        head_indices: Sequence[int],
        pitch: int,
    ) -> None:
        self._head_indices = head_indices
        self._fill = "─" * (pitch - 1)
        self._blank = " " * (pitch - 1)
        self._lines: Dict[int, List[Tuple[int, int, int]]] = {}
        for head, (first, last) in spans.items():
            self._lines.setdefault(columns[head], []).append((first, last, head))
        self._columns = columns

    def _attached(self, row: int) -> List[int]:
        """The columns of the lines that the token of a row touches."""
        head = self._head_indices[row]
        own = [self._columns[row]] if row in self._columns else []
        return own + ([self._columns[head]] if head != row else [])

    def cell(self, row: int, column: int) -> str:
        attached = self._attached(row)
        reaches_right = any(column <= other for other in attached)
        reaches_left = any(column < other for other in attached)
        fill = self._fill if reaches_right else self._blank
        lines = [line for line in self._lines[column] if line[0] <= row <= line[1]]
        if not lines:
            return ("─" if reaches_left else " ") + fill
        if column not in attached:
            return "│" + fill
        up = any(first < row for first, _, _ in lines)
        down = any(row < last for _, last, _ in lines)
        return _JUNCTIONS[up, down, reaches_left, True] + fill

    def below(self, row: int, column: int) -> str:
        continues = any(first <= row < last for first, last, _ in self._lines[column])
        return ("│" if continues else " ") + self._blank

    def end(self, row: int) -> str:
        if self._head_indices[row] != row:
            return "─" + _ARROW
        return "──" if row in self._columns else "  "
