"""
The lines of a tree beside its words, one row per token. Each head has a vertical line from its
first to its last dependent; arrows lead from there to the dependents.

    >>> heads = [1, 1, 1, 4, 1]
    >>> for row, word in zip(tree_lines(Parse(heads, [])), "She sold him the car".split()):
    ...     print(row, word)
    ╭────► She
    ├───── sold
    ├────► him
    │ ╭──► the
    ╰─┴──► car

Lines cross without touching where a tree is not projective:

    >>> for row in tree_lines(Parse([2, 3, 2, 2], [])):
    ...     print(row)
    ╭────►
    │ ╭──►
    ├─│───
    ╰─┴──►
"""

from typing import List

from lisa_allennlp.data.sentence import Parse
from lisa_allennlp.visualisation.layout import levels

# All lead to the right; by whether they lead up (1), down (2) and to the left (4).
_JUNCTIONS = "─╰╭├─┴┬┼"


def tree_lines(parse: Parse) -> List[str]:
    """
    Draws the lines beside each token. All have the same length; they are empty without arcs. Cycles
    and several roots are allowed.
    """
    spans = {head: (min(head, *of), max(head, *of)) for head, of in enumerate(parse.children) if of}
    # The line of a head is further from the words than those of its descendants that it overlaps,
    # so that no lines cross in a projective tree.
    order = sorted(spans, key=lambda head: len(parse.subtree(head)))
    columns = dict(zip(order, levels([spans[head] for head in order]), strict=True))
    # By row and column, the head whose line is there; lines of one column do not even touch.
    line_at = {
        (row, columns[head]): head
        for head, (first, last) in spans.items()
        for row in range(first, last + 1)
    }
    rows = []
    for token, head in enumerate(parse.head_indices):
        attached = {columns[end] for end in (token, head) if end in columns}
        row = ""
        for column in range(max(columns.values(), default=0), 0, -1):
            reaches_left = any(column < other for other in attached)
            if (token, column) not in line_at:
                row += "─" if reaches_left else " "
            elif column not in attached:
                row += "│"
            else:
                first, last = spans[line_at[token, column]]
                row += _JUNCTIONS[(first < token) + 2 * (token < last) + 4 * reaches_left]
            row += "─" if any(column <= other for other in attached) else " "
        end = "─►" if head != token else "──" if attached else "  "
        rows.append(row + end if columns else "")
    return rows
