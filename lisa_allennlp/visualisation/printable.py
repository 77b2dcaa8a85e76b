"""
Text that can be shown in a terminal, in XML and in HTML.

    >>> printable("a\\tb\\x1b[0m \\u202eevil"), printable("naïve 漢字")
    ('a\\\\tb\\\\x1b[0m \\\\u202eevil', 'naïve 漢字')
"""

import re
import unicodedata

# The categories of control characters, surrogates, private characters, line and paragraph
# separators.
_HIDDEN = {"Cc", "Cs", "Co", "Zl", "Zp"}
# Characters that change the direction of writing, byte order marks, and code points that are no
# characters.
_OTHERS = re.compile(
    "[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufdd0-\ufdef\ufffe\uffff]"
)


def printable(text: str) -> str:
    """
    The text with an escape such as `\\x1b` for each character that would move the cursor, change
    the direction of writing or be invisible; XML does not allow some of them.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        _escaped(character) if _is_hidden(character) else character for character in text
    )


def _is_hidden(character: str) -> bool:
    return unicodedata.category(character) in _HIDDEN or bool(_OTHERS.match(character))


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
