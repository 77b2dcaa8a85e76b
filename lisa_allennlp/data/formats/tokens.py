"""How corpora write single tokens: escaped brackets, and what scorers take for punctuation."""

import unicodedata
from functools import lru_cache
from typing import Dict, Iterable, List

_BRACKETS = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
}
_ESCAPES = {bracket: escape for escape, bracket in _BRACKETS.items()}


def is_bracket(token: str) -> bool:
    """Whether a token is a bracket, escaped or not."""
    return token in _BRACKETS or token in _ESCAPES


class BracketForms:
    """
    How a corpus writes each bracket: the Penn Treebank's `(` is `-LRB-`, in other treebanks it is
    `(`, and some escape round brackets only.

    >>> forms = BracketForms(["-LRB-", "-RRB-", "["])
    >>> forms.write(["(", "-LRB-", "-LSB-", "[", "{"])
    ['-LRB-', '-LRB-', '[', '[', '{']

    # Parameters

    seen : `Iterable[str]`
        The forms that stand in the corpus. Of two forms of a bracket the first one counts.
    """

    def __init__(self, seen: Iterable[str]) -> None:
        self._written: Dict[str, str] = {}
        for form in seen:
            self._written.setdefault(unescape_token(form), form)

    def write(self, words: Iterable[str]) -> List[str]:
        """The words with each bracket in the corpus's form; one that it lacks stays as it is."""
        return [self._written.get(unescape_token(word), word) for word in words]


def unescape_token(token: str) -> str:
    """
    # Parameters

    token : `str`
        A token as the Penn Treebank writes it.

    # Returns

    `str`
        The bracket that an escape such as `-LRB-` stands for; any other token as it is.
    """
    return _BRACKETS.get(token, token)


def escape_token(token: str) -> str:
    """
    # Parameters

    token : `str`
        A token as people write it.

    # Returns

    `str`
        The Penn Treebank's escape of a bracket (`-LRB-` for `(`); any other token as it is.
    """
    return _ESCAPES.get(token, token)


def escape_parentheses(word: str) -> str:
    """
    # Parameters

    word : `str`

    # Returns

    `str`
        The word with `-LRB-` and `-RRB-` in the place of its parentheses, inner ones (`:-)`) too:
        readers that build trees of the constituent column take every one for a bracket.
    """
    return word.replace("(", _ESCAPES["("]).replace(")", _ESCAPES[")"])


@lru_cache(maxsize=1 << 16)
def is_punctuation(word: str) -> bool:
    """
    Whether the CoNLL-X scorer eval.pl leaves a word out of UAS and LAS: it has
    `/^\\p{Punctuation}+$/`, all characters in Unicode's general category P.

    # Parameters

    word : `str`
        A word as it stands in the gold file. An escaped bracket (`-LRB-`) is none then, and neither
        are symbols (category S) such as `$`, `+` and the backquotes of the Penn Treebank.

    # Returns

    `bool`
    """
    return bool(word) and all(unicodedata.category(character)[0] == "P" for character in word)
