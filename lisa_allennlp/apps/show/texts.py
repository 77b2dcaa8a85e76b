"""
The texts of pictures: escapes, labels, a description for screen readers, and their widths.

    >>> printable("a\\tb\\x1b[0m \\u202eevil"), printable("naïve 漢字"), printable("\\u200b")
    ('a\\\\tb\\\\x1b[0m \\\\u202eevil', 'naïve 漢字', '\\\\u200b')
    >>> typed(Sentence(["left", "(", ")"], offsets=[(0, 4), (5, 6), (6, 7)]))
    'left ()'
"""

import re
import unicodedata
from bisect import bisect
from functools import lru_cache
from typing import Any, List, Optional, Tuple, Union

from lisa_allennlp.sentence.sentence import UNKNOWN, Frame, RoleSpan, Sentence
from lisa_allennlp.text.tokens import unescape_brackets

# Control characters, surrogates, private characters, line and paragraph separators; characters that
# change the direction of writing, byte order marks, and no characters at all.
_HIDDEN = {"Cc", "Cs", "Co", "Zl", "Zp"}
_OTHERS = re.compile(
    "[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufdd0-\ufdef\ufffe\uffff]"
)


def printable(text: str) -> str:
    """
    Escapes (`\\x1b`) characters that would move the cursor or change the direction of writing, and
    an invisible text; XML does not allow some. A lone accent gets a circle to sit on.
    """
    if text.isascii() and text.isprintable():
        return text
    categories = {unicodedata.category(character) for character in text}
    if categories == {"Mn"}:
        return f"◌{text}"
    shows_nothing = categories <= {"Cf", "Mn"}
    return "".join(
        character.encode("unicode_escape").decode("ascii")
        if shows_nothing or unicodedata.category(character) in _HIDDEN or _OTHERS.match(character)
        else character
        for character in text
    )


def typed(sentence: Union[Sentence, Frame], first: int = 0, last: Optional[int] = None) -> str:
    """
    Joins the words from `first` to `last` (0-based, inclusive), without blanks where they touch in
    the raw text.
    """
    words, offsets = sentence.words, sentence.offsets
    text = printable(words[first]) if words else ""
    for token in range(first + 1, len(words) if last is None else last + 1):
        touches = offsets is not None and offsets[token - 1][1] == offsets[token][0]
        text += " " * (not touches) + printable(words[token])
    return text


def relation_labels(sentence: Sentence) -> List[str]:
    """The label of each arc, with its probability if known."""
    return [printable(arc.head_tag) + _decimals(arc.probability) for arc in sentence.arcs or ()]


def tag_labels(sentence: Sentence) -> List[Tuple[str, List[str]]]:
    """The layers of tags: their names in `Marks` and the labels of all words."""
    layers = []
    if sentence.pos is not None:
        known: Any = sentence.pos_probabilities or [None] * len(sentence.pos)
        pairs = zip(sentence.pos, known, strict=True)
        tags = [printable(unescape_brackets(tag)) + _decimals(p) for tag, p in pairs]
        layers.append(("tags", tags))
    if sentence.supertags is not None:
        layers.append(("supertags", list(map(printable, sentence.supertags))))
    return layers


def span_label(frame: Frame, span: RoleSpan) -> str:
    is_predicate = span.role == "V" and span.first <= frame.predicate <= span.last
    probability = frame.probability if is_predicate else span.probability
    name = frame.sense if is_predicate and frame.sense != UNKNOWN else span.role
    # After letters that run from right to left, the number of a sense would be at their left.
    shown = printable(name) if name.isascii() else printable(name).replace(".", "\u200e.")
    return shown + _decimals(probability)


def _decimals(probability: Optional[float]) -> str:
    """Two decimals without the zero before the point; nothing for 1.00."""
    if probability is None or probability >= 0.995:
        return ""
    return f" {probability:.2f}".replace("0.", ".", 1)


def describe(sentence: Sentence) -> str:
    """Names the words with their heads, and the roles of each predicate."""
    words = [printable(word) for word in sentence.words]
    parts = [f"{len(words)} word{'s' * (len(words) != 1)}"]
    if sentence.parse is None:
        parts.append(typed(sentence))
    for arc in sentence.arcs or ():
        head = f" of {words[arc.head - 1]}" if arc.head else ""
        parts.append(f"{words[arc.dependent - 1]}: {printable(arc.head_tag)}{head}")
    for frame in sentence.frames or []:
        sense = "" if frame.sense == UNKNOWN else f" ({printable(frame.sense)})"
        spans = [
            f"{printable(span.role)} {typed(sentence, span.first, span.last)}"
            for span in frame.roles
            if span.role != "V"
        ]
        parts.append(f"Roles of {words[frame.predicate]}{sense}: {'; '.join(spans) or 'none'}")
    return ". ".join(parts) + "."


# The widths of ASCII in Helvetica, Arial and Liberation Sans, in thousandths of the font's size.
_ASCII = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 "
    "556 556 556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 "
    "722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 "
    "278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 "
    "556 556 333 500 278 556 500 722 500 500 500 334 260 334 584"
)
_WIDTHS = {chr(32 + number): int(width) for number, width in enumerate(_ASCII.split())}


@lru_cache(maxsize=10_000)
def text_width(text: str, size: float, bold: bool = False) -> float:
    """
    The width of a text in Helvetica, in the unit of `size`. Characters that it lacks have estimated
    widths, and bold text is a tenth wider.
    """
    width = sum(_WIDTHS.get(character) or _estimated_width(character) for character in text)
    return width * size / 1000 * (1.1 if bold else 1.0)


def shortened(text: str, size: float, width: float, bold: bool = False) -> str:
    """Puts `…` for inner letters that do not fit."""

    def cut(kept: int) -> str:
        return f"{text[: kept - kept // 3]}…{text[len(text) - kept // 3 :]}"

    if text_width(text, size, bold) <= width:
        return text
    numbers = range(1, len(text))
    return cut(bisect(numbers, width, key=lambda kept: text_width(cut(kept), size, bold)))


def _estimated_width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    if unicodedata.east_asian_width(character) in "WF":
        return 1000
    # The letter without its accents.
    return _WIDTHS.get(unicodedata.normalize("NFD", character)[0], 667)
