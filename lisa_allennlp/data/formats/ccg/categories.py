"""
CCG categories in CCGbank's notation: `N`, `S[dcl]`, `NP[nb]/N`, `(S\\NP)\\(S\\NP)`, and atoms such
as `,` and `conj`.
"""

import re
from functools import lru_cache

from lisa_allennlp.data.formats.columns import PathName
from lisa_allennlp.data.formats.errors import CorpusFormatError

RARE_CATEGORY = "@@RARE@@"
"""Replaces all categories outside the category set of a model."""

_ATOM = re.compile(r"[^\s()\[\]/\\<>|]+")
# Also marks conjuncts in derivations: the `conj` in `(S\NP)[conj]`.
_FEATURE = re.compile(r"\[[^\s()\[\]/\\<>|]+\]")
_SLASHES = ("/", "\\")
_MOST_BRACKETS = 100


class _CategoryError(ValueError):
    """What was found in a text, and what was expected."""


def check_category(path: PathName, number: int, text: str) -> None:
    """
    Raises a `CorpusFormatError` if the text in this line of a file is not a category, or has more
    parentheses than any category of a grammar.
    """
    try:
        _check(text)
    except _CategoryError as error:
        raise CorpusFormatError(path, number, *error.args) from error


@lru_cache(maxsize=1 << 14)
def _check(text: str) -> None:
    if text.count("(") > _MOST_BRACKETS:
        found = f"{text.count('(')} opening parentheses in the category '{text}'"
        raise _CategoryError(found, f"at most {_MOST_BRACKETS}")
    end = _end_of_functor(text, 0)
    if end != len(text):
        raise _error(text, end, "a slash or the end of the category")


def _end_of_functor(text: str, start: int) -> int:
    position = _end_of_part(text, start)
    while text.startswith(_SLASHES, position):
        position = _end_of_part(text, position + 1)
    return position


def _end_of_part(text: str, start: int) -> int:
    if text.startswith("(", start):
        end = _end_of_functor(text, start + 1)
        if not text.startswith(")", end):
            raise _error(text, end, "a slash or ')'")
        end += 1
    else:
        match = _ATOM.match(text, start)
        if match is None:
            raise _error(text, start, "a basic category such as NP, or '('")
        end = match.end()
    feature = _FEATURE.match(text, end)
    return end if feature is None else feature.end()


def _error(text: str, position: int, expected: str) -> _CategoryError:
    at = f"'{text[position]}'" if position < len(text) else "the end"
    return _CategoryError(f"{at} at character {position + 1} of the category '{text}'", expected)
