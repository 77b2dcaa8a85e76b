"""
CCG categories as CCGbank writes them: `N`, `S[dcl]`, `NP[nb]/N`, `(S\\NP)\\(S\\NP)`, and `,` or
`conj`, which have no structure.
"""

import re
from functools import lru_cache
from typing import NamedTuple, Optional, Tuple, Union

_ATOM = re.compile(r"[^\s()\[\]/\\<>|]+")
_FEATURE = re.compile(r"\[([^\s()\[\]/\\<>|]+)\]")
_SLASHES = ("/", "\\")


class Atom(NamedTuple):
    """
    A basic category.

    # Parameters

    name : `str`
        `S`, `NP`, `conj`, `,` ...
    feature : `str`, optional
        `dcl` of `S[dcl]`.
    """

    name: str
    feature: Optional[str] = None

    def __str__(self) -> str:
        return self.name if self.feature is None else f"{self.name}[{self.feature}]"


class Functor(NamedTuple):
    """
    A category that takes an argument.

    # Parameters

    result : `Union[Atom, Functor]`
        What it becomes.
    slash : `str`
        `/` for an argument to the right, `\\` for one to the left.
    argument : `Union[Atom, Functor]`
    feature : `str`, optional
        `conj` of `(S\\NP)[conj]`, as derivations mark conjuncts.
    """

    result: "Category"
    slash: str
    argument: "Category"
    feature: Optional[str] = None

    def __str__(self) -> str:
        text = f"{_in_brackets(self.result)}{self.slash}{_in_brackets(self.argument)}"
        return text if self.feature is None else f"({text})[{self.feature}]"


Category = Union[Atom, Functor]


class CategoryError(ValueError):
    """
    Text that is no category.

    # Parameters

    found : `str`
    expected : `str`
    """

    def __init__(self, found: str, expected: str) -> None:
        super().__init__(f"found {found}; expected {expected}")
        self.found = found
        self.expected = expected

    def __reduce__(self):
        return (type(self), (self.found, self.expected))


@lru_cache(maxsize=1 << 14)
def parse_category(text: str) -> Category:
    """
    # Parameters

    text : `str`
        `(S[dcl]\\NP)/NP`. Slashes without parentheses associate to the left.

    # Raises

    `CategoryError`
        If it is no category.
    """
    category, end = _read_functor(text, 0)
    if end != len(text):
        raise _error(text, end, "a slash or the end of the category")
    return category


def _read_functor(text: str, start: int) -> Tuple[Category, int]:
    category, position = _read_primary(text, start)
    while position < len(text) and text[position] in _SLASHES:
        slash = text[position]
        argument, position = _read_primary(text, position + 1)
        category = Functor(category, slash, argument)
    return category, position


def _read_primary(text: str, start: int) -> Tuple[Category, int]:
    category: Category
    if text.startswith("(", start):
        category, position = _read_functor(text, start + 1)
        if not text.startswith(")", position):
            raise _error(text, position, "a slash or ')'")
        position += 1
    else:
        match = _ATOM.match(text, start)
        if match is None:
            raise _error(text, start, "a basic category such as NP, or '('")
        category, position = Atom(match.group()), match.end()
    feature = _FEATURE.match(text, position)
    if feature is None:
        return category, position
    return category._replace(feature=feature.group(1)), feature.end()


def _error(text: str, position: int, expected: str) -> CategoryError:
    at = f"'{text[position]}'" if position < len(text) else "the end"
    return CategoryError(f"{at} at character {position + 1} of the category '{text}'", expected)


def _in_brackets(category: Category) -> str:
    is_bare = isinstance(category, Functor) and category.feature is None
    return f"({category})" if is_bare else str(category)
