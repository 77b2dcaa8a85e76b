"""
Notices that a text is not for a model, because it does not know most of the words.

    >>> import lisa_allennlp
    >>> words = UnknownWords(lisa_allennlp.load("english-fast").engine)
    >>> words.add(["Sie", "hat", "ihm", "gestern", "das", "Auto", "verkauft", "."])
    >>> words.notice
    'This model reads English; 3 of 5 words are unknown to it.'
    >>> words.add(["She", "sold", "him", "the", "car", "on", "Friday", "."])
    >>> words.notice is None
    True
"""

import unicodedata
from typing import Iterable, Optional, Set

from lisa_allennlp.data.languages import ENGLISH
from lisa_allennlp.decoding.engine import Engine

LEAST = 3
"""The unknown words that it takes, unless a text has no Latin letters."""

_LAST_LATIN = "\u024f"


class UnknownWords:
    """
    Counts the different words of a text, and those that are not among the common ones of a model.
    Only letters count, without a capital at the beginning: no names, numbers, addresses and code.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._words: Set[str] = set()

    def add(self, words: Iterable[str]) -> None:
        """Adds words of the text."""
        new = {*words} - self._words
        self._words.update(w for w in new if not w[:1].isupper() and all(map(_is_letter, w)))

    @property
    def notice(self) -> Optional[str]:
        """A line for the reader, if most words are unknown to a model that has common words."""
        known, language = self._engine.common_words, self._engine.language
        unknown = {word for word in self._words if word not in known}
        is_few = len(unknown) < LEAST and any(min(word) <= _LAST_LATIN for word in self._words)
        if not known or is_few or 2 * len(unknown) <= len(self._words):
            return None
        name = "English" if language == ENGLISH else f"the language `{language}`"
        counts = f"{len(unknown):,} of {len(self._words):,} words"
        return f"This model reads {name}; {counts} are unknown to it."


def _is_letter(character: str) -> bool:
    # Scripts of India have marks as vowels.
    return unicodedata.category(character)[0] in "LM"
