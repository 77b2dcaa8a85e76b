"""
spaCy's rule-based tokenizers, for languages other than English.

>>> text = "Er kam z.B. um acht."
>>> [text[start:end] for start, end in SpacyTokenizer("de").offsets(text)]
['Er', 'kam', 'z.B.', 'um', 'acht', '.']
"""

from typing import Any, List

import numpy
import spacy
from spacy.attrs import IS_SPACE, LENGTH, SPACY

from lisa_allennlp.data.tokenizers.raw_text import RawTextTokenizer
from lisa_allennlp.data.tokenizers.sentence_splitter import Span

LARGEST_VOCABULARY = 500_000
"""
spaCy keeps every word that it has seen. When there are more than this number of words, the
tokenizer is made anew.
"""


class SpacyTokenizer(RawTextTokenizer):
    """
    Tokenizes with spaCy's rules for a language, which need no trained model.

    # Parameters

    language : `str`
        spaCy's code.
    """

    def __init__(self, language: str) -> None:
        self._language = language
        # spaCy types it more generally than it is.
        self._tokenizer: Any = spacy.blank(language).tokenizer

    def _tokens(self, text: str) -> List[Span]:
        if len(self._tokenizer.vocab) > LARGEST_VOCABULARY:
            self._tokenizer = spacy.blank(self._language).tokenizer
        return super()._tokens(text)

    def _split(self, text: str, start: int, end: int) -> List[Span]:
        if start == end:
            return []
        doc = self._tokenizer(text[start:end])
        lengths, blanks, is_space = doc.to_array([LENGTH, SPACY, IS_SPACE]).astype(numpy.int64).T
        ends = numpy.cumsum(lengths + blanks) - blanks + start
        keep = is_space == 0
        return list(zip((ends - lengths)[keep].tolist(), ends[keep].tolist(), strict=True))
