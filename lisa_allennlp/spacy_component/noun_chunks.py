"""
`Doc.noun_chunks` of Docs with trees of Universal or Stanford Dependencies, for English. spaCy's own
iterator expects other labels, and takes a preposition before a noun for a part of its phrase.

    >>> import spacy
    >>> words, heads = "the old city of York and its walls".split(), [2, 2, 2, 4, 2, 7, 7, 2]
    >>> deps = ["det", "amod", "ROOT", "case", "nmod", "cc", "nmod:poss", "conj"]
    >>> pos = ["DET", "ADJ", "NOUN", "ADP", "PROPN", "CCONJ", "PRON", "NOUN"]
    >>> nlp = spacy.blank("en")
    >>> doc = spacy.tokens.Doc(nlp.vocab, words=words, heads=heads, deps=deps, pos=pos)
    >>> doc.noun_chunks_iterator = noun_chunks
    >>> list(doc.noun_chunks)
    [the old city, York, its walls]
"""

from typing import Iterator, Tuple, Union

from spacy.errors import Errors
from spacy.symbols import NOUN, PRON, PROPN
from spacy.tokens import Doc, Span, Token

_BEFORE = frozenset(
    "amod compound det det:predet flat nmod:desc nmod:poss nummod nn num poss predet".split()
)
"""Labels of what belongs to the phrase before its head."""

_AFTER = frozenset(["flat", "goeswith"])
"""Labels of what belongs to the phrase after its head, such as surnames."""

_NO_HEAD = frozenset("advmod case cc discourse expl fixed mark punct".split())
"""Labels of words that neither head a phrase nor belong to one."""


def noun_chunks(doclike: Union[Doc, Span]) -> Iterator[Tuple[int, int, int]]:
    """Yields the start, the end (exclusive) and the label of each base noun phrase."""
    if not doclike.doc.has_annotation("DEP"):
        raise ValueError(Errors.E029)
    label = doclike.doc.vocab.strings.add("NP")
    end = 0
    for word in doclike:
        if word.i >= end and word.pos in (NOUN, PRON, PROPN) and _is_head(word):
            start, end = max(end, _start(word)), _end(word)
            yield start, end, label


def _is_head(word: Token) -> bool:
    while word.dep_ == "conj" and word.head.i < word.i:
        word = word.head
    return word.dep_ not in _BEFORE | _AFTER | _NO_HEAD


def _start(word: Token) -> int:
    start = word.i
    for child in reversed(list(word.lefts)):
        if child.dep_ in _BEFORE:
            start = child.left_edge.i
        elif child.dep_ != "punct":
            break
    # A preposition may be attached to a possessor.
    while word.doc[start].dep_ in ("case", "cc", "mark", "punct"):
        start += 1
    return start


def _end(word: Token) -> int:
    end = word.i + 1
    for child in word.rights:
        if child.dep_ not in _AFTER:
            break
        end = child.i + 1
    return end
