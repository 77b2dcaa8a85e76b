"""
What a picture marks.

    >>> Marks(heads=frozenset([2])).number
    1
"""

from dataclasses import dataclass, fields
from typing import FrozenSet, Tuple


@dataclass(frozen=True)
class Marks:
    """
    Parts of a sentence to mark. Tokens and predicates are 0-based positions.

    # Parameters

    tags, heads, relations, supertags : `FrozenSet[int]`
        Tokens whose tag, head, arc label or supertag is marked.
    predicates, senses : `FrozenSet[int]`
        Predicates that are marked, or whose sense is.
    spans : `FrozenSet[Tuple[int, str, int, int]]`
        Predicate, role, first and last token of role spans.
    """

    tags: FrozenSet[int] = frozenset()
    heads: FrozenSet[int] = frozenset()
    relations: FrozenSet[int] = frozenset()
    supertags: FrozenSet[int] = frozenset()
    predicates: FrozenSet[int] = frozenset()
    senses: FrozenSet[int] = frozenset()
    spans: FrozenSet[Tuple[int, str, int, int]] = frozenset()

    @property
    def number(self) -> int:
        """The number of marked parts."""
        return sum(len(getattr(self, field.name)) for field in fields(self))


NOTHING = Marks()
"""No marks."""
