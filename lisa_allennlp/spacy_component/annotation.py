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

from typing import Any, Dict, Iterable, List, NamedTuple, Sequence, Set, Tuple

import numpy
from spacy.attrs import DEP, HEAD, SENT_START, TAG
from spacy.tokens import Doc

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.sentence import Sentence, one_based_heads
from lisa_allennlp.data.tokenizers.sentence_splitter import split_sentences
from lisa_allennlp.spacy_component.frames import doc_frames, remove_frames, store_frame

SPACE_TAG, SPACE_LABEL = "_SP", "dep"
"""The tag and the arc label of whitespace tokens, as in spaCy's own English pipelines."""


class DocSentence(NamedTuple):
    """
    A sentence of a Doc.

    # Parameters

    start, end : `int`
        The positions of the first token and the token after the last one.
    positions : `List[int]`
        The positions in the Doc of the tokens that LISA reads, all but whitespace.
    content : `Dict[str, Any]`
        The input of a labeller.
    """

    start: int
    end: int
    positions: List[int]
    content: Dict[str, Any]


def doc_sentences(doc: Doc, with_heads: bool = False) -> List[DocSentence]:
    """
    # Parameters

    doc : `Doc`
        With or without sentence boundaries; without, `split_sentences` does.
    with_heads : `bool`, optional (default = `False`)
        Whether LISA should attend to the Doc's parse.

    # Raises

    `ConfigurationError`
        If the Doc should have a parse and has none, or an arc crosses a sentence boundary.
    """
    if with_heads and not doc.has_annotation("DEP"):
        raise ConfigurationError(
            "found a Doc without a parse; expected one, from a parser earlier in the pipeline, "
            "since `parse` is 'doc'"
        )
    words = [token.text for token in doc]
    heads = (numpy.arange(len(doc)) + doc.to_array(HEAD).astype(numpy.int64)).tolist()
    sentences = []
    for start, end in _boundaries(doc):
        positions = [i for i in range(start, end) if not words[i].isspace()]
        content: Dict[str, Any] = {"tokens": [words[i] for i in positions]}
        if with_heads:
            content["head_indices"] = one_based_heads(_heads_within(start, end, positions, heads))
        sentences.append(DocSentence(start, end, positions, content))
    return sentences


def _boundaries(doc: Doc) -> Iterable[Tuple[int, int]]:
    if doc.has_annotation("SENT_START"):
        return [(sentence.start, sentence.end) for sentence in doc.sents]
    words = [token for token in doc if not token.is_space]
    spans = [(token.idx, token.idx + len(token)) for token in words]
    sentences = split_sentences(doc.text, spans)
    positions = {token.idx: token.i for token in words}
    # Whitespace tokens belong to the sentence before them.
    starts = [0, *(positions[sentence[0][0]] for sentence in sentences[1:])] if len(doc) else []
    return zip(starts, [*starts[1:], len(doc)], strict=True)


def _heads_within(
    start: int, end: int, positions: Sequence[int], heads: Sequence[int]
) -> List[int]:
    """
    The heads of a sentence's words among its words, 0-based; a root is its own head. Arcs skip
    whitespace tokens. Words below a whitespace token that is the root, or below a cycle of
    whitespace tokens, become roots.
    """
    numbers = {position: number for number, position in enumerate(positions)}
    found = []
    for position in positions:
        head = heads[position]
        # Whitespace tokens may be a cycle: spaCy does not check the heads of a Doc.
        for _ in range(start, end):
            if head in numbers or not start <= head < end:
                break
            head = heads[head]
        if not start <= head < end:
            raise ConfigurationError(
                f"found token {head} as the head of token {position}; expected a token of the "
                f"same sentence, {start} to {end - 1}"
            )
        found.append(numbers.get(head, numbers[position]))
    return found


