"""
CCG categories in CCGbank's notation: `N`, `S[dcl]`, `NP[nb]/N`, `(S\\NP)\\(S\\NP)`, and atoms such
as `,` and `conj`.

    >>> transitive = parse_category("(S[dcl]\\\\NP)/NP")
    >>> transitive.argument
    Atom(name='NP', feature=None)
    >>> print(transitive.result)
    S[dcl]\\NP
"""

import re
from functools import lru_cache
from typing import NamedTuple, Optional, Tuple, Union

_ATOM = re.compile(r"[^\s()\[\]/\\<>|]+")
_FEATURE = re.compile(r"\[([^\s()\[\]/\\<>|]+)\]")
_SLASHES = ("/", "\\")
_MOST_BRACKETS = 100


class Atom(NamedTuple):
    """
    A basic category.

    # Parameters

    name : `str`
        `S`, `NP`, `conj`, `,` ...
    feature : `str`, optional
        The `dcl` in `S[dcl]`.
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
        The category of the phrase with its argument.
    slash : `str`
        `/` for an argument to the right, `\\` for an argument to the left.
    feature : `str`, optional
        The `conj` in `(S\\NP)[conj]`, which marks conjuncts in derivations.
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
    """Raised for text that is not a category."""

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
        A category such as `(S[dcl]\\NP)/NP`. Slashes without parentheses associate to the left.

    # Raises

    `CategoryError`
        If the text is not a category, or has more parentheses than any category of a grammar.
    """
    if text.count("(") > _MOST_BRACKETS:
        found = f"{text.count('(')} opening parentheses in the category '{text}'"
        raise CategoryError(found, f"at most {_MOST_BRACKETS}")
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
