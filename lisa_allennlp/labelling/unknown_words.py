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
    >>> words = UnknownWords(lisa_allennlp.load("english-fast").engine)
    >>> words.add(["Wir", "gehen", "heute", "ins", "Kino", "."])
    >>> words.notice
    'This model reads English; 4 of 5 words are unknown to it.'
"""

import unicodedata
from typing import Iterable, Optional, Set

from lisa_allennlp.decoding.engine import Engine
from lisa_allennlp.english.languages import ENGLISH

LEAST = 3
"""
The least unknown words for a notice, unless a text has no Latin letters. With fewer, words with a
capital count, too: German has many, and at least two thirds of its words are unknown.
"""

_LAST_LATIN = "\u024f"


class UnknownWords:
    """
    Counts the different words of a text, and how many are not common. Only letters count, and
    mostly words without an initial capital: no names, numbers, addresses and code.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._words: Set[str] = set()
        self._capitalised: Set[str] = set()

    def add(self, words: Iterable[str]) -> None:
        for word in {*words} - self._words - self._capitalised:
            if all(map(_is_letter, word)):
                (self._capitalised if word[:1].isupper() else self._words).add(word)

    @property
    def notice(self) -> Optional[str]:
        known, language = self._engine.common_words, self._engine.language
        words, unknown = self._words, self._words.difference(known)
        if not known or 2 * len(unknown) <= len(words):
            return None
        if len(unknown) < LEAST and any(min(word) <= _LAST_LATIN for word in words):
            words = words | {word.lower() for word in self._capitalised}
            unknown = words.difference(known)
            if len(words) < LEAST or 3 * len(unknown) < 2 * len(words):
                return None
        name = "English" if language == ENGLISH else f"the language `{language}`"
        counts = f"{len(unknown):,} of {len(words):,} words"
        return f"This model reads {name}; {counts} are unknown to it."


def _is_letter(character: str) -> bool:
    # Scripts of India have marks as vowels.
    return unicodedata.category(character)[0] in "LM"
