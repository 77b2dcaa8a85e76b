"""
From a Doc to sentences to label, and from labels to the Doc.

LISA reads the Doc's own tokens, sentence by sentence, but no whitespace tokens. The positions of
the tokens that it reads link its labels to the Doc:

    >>> import spacy
    >>> doc = spacy.blank("en")("She  left. \\n They stayed.")
    >>> [sentence.positions for sentence in doc_sentences(doc)]
    [[0, 2, 3], [5, 6, 7]]
    >>> doc_sentences(doc)[1].content
    {'tokens': ['They', 'stayed', '.']}
"""

from collections import defaultdict
from dataclasses import fields
from itertools import chain
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Set, Tuple

import numpy
from spacy.attrs import DEP, HEAD, SENT_START
from spacy.tokens import Doc

from lisa_allennlp.apps.spacy import DocFrame, doc_frames, remove_frames, store_frame
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.sentence.multiword_tokens import MultiwordTokens
from lisa_allennlp.sentence.sentence import Sentence, one_based_heads
from lisa_allennlp.text.sentence_splitter import Network, split_sentences

SPACE_TAG, SPACE_POS, SPACE_LABEL = "_SP", "SPACE", "dep"
"""Of whitespace tokens, as in spaCy's own English pipelines."""

_DETAILS = [f.name for f in fields(DocFrame) if f.name not in ("predicate", "roles")]


class DocSentence(NamedTuple):
    """
    A sentence of a Doc: its tokens from `start` up to `end`, the position of each word that LISA
    reads, and a labeller's input. Whitespace is no word, and a multiword token is several, with the
    same position.
    """

    start: int
    end: int
    positions: List[int]
    content: Dict[str, Any]


def doc_sentences(
    doc: Doc,
    with_heads: bool = False,
    multiword: Optional[MultiwordTokens] = None,
    splitter: Optional[Network] = None,
) -> List[DocSentence]:
    """
    Reads the sentences of a Doc, which `split_sentences` finds if there are no boundaries.
    `with_heads` adds the Doc's parse, whose tokens are not split.
    """
    if with_heads and not doc.has_annotation("DEP"):
        raise ConfigurationError(
            "found a Doc without a parse; expected a parser earlier in the pipeline, "
            "since `parse` is 'doc'"
        )
    sentences = []
    for start, end in _boundaries(doc, splitter):
        words = [token for token in doc[start:end] if not token.is_space]
        positions = [token.i for token in words]
        content: Dict[str, Any] = {"tokens": [token.text for token in words]}
        if multiword is not None and not with_heads:
            parts = [multiword.words(token.text) for token in words]
            positions = [token.i for token, part in zip(words, parts, strict=True) for _ in part]
            content["tokens"] = [*chain.from_iterable(parts)]
        if with_heads:
            heads = _heads_of_words(doc, start, end, positions)
            content["head_indices"] = one_based_heads(heads)
        sentences.append(DocSentence(start, end, positions, content))
    return sentences


def _boundaries(doc: Doc, splitter: Optional[Network]) -> Iterable[Tuple[int, int]]:
    if doc.has_annotation("SENT_START"):
        return [(sentence.start, sentence.end) for sentence in doc.sents]
    words = [token for token in doc if not token.is_space]
    spans = [(token.idx, token.idx + len(token)) for token in words]
    sentences = split_sentences(doc.text, spans, splitter)
    positions = {token.idx: token.i for token in words}
    # Whitespace tokens belong to the sentence before them.
    starts = [0, *(positions[sentence[0][0]] for sentence in sentences[1:])] if len(doc) else []
    return zip(starts, [*starts[1:], len(doc)], strict=True)


def _heads_of_words(doc: Doc, start: int, end: int, positions: Sequence[int]) -> List[int]:
    """
    The 0-based heads among a sentence's words; a root is its own head. Arcs skip whitespace tokens,
    and words below one that is the root become roots.
    """
    numbers = {position: number for number, position in enumerate(positions)}
    found = []
    for number, position in enumerate(positions):
        head = doc[position].head.i
        # Whitespace tokens may be a cycle: spaCy does not check the heads of a Doc.
        for _ in range(start, end):
            if start <= head < end and head not in numbers:
                head = doc[head].head.i
        if not start <= head < end:
            raise ConfigurationError(
                f"found token {head} as the head of token {position}; expected a token of the "
                f"same sentence, {start} to {end - 1}"
            )
        found.append(numbers.get(head, number))
    return found


