"""
The widths of texts in Helvetica, Arial and Liberation Sans, whose characters have the same widths.
Pictures are laid out without a browser.

    >>> round(text_width("Hello", 10), 2), text_width("漢字", 10)
    (22.78, 20.0)
"""

import unicodedata
from functools import lru_cache

_ASCII = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 "
    "556 556 556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 "
    "722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 "
    "278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 "
    "556 556 333 500 278 556 500 722 500 500 500 334 260 334 584"
)
_WIDTHS = {chr(32 + number): int(width) for number, width in enumerate(_ASCII.split())}
_OTHERS = 667
_WIDE = 1000


@lru_cache(maxsize=10_000)
def text_width(text: str, size: float, bold: bool = False) -> float:
    """
    # Parameters

    text : `str`
        Characters that Helvetica lacks have estimated widths.
    size : `float`
        The size of the font, in the unit of the result.
    bold : `bool`, optional (default = `False`)
        Bold text is at most a tenth wider, as a rule.
    """
    width = sum(_WIDTHS.get(character) or _width(character) for character in text)
    return width * size / 1000 * (1.1 if bold else 1.0)


def _width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    if unicodedata.east_asian_width(character) in "WF":
        return _WIDE
    # The letter without its accents.
    base = unicodedata.normalize("NFD", character)[0]
    return _WIDTHS.get(base, _OTHERS)
