"""
Splits raw text into tokens and sentences, by rules for its language.

    >>> text = "Don't go. Stay!"
    >>> for sentence in raw_text_tokenizer("en").sentences(text, max_words=256):
    ...     print([text[start:end] for start, end in sentence])
    ['Do', "n't", 'go', '.']
    ['Stay', '!']
"""

import re
from abc import ABC, abstractmethod
from typing import List

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.tokenizers.sentence_splitter import Span, in_pieces, split_sentences

LONGEST_TOKEN = 500
"""
In characters. The time that spaCy's rules take for a string without white space grows with the
square of its length, so that longer strings, and long ones that are mostly punctuation, are cut by
a simpler rule: runs of letters and digits, and runs of punctuation.
"""

_LONG_STRING = re.compile(r"\S{50,}")
_RUN = re.compile(rf"\w{{1,{LONGEST_TOKEN}}}|[^\w\s]{{1,{LONGEST_TOKEN}}}")


class RawTextTokenizer(ABC):
    """
    Tokenizes by the rules of a subclass. As in treebanks, clitics and punctuation become tokens.
    White space never does.
    """

    def offsets(self, text: str) -> List[Span]:
        """
        # Parameters

        text : `str`
            One sentence.

        # Returns

        `List[Tuple[int, int]]`
            The start and the end (exclusive) of each token in the text, in characters.
        """
        return self._last_token_split(text, self._tokens(text))

    def sentences(self, text: str, max_words: int) -> List[List[Span]]:
        """
        # Parameters

        text : `str`
            Any number of sentences and paragraphs.
        max_words : `int`
            Longer sentences are cut into pieces (`in_pieces`).

        # Returns

        `List[List[Tuple[int, int]]]`
            For each sentence (`split_sentences`), the offsets of its tokens in the text.
        """
        return [
            piece
            for sentence in split_sentences(text, self._tokens(text))
            for piece in in_pieces(text, self._last_token_split(text, sentence), max_words)
        ]

    def _tokens(self, text: str) -> List[Span]:
        spans: List[Span] = []
        start = 0
        for long in filter(_is_too_long, _LONG_STRING.finditer(text)):
            spans += self._split(text, start, long.start())
            spans += (run.span() for run in _RUN.finditer(text, *long.span()))
            start = long.end()
        return spans + self._split(text, start, len(text))

    @abstractmethod
    def _split(self, text: str, start: int, end: int) -> List[Span]:
        """The tokens of a part of the text, which white space or the text's ends surround."""

    def _last_token_split(self, text: str, sentence: List[Span]) -> List[Span]:
        """The tokens of a sentence, after rules for the last one."""
        return sentence


def raw_text_tokenizer(language: str) -> RawTextTokenizer:
    """
    # Parameters

    language : `str`
        spaCy's code. English needs nothing else, other languages need spaCy.

    # Raises

    `ConfigurationError`
        If spaCy or a package that it needs is missing, or it has no such language.
    """
    if language == "en":
        from lisa_allennlp.data.tokenizers.english import EnglishTokenizer

        return EnglishTokenizer()
    try:
        from lisa_allennlp.data.tokenizers.spacy_rules import SpacyTokenizer

        return SpacyTokenizer(language)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise ConfigurationError(
            f"language is {language!r}; expected 'en', or a language of spaCy, which "
            f"`pip install 'lisa-allennlp[spacy]'` installs ({' '.join(str(error).split())})"
        ) from error


def _is_too_long(string: "re.Match[str]") -> bool:
    letters = sum(map(str.isalnum, string[0]))
    return len(string[0]) > min(LONGEST_TOKEN, 2 * letters)
