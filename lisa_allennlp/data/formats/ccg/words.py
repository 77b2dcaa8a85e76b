"""
Digits, case and capitalisation of words, for the inputs of the supertagger.

    >>> normalize_word("B-52s")
    'b-99s'
    >>> [capitalization(word) for word in ["cat", "The", "IBM", "iPod", "1984"]]
    ['lower', 'initial', 'upper', 'mixed', 'none']
"""

import re
from functools import lru_cache
from typing import Tuple

_DIGIT = re.compile(r"[0-9]")


def map_digits(word: str) -> str:
    """Replaces every digit by 9 (dynamic window, section 4.1)."""
    return _DIGIT.sub("9", word)


def normalize_word(word: str) -> str:
    """Replaces every digit by 9 and converts to lower case: the key of a word embedding."""
    return map_digits(word).lower()


CAPITALIZATIONS: Tuple[str, ...] = ("lower", "initial", "upper", "mixed", "none")


@lru_cache(maxsize=1 << 16)
def capitalization(word: str) -> str:
    """
    # Returns

    `str`
        One of `CAPITALIZATIONS`: `lower` (`cat`), `initial` (`The`, `I`), `upper` (`IBM`), `mixed`
        (`iPod`, `McNally`), or `none` for words without cased letters (`9`, `,`).
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
