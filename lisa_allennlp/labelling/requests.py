"""Reads and checks inputs to label."""

import json
import re
import warnings
from dataclasses import dataclass, replace
from typing import Any, Collection, Dict, List, Mapping, Optional, Sequence, Tuple

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.document import SENTENCES, Document
from lisa_allennlp.data.sentence import ANSWER_KEYS, Sentence
from lisa_allennlp.data.tokenizers.raw_text import RawTextTokenizer
from lisa_allennlp.labelling.errors import bad_value, shown
from lisa_allennlp.labelling.request_parts import (
    plain_extra,
    read_flag,
    read_heads,
    read_offsets,
    read_predicates,
    read_strings,
    read_text,
)

WORD_KEYS = ("sentence", "tokens")
"""The input of a sentence has exactly one of these keys."""

DOCUMENT_KEY = "text"
"""The key of a document, in an input without `WORD_KEYS`."""

MAX_WORDS = 256
"""
The length at which the sentences of documents are cut into pieces. The time and memory of labelling
a sentence grow with the square of its length: 256 words take a second and 100 MB.
"""

MOST_WORDS = 2000
"""Single sentences that are longer are refused: one of 2,000 words takes a minute and 1.2 GB."""

MOST_CHARACTERS = 5_000_000
"""Documents that are longer are refused, because all labels of a document are kept in memory."""


_ENDS_WITHIN = re.compile(r"[.!?…]\W*\s+\S|\n\s*\S")
"""A place where a sentence may end before the text does."""


@dataclass(frozen=True)
class Request:
    """
    A checked input.

    # Parameters

    sentence : `Sentence`
        Has the words, any extra keys and, for raw text, the text and offsets.
    head_indices : `List[int]`, optional
        The heads of a tree to inject, 0-based; a root is its own head.
    head_tags : `List[str]`, optional
        The labels of the tree's arcs.
    predicates : `List[int]`, optional
        1 for each predicate, 0 for the other tokens.
    """

    sentence: Sentence
    head_indices: Optional[List[int]] = None
    head_tags: Optional[List[str]] = None
    predicates: Optional[List[int]] = None


@dataclass(frozen=True)
class DocumentRequest:
    """
    A checked document.

    # Parameters

    document : `Document`
        Its sentences are tokenised and not labelled.
    """

    document: Document

    @property
    def requests(self) -> List[Request]:
        """The requests for its sentences."""
        return [Request(sentence) for sentence in self.document.sentences]


class RequestReader:
    """
    Reads an input: a string of raw text, a list of words, or a dictionary with `sentence` or
    `tokens` and other keys. `tokens` with their raw `text` have offsets. Unknown keys are copied to
    the output unless the output uses them itself.

    >>> request = RequestReader("en").read({"sentence": "Don't stop.", "id": 7})
    >>> request.sentence.words, request.sentence.offsets[1], request.sentence.extra
    (['Do', "n't", 'stop', '.'], (2, 5), {'id': 7})

    # Parameters

    language : `str`
        The language of raw text, for tokenisation (spaCy's code).
    keys : `Collection[str]`, optional
        The keys to read: any of `head_indices` (1-based, 0 for the root, as in CoNLL-U),
        `head_tags`, `allow_cycles` (of the heads), `predicates` (0-based positions) and `pos`.

    # Raises

    `ConfigurationError`
        In `read`, if an input is invalid.
    """

    def __init__(self, language: str, keys: Collection[str] = ()) -> None:
        self._tokenizer = RawTextTokenizer(language)
        self._keys = frozenset(keys)
        self._has_warned = False

    def warn_of_several_sentences(self, content: Any) -> None:
        """Warns once of raw text that has several sentences, which `read` makes one."""
        text = content.get("sentence") if isinstance(content, Mapping) else content
        if self._has_warned or not isinstance(text, str) or not _ENDS_WITHIN.search(text):
            return
        number = len(self._tokenizer.sentences(text, MAX_WORDS))
        if number > 1:
            self._has_warned = True
            warnings.warn(
                f"found {number} sentences in {shown(text, 60)}, which are labelled as one; call "
                "`document` to label each by itself",
                stacklevel=3,
            )

    def read(self, content: Any) -> Request:
        """Reads one input: a string, a list of words, or a dictionary."""
        given = _as_mapping(content)
        if is_document(given):
            expected = "`sentence` or `tokens`; the labeller's `document` labels a `text`"
            raise bad_value("the input", given, expected)
        if ("sentence" in given) == ("tokens" in given):
            raise bad_value("the input", given, "either `sentence` or `tokens`")
        extra = self._extra(given, WORD_KEYS)
        for key in extra:
            if key in ANSWER_KEYS:
                raise _key_of_output(key)
        known = {key: given.get(key) for key in self._keys}
        sentence = self._read_words(given, extra)
        words = sentence.words
        check_sentence_length(len(words))
        if known.get("pos") is not None:
            sentence = replace(sentence, pos=read_strings("pos", known["pos"], len(words)))
        head_indices, head_tags = _read_tree(known, words)
        predicates = known.get("predicates")
        if predicates is not None:
            predicates = read_predicates(predicates, len(words))
        return Request(sentence, head_indices, head_tags, predicates)

    def read_document(self, content: Any) -> DocumentRequest:
        """Reads a document: a string, or a dictionary with `text` and other keys to copy."""
        given = {DOCUMENT_KEY: content} if isinstance(content, str) else content
        if not is_document(given):
            raise bad_value(
                "the document", content, f"raw text, or an object with `{DOCUMENT_KEY}`"
            )
        text = read_text(DOCUMENT_KEY, given[DOCUMENT_KEY])
        for key in given:
            if key in self._keys:
                expected = f"`sentence` or `tokens` with it instead of `{DOCUMENT_KEY}`"
                raise bad_value(f"`{key}`", given[key], expected)
            if key == SENTENCES:
                raise _key_of_output(key)
        check_document_length(len(text))
        sentences = [
            Sentence([text[start:end] for start, end in offsets], offsets=offsets, text=text)
            for offsets in self._tokenizer.sentences(text, MAX_WORDS)
        ]
        extra = self._extra(given, (DOCUMENT_KEY,))
        return DocumentRequest(Document(text, sentences, extra))

    def _extra(self, given: Mapping[str, Any], own: Sequence[str]) -> Dict[str, Any]:
        others = {k: v for k, v in given.items() if k not in own and k not in self._keys}
        return plain_extra(others)

    def _read_words(self, given: Mapping[str, Any], extra: Dict[str, Any]) -> Sentence:
        if "tokens" in given:
            words = read_strings("tokens", given["tokens"])
            if given.get(DOCUMENT_KEY) is None:
                return Sentence(words, extra=extra)
            text = read_text(DOCUMENT_KEY, given[DOCUMENT_KEY])
            return Sentence(words, offsets=read_offsets(words, text), text=text, extra=extra)
        text = read_text("sentence", given["sentence"])
        if len(text) > MOST_CHARACTERS:
            raise ConfigurationError(
                f"found a sentence of {len(text):,} characters; expected at most "
                f"{MOST_CHARACTERS:,}"
            )
        offsets = self._tokenizer.offsets(text)
        words = [text[start:end] for start, end in offsets]
        return Sentence(words, offsets=offsets, text=text, extra=extra)


