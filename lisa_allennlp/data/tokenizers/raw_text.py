"""
Splits raw text into tokens, by rules for its language, and into sentences.

    >>> text = "Don't go. Stay!"
    >>> for sentence in RawTextTokenizer("en").sentences(text, max_words=256):
    ...     print([text[start:end] for start, end in sentence])
    ['Do', "n't", 'go', '.']
    ['Stay', '!']
"""

import re
from typing import Any, Callable, List, Optional, Sequence

import numpy

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.tokenizers import english
from lisa_allennlp.data.tokenizers.sentence_splitter import (
    Network,
    Span,
    in_pieces,
    split_sentences,
)

LONGEST_TOKEN = 500
"""
In characters. The time that spaCy's rules take for a string without white space grows with the
square of its length, so that longer strings, and long ones that are mostly punctuation, are cut by
a simpler rule: runs of letters and digits, and runs of punctuation.
"""

LARGEST_VOCABULARY = 500_000
"""
spaCy keeps every word that it has seen. When there are more than this number of words, its
tokenizer is made anew.
"""

INVISIBLE = "\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe0e\ufe0f\ufeff"
"""
Soft hyphens, zero-width spaces, marks of writing direction, and the selectors of black or coloured
emojis (U+FE0E, U+FE0F), for a character class. Words do not contain them; they keep U+200C and
U+200D, which join and separate letters and emojis.
"""

_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_LONG_STRING = re.compile(r"\S{50,}")
_RUN = re.compile(rf"\w{{1,{LONGEST_TOKEN}}}|[^\w\s]{{1,{LONGEST_TOKEN}}}")


class RawTextTokenizer:
    """
    Tokenizes English as the English Web Treebank does, and other languages (spaCy's codes) with
    spaCy's rules, which need spaCy. As in treebanks, clitics and punctuation become tokens. White
    space never does. Offsets are the start and the end (exclusive) of each token in the text, in
    characters. The network that splits sentences is the English one unless another one is given.
    """

    def __init__(self, language: str = "en", network: Optional[Network] = None) -> None:
        self._network = network
        self._is_english = language == "en"
        self._split: Callable[[str, int, int], List[Span]] = english.split
        if not self._is_english:
            try:
                self._split = _SpacySplit(language)
            except (ImportError, AttributeError, TypeError, ValueError) as error:
                reason = " ".join(str(error).split())
                raise ConfigurationError(
                    f"language is {language!r}; expected 'en', or a language of spaCy, which "
                    f"`pip install '.[spacy]'` installs in a checkout ({reason})"
                ) from error

    def offsets(self, text: str) -> List[Span]:
        """Finds the tokens of one sentence."""
        visible = _INVISIBLE.sub("", text)
        (offsets,) = _in_text(text, [self._last_token_split(visible, self.tokens(visible))])
        return offsets

    def sentences(self, text: str, max_words: int) -> List[List[Span]]:
        """
        Finds the tokens of each sentence (`split_sentences`) of a text of any length. Sentences
        with more than `max_words` tokens are cut into pieces (`in_pieces`).
        """
        visible = _INVISIBLE.sub("", text)
        pieces = [
            piece
            for sentence in split_sentences(visible, self.tokens(visible), self._network)
            for piece in in_pieces(visible, self._last_token_split(visible, sentence), max_words)
        ]
        return _in_text(text, pieces)

    def tokens(self, text: str) -> List[Span]:
        """Finds the tokens of a text, regardless of its sentences."""
        spans: List[Span] = []
        start = 0
        for long in filter(_is_too_long, _LONG_STRING.finditer(text)):
            spans += self._split(text, start, long.start())
            spans += (run.span() for run in _RUN.finditer(text, *long.span()))
            start = long.end()
        return spans + self._split(text, start, len(text))

    def _last_token_split(self, text: str, sentence: List[Span]) -> List[Span]:
        return english.last_token_split(text, sentence) if self._is_english else sentence


def words_at(text: str, offsets: Sequence[Span]) -> List[str]:
    """Returns the words of tokens, without invisible characters."""
    words = [text[start:end] for start, end in offsets]
    return words if text.isascii() else [_INVISIBLE.sub("", word) for word in words]


def _in_text(text: str, sentences: List[List[Span]]) -> List[List[Span]]:
    """From the offsets in the visible part of a text to those in the text."""
    if text.isascii() or not _INVISIBLE.search(text):
        return sentences
    places = [place for place, c in enumerate(text) if not _INVISIBLE.match(c)]
    return [[(places[a], places[b - 1] + 1) for a, b in sentence] for sentence in sentences]


def _is_too_long(string: "re.Match[str]") -> bool:
    letters = sum(map(str.isalnum, string[0]))
    return len(string[0]) > min(LONGEST_TOKEN, 2 * letters)


class _SpacySplit:
    """Splits a part of a text by spaCy's rules for a language, which need no trained model."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._tokenizer = _spacys_tokenizer(language)

    def __call__(self, text: str, start: int, end: int) -> List[Span]:
        from spacy.attrs import IS_SPACE, LENGTH, SPACY

        if start == end:
            return []
        if len(self._tokenizer.vocab) > LARGEST_VOCABULARY:
            self._tokenizer = _spacys_tokenizer(self._language)
        doc = self._tokenizer(text[start:end])
        lengths, blanks, is_space = doc.to_array([LENGTH, SPACY, IS_SPACE]).astype(numpy.int64).T
        ends = numpy.cumsum(lengths + blanks) - blanks + start
        keep = is_space == 0
        return list(zip((ends - lengths)[keep].tolist(), ends[keep].tolist(), strict=True))


def _spacys_tokenizer(language: str) -> Any:
    import spacy

    return spacy.blank(language).tokenizer
