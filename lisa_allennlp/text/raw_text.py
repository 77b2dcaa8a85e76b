"""
Splits raw text into tokens, by rules for its language, and into sentences.

    >>> text = "Don't go. Stay!"
    >>> for sentence in RawTextTokenizer("en").sentences(text, max_words=256):
    ...     print([text[start:end] for start, end in sentence])
    ['Do', "n't", 'go', '.']
    ['Stay', '!']
"""

import re
from bisect import bisect
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.text import english_tokenizer
from lisa_allennlp.text.sentence_splitter import (
    Network,
    Span,
    in_pieces,
    split_sentences,
)

LONGEST_TOKEN = 500
"""
In characters. spaCy's rules take quadratic time for a string without white space, so that longer
strings, and long ones that are mostly punctuation, are cut into runs of letters and digits, and
runs of punctuation.
"""

LARGEST_VOCABULARY = 500_000
"""spaCy keeps every word. Beyond this number, its tokenizer is made anew."""

INVISIBLE = "\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe0e\ufe0f\ufeff"
"""
Soft hyphens, zero-width spaces, marks of writing direction, and the selectors of black or coloured
emojis (U+FE0E, U+FE0F), for a character class. Words do not contain them; they keep U+200C and
U+200D, which join and separate letters and emojis.
"""

_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_EMOJI = "[\u2190-\u2bff\U0001f000-\U0001faff]"
_TONE = "[\U0001f3fb-\U0001f3ff]"
_EMOJIS = re.compile(
    f"{_EMOJI}{_TONE}?(?:\u200d{_EMOJI}{_TONE}?)+|{_EMOJI}{_TONE}|[\U0001f1e6-\U0001f1ff]{{2}}"
)

_MARK = r"\[(?:\d{1,3}(?:\s?[,–-]\s?\d{1,3})*|[a-z]|(?:n|nb|note) ?\d{1,3}|citation needed)\]"
_MARKS = re.compile(
    rf"""(?<=[.!?…"'”’])(?:{_MARK})+|(?<=\w)(?:{_MARK})+(?=[^\w\s]*(?:\s|$))""", re.IGNORECASE
)
"""Citations, as in `left.[3] They`: at the end of a word, and of a sentence after its stop."""

_OF_LINES = "blockquote|br|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|table|td|th|tr|ul"
_TAG = re.compile(
    rf"</?(?:(?P<line>{_OF_LINES})|a|abbr|b|body|center|cite|code|em|font|head|html|i|img|link|meta"
    r"|q|s|script|small|span|strong|style|sub|sup|tbody|thead|title|u)"
    r"""(?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))*\s*/?>|<!--.*?-->""",
    re.IGNORECASE | re.DOTALL,
)
"""Tags of HTML, of which some begin a line."""
_LONG_STRING = re.compile(r"\S{50,}")
_PARTS = re.compile(r"[\[\],]|[^\[\],\s]+")
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
        self._split: Callable[[str, int, int], List[Span]] = english_tokenizer.split
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
        visible, marks = _without_marks(_INVISIBLE.sub("", text))
        tokens = self._last_token_split(visible, self.tokens(visible))
        (offsets,) = _in_text(text, _with_marks([tokens], marks))
        return offsets

    def sentences(self, text: str, max_words: int) -> List[List[Span]]:
        """
        Finds the tokens of each sentence (`split_sentences`). Sentences of more than `max_words`
        tokens are cut (`in_pieces`).
        """
        visible, marks = _without_marks(_INVISIBLE.sub("", text))
        sentences = [
            self._last_token_split(visible, sentence)
            for sentence in split_sentences(visible, self.tokens(visible), self._network)
        ]
        pieces = [
            piece
            for sentence in _with_marks(sentences, marks)
            for piece in in_pieces(visible, sentence, max_words)
        ]
        return _in_text(text, pieces)

    def tokens(self, text: str) -> List[Span]:
        spans: List[Span] = []
        start = 0
        for emoji in () if text.isascii() else _EMOJIS.finditer(text):
            spans += [*self._tokens_between(text, start, emoji.start()), emoji.span()]
            start = emoji.end()
        return spans + self._tokens_between(text, start, len(text))

    def _tokens_between(self, text: str, start: int, end: int) -> List[Span]:
        spans: List[Span] = []
        for long in filter(_is_too_long, _LONG_STRING.finditer(text, start, end)):
            spans += self._split(text, start, long.start())
            spans += (run.span() for run in _RUN.finditer(text, *long.span()))
            start = long.end()
        return spans + self._split(text, start, end)

    def _last_token_split(self, text: str, sentence: List[Span]) -> List[Span]:
        return english_tokenizer.last_token_split(text, sentence) if self._is_english else sentence


def has_tags(text: str) -> bool:
    """Whether a text looks like HTML."""
    return "<" in text and _TAG.search(text) is not None


def _without_marks(text: str) -> Tuple[str, List[Span]]:
    """Replaces tags and citations by white space, and returns the citations' tokens."""

    def white(found: "re.Match[str]") -> str:
        is_line = found.re is _TAG and found["line"]
        return ("\n" if is_line else " ") + " " * (len(found[0]) - 1)

    if "<" in text:
        text = _TAG.sub(white, text)
    if "]" not in text:
        return text, []
    places = [mark.span() for mark in _MARKS.finditer(text)]
    marks = [part.span() for place in places for part in _PARTS.finditer(text, *place)]
    return _MARKS.sub(white, text), marks


def _with_marks(sentences: List[List[Span]], marks: List[Span]) -> List[List[Span]]:
    starts = [sentence[0][0] for sentence in sentences if sentence]
    added: Dict[int, List[Span]] = {}
    for mark in marks if starts else ():
        added.setdefault(max(bisect(starts, mark[0]) - 1, 0), []).append(mark)
    return [sorted([*s, *added.get(number, ())]) for number, s in enumerate(sentences)]


def words_at(text: str, offsets: Sequence[Span]) -> List[str]:
    """Leaves out invisible characters."""
    words = [text[start:end] for start, end in offsets]
    return words if text.isascii() else [_INVISIBLE.sub("", word) for word in words]


def _in_text(text: str, sentences: List[List[Span]]) -> List[List[Span]]:
    """From offsets in a text without invisible characters to offsets in the text."""
    if text.isascii() or not _INVISIBLE.search(text):
        return sentences
    places = [place for place, c in enumerate(text) if not _INVISIBLE.match(c)]
    return [[(places[a], places[b - 1] + 1) for a, b in sentence] for sentence in sentences]


def _is_too_long(string: "re.Match[str]") -> bool:
    letters = sum(map(str.isalnum, string[0]))
    return len(string[0]) > min(LONGEST_TOKEN, 2 * letters)


class _SpacySplit:
    """Needs no trained model."""

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