def set_tags(doc: Doc, sentences: Sequence[DocSentence], labelled: Sequence[Sentence]) -> None:
    """Sets the `tag` of all tokens."""
    tags = [SPACE_TAG] * len(doc)
    for sentence, labels in zip(sentences, labelled, strict=True):
        assert labels.pos is not None
        for position, tag in zip(sentence.positions, labels.pos, strict=True):
            tags[position] = tag
    _set(doc, [TAG], _hashes(doc, tags))


def set_parse(doc: Doc, sentences: Sequence[DocSentence], labelled: Sequence[Sentence]) -> None:
    """Sets the `head` and the `dep` of all tokens, and the sentence boundaries."""
    heads, head_tags = list(range(len(doc))), [SPACE_LABEL] * len(doc)
    starts = [-1] * len(doc)
    for sentence, labels in zip(sentences, labelled, strict=True):
        starts[sentence.start] = 1
        _attach_spaces(sentence, heads, head_tags)
        assert labels.parse is not None
        for position, head, tag in zip(
            sentence.positions, labels.parse.head_indices, labels.parse.head_tags, strict=True
        ):
            heads[position] = sentence.positions[head]
            head_tags[position] = _root_label(tag)
    offsets = [head - position for position, head in enumerate(heads)]
    _set(doc, [HEAD, DEP], _unsigned(offsets), _hashes(doc, head_tags))
    # spaCy derives the boundaries from the heads, which takes it too many rounds for some
    # non-projective trees.
    _set(doc, [SENT_START], _unsigned(starts))


def _attach_spaces(sentence: DocSentence, heads: List[int], head_tags: List[str]) -> None:
    """Attaches each whitespace token to the word before it, or else to the first word."""
    words = frozenset(sentence.positions)
    # Without words, the first whitespace token is the root.
    head = sentence.positions[0] if words else sentence.start
    if not words:
        head_tags[head] = _root_label("root")
    for position in range(sentence.start, sentence.end):
        if position in words:
            head = position
        heads[position] = head


def _root_label(head_tag: str) -> str:
    """spaCy's name for the root of UD."""
    return "ROOT" if head_tag == "root" else head_tag


def set_frames(doc: Doc, sentences: Sequence[DocSentence], labelled: Sequence[Sentence]) -> None:
    """Sets `Doc._.frames`."""
    remove_frames(doc)
    for sentence, labels in zip(sentences, labelled, strict=True):
        positions = sentence.positions
        for frame in labels.frames or []:
            roles = [(s.role, positions[s.first], positions[s.last]) for s in frame.roles]
            details = {
                "gloss": frame.gloss,
                "role_glosses": frame.role_glosses,
                "probability": frame.probability,
                "span_probabilities": frame.span_probabilities,
            }
            known = {name: value for name, value in details.items() if value is not None}
            store_frame(doc, positions[frame.predicate], roles, frame.sense, frame.lemma, **known)


def argument_spans(doc: Doc) -> Set[Tuple[Any, ...]]:
    """
    The arguments of a Doc's frames, for scoring: the character offset of the predicate, the role,
    and the characters of the role's span and of its continuations.
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


def set_spans(doc: Doc, key: str) -> None:
    """Makes a span group of the roles of all frames."""
    doc.spans[key] = [span for frame in doc_frames(doc) for span in frame.roles]


def _hashes(doc: Doc, labels: Sequence[str]) -> numpy.ndarray:
    hashes = {label: doc.vocab.strings.add(label) for label in set(labels)}
    return numpy.array([hashes[label] for label in labels], dtype=numpy.uint64)


def _unsigned(numbers: Sequence[int]) -> numpy.ndarray:
    """Numbers in the form that spaCy reads, where negative ones wrap around."""
    return numpy.array(numbers, dtype=numpy.int64).astype(numpy.uint64)


def _set(doc: Doc, attributes: Sequence[int], *columns: numpy.ndarray) -> None:
    values: Any = numpy.stack(columns, axis=1)
    doc.from_array(list(attributes), values)
