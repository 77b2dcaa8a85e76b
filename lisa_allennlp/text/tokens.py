"""Tokens that treebanks escape, and the tokens that scorers count as punctuation."""

import unicodedata
from functools import lru_cache
from typing import Dict, Iterable, List, Optional

LONGEST_WORD = 200
"""In characters. Of longer words, networks read the beginning, to bound memory."""

BRACKETS_NAMESPACE = "bracket_labels"
"""
The vocabulary namespace of a corpus's brackets and of other tokens that the Penn Treebank escapes,
the most frequent form first.
"""

_BRACKETS = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
}


_SLASH = "\\/"
_ESCAPES = {
    **_BRACKETS,
    "``": '"',
    "''": '"',
    "`": "'",
    **{f"/{mark}": mark for mark in ".?!,-"},
    _SLASH: "/",
    "\\*": "*",
}

_FORMS = frozenset([*_ESCAPES, *_ESCAPES.values()])


def bracket_form(word: str) -> Optional[str]:
    return word if word in _FORMS else _SLASH if _SLASH in word else None


class BracketForms:
    """
    The form of each bracket, quotation mark and escaped stop in a corpus. The Penn Treebank writes
    `(` as `-LRB-`, quotation marks as two backquotes and two apostrophes, and OntoNotes some stops
    as `/.`; other treebanks leave them as they are, and some escape round brackets only.

    >>> forms = BracketForms(["-LRB-", "-RRB-", "["])
    >>> forms.write(["(", "-LRB-", "-LSB-", "[", "``", "/?", r"1\/2"])
    ['-LRB-', '-LRB-', '[', '[', '"', '?', '1/2']
    >>> BracketForms(["``", "''"]).write(["``", "''"])
    ['``', "''"]

    `seen` are the forms of the corpus, the most frequent one first. If there are two for a token,
    the first one is used; if there is none, the token becomes what it stands for.
    """

    def __init__(self, seen: Iterable[str]) -> None:
        seen = list(seen)
        self._written: Dict[str, str] = {}
        for word in _FORMS:
            plain = unescape_token(word)
            same = {word, plain, *(escape for escape in _ESCAPES if _ESCAPES[escape] == word)}
            self._written[word] = next((form for form in seen if form in same), plain)
        self._keeps_slashes = self._written[_SLASH] == _SLASH

    def write(self, words: Iterable[str]) -> List[str]:
        return [
            self._written.get(word) or (word if self._keeps_slashes else unescape_token(word))
            for word in words
        ]

    def all(self) -> Dict[str, str]:
        return dict(sorted(self._written.items()))


def unescape_token(token: str) -> str:
    """Returns the typed form: `(` for `-LRB-`, `"` for two backquotes, `1/2` for `1\\/2`."""
    return _ESCAPES.get(token) or token.replace(_SLASH, "/")


def typed_marks(words: Iterable[str]) -> List[str]:
    """Returns Penn's quotation marks and stops as they are typed, but leaves brackets."""
    return [word if word in _BRACKETS else unescape_token(word) for word in words]


def unescape_brackets(text: str) -> str:
    """
    Replaces escapes of brackets, also within longer words, by the typed brackets.

    >>> unescape_brackets("-LRB-"), unescape_brackets(":--RRB-")
    ('(', ':-)')
    """
    for escape, bracket in _BRACKETS.items():
        text = text.replace(escape, bracket)
    return text


def escape_parentheses(word: str) -> str:
    """
    Replaces parentheses, also within words (`:-)`), by `-LRB-` and `-RRB-`: readers of constituents
    take each for a bracket.
    """
    return word.replace("(", "-LRB-").replace(")", "-RRB-")


@lru_cache(maxsize=1 << 16)
def is_punctuation(word: str) -> bool:
    """
    Whether the CoNLL-X scorer eval.pl leaves a gold word out of UAS and LAS. Its test is
    `/^\\p{Punctuation}+$/`: all characters are in Unicode's general category P. Escaped brackets
    (`-LRB-`) are not punctuation, nor are symbols (category S) such as `$`, `+` and backquotes.
    """
    return bool(word) and all(unicodedata.category(character)[0] == "P" for character in word)
