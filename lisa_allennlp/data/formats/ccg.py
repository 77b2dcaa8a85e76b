"""The supertagged sentence, and what is known of words and categories whatever the file format."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import List, NamedTuple, Optional, Tuple

RARE_CATEGORY = "@@RARE@@"
"""The symbol for all categories that are not in the category set of a model."""

_DIGIT = re.compile(r"[0-9]")


@dataclass(frozen=True)
class SupertaggedSentence:
    """
    A sentence and the lexical category of each word. `None` stands for "not annotated".

    # Parameters

    words : `List[str]`
    pos : `List[str]`, optional
        Part-of-speech tags, one a word.
    supertags : `List[str]`, optional
        Lexical categories such as `(S[dcl]\\NP)/NP`, one a word.
    """

    words: List[str]
    pos: Optional[List[str]] = None
    supertags: Optional[List[str]] = None


class RankedSupertag(NamedTuple):
    """
    One of the categories that a word may have.

    # Parameters

    supertag : `str`
    probability : `float`
    """

    supertag: str
    probability: float


def map_digits(word: str) -> str:
    """The word with every digit replaced by 9, as the paper's section 4.1 has it."""
    return _DIGIT.sub("9", word)


def normalize_word(word: str) -> str:
    """The form in which words are looked up: lower case, all digits 9."""
    return map_digits(word).lower()


CAPITALIZATIONS: Tuple[str, ...] = ("lower", "initial", "upper", "mixed", "none")


@lru_cache(maxsize=1 << 16)
def capitalization(word: str) -> str:
    """
    # Returns

    `str`
        One of `CAPITALIZATIONS`: `lower` (`cat`), `initial` (`The`, `I`), `upper` (`IBM`), `mixed`
        (`iPod`, `McNally`), or `none` for words without letters that have a case (`9`, `,`).
    """
    letters = [character for character in word if character.lower() != character.upper()]
    if not letters:
        return "none"
    is_upper = [character != character.lower() for character in letters]
    if not any(is_upper):
        return "lower"
    if is_upper[0] and not any(is_upper[1:]):
        return "initial"
    return "upper" if all(is_upper) else "mixed"