def is_document(content: Any) -> bool:
    """Whether an input is an object with `text`, and neither `sentence` nor `tokens`."""
    return (
        isinstance(content, Mapping)
        and DOCUMENT_KEY in content
        and not any(key in content for key in WORD_KEYS)
    )


def check_sentence_length(length: int) -> None:
    """
    # Raises

    `ConfigurationError`
        If a sentence has more than `MOST_WORDS`.
    """
    if length > MOST_WORDS:
        raise ConfigurationError(
            f"found a sentence of {length} words; expected at most {MOST_WORDS}. As a document, "
            f"with the key `{DOCUMENT_KEY}`, it is labelled in pieces"
        )


def check_document_length(length: int) -> None:
    """
    # Raises

    `ConfigurationError`
        If a document has more than `MOST_CHARACTERS`.
    """
    if length > MOST_CHARACTERS:
        raise ConfigurationError(
            f"found a document of more than {MOST_CHARACTERS:,} characters; expected shorter ones, "
            "such as chapters or paragraphs"
        )


def _key_of_output(key: str) -> ConfigurationError:
    return ConfigurationError(f"`{key}`: found a key that the output uses; expected another name")


def decoded(text: bytes) -> str:
    """
    Decodes UTF-8, with or without a byte order mark, which some editors write.

    # Raises

    `ConfigurationError`
        If the bytes are not UTF-8.
    """
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigurationError(
            f"found byte {text[error.start]:#x} at byte {error.start + 1}; expected UTF-8"
        ) from error


def read_json_line(line: bytes) -> Any:
    """
    Decodes a line of a JSON lines file.

    # Raises

    `ConfigurationError`
        If the line is not JSON in UTF-8, or an object has a key twice.
    """
    text = decoded(line).strip()
    try:
        return json.loads(text, object_pairs_hook=distinct_keys)
    except json.JSONDecodeError as error:
        raise ConfigurationError(
            f"cannot read this input line as JSON ({error.msg} at character {error.pos + 1}): "
            f'{shown(text)}; expected for example {{"sentence": "She saw him ."}}'
        ) from error
    except (ValueError, RecursionError) as error:
        # Numbers with thousands of digits, or brackets nested thousands of levels deep.
        raise ConfigurationError(f"found {shown(text, 80)}; expected JSON ({error})") from error


def distinct_keys(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    """
    The object of a JSON decoder's `object_pairs_hook`.

    # Raises

    `ConfigurationError`
        If it has a key twice.
    """
    found: Dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ConfigurationError(f"found the key {shown(key)} twice; expected it once")
        found[key] = value
    return found


def _as_mapping(content: Any) -> Mapping[str, Any]:
    if isinstance(content, str):
        return {"sentence": content}
    if isinstance(content, Mapping):
        return content
    if isinstance(content, (list, tuple)) or hasattr(content, "tolist"):
        return {"tokens": content}
    raise bad_value(
        "the input", content, "raw text, a list of words, or an object with `sentence` or `tokens`"
    )


def _read_tree(
    known: Mapping[str, Any], words: Sequence[str]
) -> Tuple[Optional[List[int]], Optional[List[str]]]:
    """The heads and the labels of a tree to inject."""
    heads, head_tags = known.get("head_indices"), known.get("head_tags")
    allow_cycles = read_flag("allow_cycles", known.get("allow_cycles"))
    if heads is None:
        if head_tags is not None:
            raise bad_value("`head_tags`", head_tags, "`head_indices` as well")
        return None, None
    head_indices = read_heads(heads, words, allow_cycles)
    if head_tags is None:
        return head_indices, None
    return head_indices, read_strings("head_tags", head_tags, len(words))