def set_tags(doc: Doc, sentences: Sequence[DocSentence], labelled: Sequence[Sentence]) -> None:
    """Sets the `tag` of all tokens and, if known, `pos` and `lemma`."""
    for token in doc:
        token.tag_ = SPACE_TAG
    for sentence, labels in zip(sentences, labelled, strict=True):
        spaces = [token for token in doc[sentence.start : sentence.end] if token.is_space]
        words = [(number, doc[sentence.positions[number]]) for number in _heads(sentence, labels)]
        for number, token in words:
            token.tag_ = labels.pos[number] if labels.pos else ""
        if labels.upos is not None:
            for number, token in words:
                token.pos_ = labels.upos[number]
            for token in spaces:
                token.pos_ = SPACE_POS
        if labels.lemmas is not None:
            for number, token in words:
                token.lemma_ = labels.lemmas[number]
            for token in spaces:
                token.lemma_ = token.text


def _heads(sentence: DocSentence, labels: Sentence) -> List[int]:
    """The number of each token's word, or of the highest of several words."""
    words: Dict[int, List[int]] = defaultdict(list)
    for number, position in enumerate(sentence.positions):
        words[position].append(number)
    if labels.parse is None:
        return [numbers[0] for numbers in words.values()]
    return [labels.parse.span_head(numbers[0], numbers[-1]) for numbers in words.values()]


def set_parse(doc: Doc, sentences: Sequence[DocSentence], labelled: Sequence[Sentence]) -> None:
    """
    Sets `head`, `dep` and sentence boundaries. A whitespace token depends on the word before it, or
    else on the sentence's first word.
    """
    heads, starts = list(range(len(doc))), [-1] * len(doc)
    for token in doc:
        token.dep_ = SPACE_LABEL
    for sentence, labels in zip(sentences, labelled, strict=True):
        starts[sentence.start] = 1
        head = sentence.positions[0] if sentence.positions else sentence.start
        for token in doc[sentence.start : sentence.end]:
            head = head if token.is_space else token.i
            heads[token.i] = head
        if not sentence.positions:
            doc[head].dep_ = "ROOT"
        assert labels.parse is not None
        for number in _heads(sentence, labels):
            position, tag = sentence.positions[number], labels.parse.head_tags[number]
            heads[position] = sentence.positions[labels.parse.head_indices[number]]
            # spaCy's name for the root of UD.
            doc[position].dep_ = "ROOT" if tag == "root" else tag
    offsets = numpy.array(heads, numpy.int64) - numpy.arange(len(doc))
    # Negative numbers wrap in the form that spaCy reads. Without the labels, it would not find the
    # children of the heads.
    labels_of_arcs = numpy.array([token.dep for token in doc], numpy.uint64)
    array: Any = numpy.stack([offsets.astype(numpy.uint64), labels_of_arcs], axis=1)
    doc.from_array([HEAD, DEP], array)
    # spaCy derives the boundaries from the heads, which takes it too many rounds for some
    # non-projective trees.
    array = numpy.array(starts, numpy.int64).astype(numpy.uint64)
    doc.from_array([SENT_START], array)


def set_frames(doc: Doc, sentences: Sequence[DocSentence], labelled: Sequence[Sentence]) -> None:
    remove_frames(doc)
    for sentence, labels in zip(sentences, labelled, strict=True):
        positions = sentence.positions
        for frame in labels.frames or []:
            roles = [(s.role, positions[s.first], positions[s.last]) for s in frame.roles]
            details = {name: getattr(frame, name) for name in _DETAILS}
            known = {name: value for name, value in details.items() if value is not None}
            store_frame(doc, positions[frame.predicate], roles, **known)


def argument_spans(doc: Doc) -> Set[Tuple[Any, ...]]:
    """
    Returns the arguments of a Doc's frames, for scoring: the character offset of the predicate, the
    role, and the characters of its span and continuations.
    """
    found: Set[Tuple[Any, ...]] = set()
    for frame in doc_frames(doc):
        arguments: List[List[Any]] = []
        for span in frame.roles:
            characters = (span.start_char, span.end_char)
            role = span.label_.removeprefix("C-")
            begun = [a for a in arguments if a[0] == role] if role != span.label_ else []
            if begun:
                begun[-1].append(characters)
            else:
                arguments.append([role, characters])
        found.update((frame.predicate.idx, *a) for a in arguments if a[0] != "V")
    return found
