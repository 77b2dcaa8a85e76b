"""Escaped brackets, and the tokens that scorers count as punctuation."""

import unicodedata
from functools import lru_cache
from typing import Dict, Iterable, List

LONGEST_WORD = 200
"""In characters. Of longer words, networks read the beginning, to bound memory."""

BRACKETS_NAMESPACE = "bracket_labels"
"""The vocabulary namespace of the brackets of a corpus, the most frequent form first."""

_BRACKETS = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
}


def is_bracket(token: str) -> bool:
    """Whether a token is a bracket, escaped or not."""
    return token in _BRACKETS or token in _BRACKETS.values()


class BracketForms:
    """
    The form of each bracket in a corpus. The Penn Treebank writes `(` as `-LRB-`, other treebanks
    leave it as it is, and some escape round brackets only.

    >>> forms = BracketForms(["-LRB-", "-RRB-", "["])
    >>> forms.write(["(", "-LRB-", "-LSB-", "[", "{"])
    ['-LRB-', '-LRB-', '[', '[', '{']

    `seen` are the brackets of the corpus. If a bracket has two forms, the first one is used.
    """

    def __init__(self, seen: Iterable[str]) -> None:
        self._written: Dict[str, str] = {}
        for form in seen:
            self._written.setdefault(unescape_token(form), form)

    def write(self, words: Iterable[str]) -> List[str]:
        """Writes brackets as the corpus does. Brackets that it lacks are not changed."""
        return [self._written.get(unescape_token(word), word) for word in words]


def unescape_token(token: str) -> str:
    """Returns `(` for `-LRB-`, and likewise for other escapes; other tokens are not changed."""
    return _BRACKETS.get(token, token)


def unescape_brackets(text: str) -> str:
    """
    Replaces escapes of brackets, also within longer words, by what was typed.

    >>> unescape_brackets("-LRB-"), unescape_brackets(":--RRB-")
    ('(', ':-)')
    """
    for escape, bracket in _BRACKETS.items():
        text = text.replace(escape, bracket)
    return text


def escape_parentheses(word: str) -> str:
    """
    Replaces every parenthesis by `-LRB-` or `-RRB-`, also within longer words (`:-)`): readers that
    build trees from the constituent column take each parenthesis for a bracket.
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
