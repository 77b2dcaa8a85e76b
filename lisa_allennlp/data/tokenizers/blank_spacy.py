"""spaCy's rule-based tokenizer."""

import re
from typing import Any, List

import numpy
import spacy
from allennlp.common.checks import ConfigurationError
from allennlp.data.tokenizers import Token, Tokenizer
from spacy.attrs import IS_SPACE, LENGTH, SPACY

from lisa_allennlp.data.tokenizers.english_rules import adapt_to_treebank
from lisa_allennlp.data.tokenizers.sentence_splitter import Span, in_pieces, split_sentences

LONGEST_TOKEN = 500
"""
In characters. The time that spaCy takes for a string without white space grows with the square of
its length, so that longer strings, and long ones that are mostly punctuation, are cut by a simpler
rule: runs of letters and digits, and runs of punctuation.
"""

LARGEST_VOCABULARY = 500_000
"""
spaCy keeps every word that it has seen. When there are more than this number of words, the
tokenizer is made anew.
"""

_LONG_STRING = re.compile(r"\S{50,}")
_RUN = re.compile(rf"\w{{1,{LONGEST_TOKEN}}}|[^\w\s]{{1,{LONGEST_TOKEN}}}")


@Tokenizer.register("blank_spacy")
class BlankSpacyTokenizer(Tokenizer):
    """
    Tokenizes with spaCy's rules for a language, which need no trained model. As in treebanks,
    clitics and punctuation become tokens. White space never does. English follows the conventions
    of the English Web Treebank (`english_rules`).

    Registered as a `Tokenizer` with name "blank_spacy".

        >>> tokenizer = BlankSpacyTokenizer()
        >>> tokenizer.tokenize("She didn't sing.")
        [She, did, n't, sing, .]

    # Parameters

    language : `str`, optional (default = `"en"`)
        spaCy's language code.

    # Raises

    `ConfigurationError`
        If spaCy has no such language, or a package that it needs is missing.
    """

    def __init__(self, language: str = "en") -> None:
        self._language = language
        try:
            self._tokenizer = _make_tokenizer(language)
        except (ImportError, AttributeError, TypeError, ValueError) as error:
            raise ConfigurationError(
                f"language is {language!r}; expected one of spaCy's language codes, such as 'en', "
                f"with its packages installed ({' '.join(str(error).split())})"
            ) from error

    def tokenize(self, text: str) -> List[Token]:
        return [Token(text[i:j], idx=i, idx_end=j) for i, j in self.offsets(text)]

    def offsets(self, text: str) -> List[Span]:
        """
        # Parameters

        text : `str`
            One sentence.

        # Returns

        `List[Tuple[int, int]]`
            The start and the end (exclusive) of each token in the text, in characters.
        """
        return self._with_full_stop(text, self._tokens(text))

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
            for piece in in_pieces(text, self._with_full_stop(text, sentence), max_words)
        ]

    def _tokens(self, text: str) -> List[Span]:
        if len(self._tokenizer.vocab) > LARGEST_VOCABULARY:
            self._tokenizer = _make_tokenizer(self._language)
        tokenizer = self._tokenizer
        spans: List[Span] = []
        start = 0
        for long in filter(_is_too_long, _LONG_STRING.finditer(text)):
            spans += _spans(tokenizer, text, start, long.start())
            spans += (run.span() for run in _RUN.finditer(text, *long.span()))
            start = long.end()
        return spans + _spans(tokenizer, text, start, len(text))

    def _with_full_stop(self, text: str, sentence: List[Span]) -> List[Span]:
        """Makes the full stop after an abbreviation at the end of a sentence a token (EWT)."""
        if self._language != "en" or not sentence:
            return sentence
        start, end = sentence[-1]
        if end - start < 2 or text[end - 1] != "." or not text[end - 2].isalpha():
            return sentence
        return [*sentence[:-1], (start, end - 1), (end - 1, end)]


def _make_tokenizer(language: str) -> Any:
    nlp = spacy.blank(language)
    if language == "en":
        adapt_to_treebank(nlp)
    return nlp.tokenizer


def _is_too_long(string: "re.Match[str]") -> bool:
    letters = sum(map(str.isalnum, string[0]))
    return len(string[0]) > min(LONGEST_TOKEN, 2 * letters)


def _spans(tokenizer: Any, text: str, start: int, end: int) -> List[Span]:
    if start == end:
        return []
    doc = tokenizer(text[start:end] if end - start < len(text) else text)
    lengths, blanks, is_space = doc.to_array([LENGTH, SPACY, IS_SPACE]).astype(numpy.int64).T
    ends = numpy.cumsum(lengths + blanks) - blanks + start
    keep = is_space == 0
    return list(zip((ends - lengths)[keep].tolist(), ends[keep].tolist(), strict=True))
