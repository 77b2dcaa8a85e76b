"""
Reads and checks inputs to label.

    >>> import numpy
    >>> reader = RequestReader("en", ["head_indices"])
    >>> given = {"tokens": numpy.array(["She", "left"]), "head_indices": (2, 0), "id": 7}
    >>> request = reader.read(given)
    >>> request.sentence.words, request.head_indices, request.sentence.extra
    (['She', 'left'], [1, 1], {'id': 7})
    >>> reader.read("Don't stop.").sentence.offsets
    [(0, 2), (2, 5), (6, 10), (10, 11)]
"""

import json
import logging
import re
import warnings
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import islice
from math import isfinite
from mmap import mmap
from typing import Any, Collection, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from lisa_allennlp.common.corpus_errors import UTF8
from lisa_allennlp.common.errors import ConfigurationError, did_you_mean
from lisa_allennlp.common.graphs import find_cycle, shown_cycle
from lisa_allennlp.common.json_values import bad_value, expected_of, fields_of, is_unicode, shown
from lisa_allennlp.english.languages import ENGLISH
from lisa_allennlp.labelling.groups import ModelError
from lisa_allennlp.sentence.document import SENTENCES, Document
from lisa_allennlp.sentence.multiword_tokens import MultiwordTokens
from lisa_allennlp.sentence.request import Request
from lisa_allennlp.sentence.roles import VERB, LabelledSpan, is_roleset
from lisa_allennlp.sentence.sentence import (
    ANSWER_KEYS,
    NOT_PER_WORD,
    GivenFrame,
    Offsets,
    Sentence,
    SentenceInput,
    SentenceRecord,
    self_loop_heads,
)
from lisa_allennlp.text.english_tokenizer import split_contraction
from lisa_allennlp.text.raw_text import RawTextTokenizer, has_tags, words_at
from lisa_allennlp.text.sentence_splitter import Network

logger = logging.getLogger(__name__)

_guess = lru_cache(1000)(did_you_mean)

WORD_KEYS = ("sentence", "tokens", "words")
"""The input of a sentence has exactly one of these keys; answers have `words`."""

SPLIT = "split_contractions"

DOCUMENT_KEY = "text"

PIECE_LENGTH = 256
"""
Longer sentences of documents are cut, as time and memory grow with the square of the length: 256
words take a second and 100 MB.
"""

MOST_WORDS = 2000
"""Longer single sentences are refused: one of 2,000 words takes a minute and 0.4 GB."""

MOST_CHARACTERS = 5_000_000
"""Longer documents are refused, because all labels of a document are kept in memory."""

MOST_LEVELS = 100
"""The greatest depth of copied values. Python's functions for JSON fail at about 1,000 levels."""

_ENDS_WITHIN = re.compile(r"[.!?…]\W*\s+\S|\n\s*\S")


class RequestReader:
    """
    Reads an input: raw text, a list of words, or a dictionary, a `SentenceInput`, whose lists may
    be tuples or arrays of NumPy or PyTorch. Besides the words, it reads `keys`. It copies unknown
    keys, refuses those that the output uses, and warns of the first one that is similar to one of
    `keys`. The language (spaCy's code) is for raw text; unless it is English, tokens are split by
    `MultiwordTokens`, and sentences by the network in `splitter`, if any.
    """

    def __init__(
        self,
        language: str,
        keys: Collection[str] = (),
        multiword_tokens: Iterable[str] = (),
        splitter: Sequence[str] = (),
    ) -> None:
        self._language = language
        # The tokenizer for English splits them itself.
        self.multiword_tokens = MultiwordTokens(multiword_tokens if language != ENGLISH else ())
        self._splitter = splitter if language != ENGLISH else ()
        self._keys = tuple(keys)
        self._has_warned = False
        # Forked processes share it, so that there is one note.
        self._has_noted, self._has_noted_tags = mmap(-1, 1), mmap(-1, 1)

    @cached_property
    def network(self) -> Optional[Network]:
        return Network.from_json(json.loads(self._splitter[0])) if self._splitter else None

    @cached_property
    def tokenizer(self) -> RawTextTokenizer:
        """Raises a `ModelError` for a language that spaCy lacks."""
        try:
            return RawTextTokenizer(self._language, self.network)
        except ConfigurationError as error:
            raise ModelError(error.message) from error

    def request_of(
        self, sentence: Sentence, reads_tags: bool, reads_trees: bool, reads_predicates: bool
    ) -> Request:
        """
        Makes a request of an annotated sentence. The labeller reads its tags, its tree or its
        predicates; the answer keeps its annotation except the roles.
        """
        words = sentence.words
        check_sentence_length(len(words))
        heads = tags = predicates = None
        tree = sentence.parse or sentence.injected_parse
        if reads_trees and tree is not None:
            # Refuses cycles. Unknown heads count as roots.
            _head_indices(tree.heads, words, False)
            heads, tags = tree.head_indices, tree.head_tags
        if reads_predicates and sentence.frames is not None:
            predicates = _marks([frame.predicate for frame in sentence.frames], len(words))
        pos = sentence.pos if reads_tags else None
        bare = Sentence(
            words, pos, offsets=sentence.offsets, text=sentence.text, extra=sentence.extra
        )
        return Request(bare, heads, tags, predicates, annotated=replace(sentence, frames=None))

    def warn_of_several_sentences(self, content: Any) -> None:
        text = content.get("sentence") if isinstance(content, Mapping) else content
        if self._has_warned or not isinstance(text, str) or not _ENDS_WITHIN.search(text):
            return
        number = len(self.tokenizer.sentences(text, PIECE_LENGTH))
        if number > 1:
            self._has_warned = True
            warnings.warn(
                f"found {number} sentences in {shown(text, 60)}, which are labelled as one; call "
                "`document` to label each by itself",
                stacklevel=3,
            )

    def read(self, content: Any, reads_tags: bool = False) -> Request:
        """Reads an input; of an answer, its words and, if the labeller `reads_tags`, `pos`."""
        given = _as_mapping(content)
        if is_document(given):
            expected = "`sentence` or `tokens`; the labeller's `document` labels a `text`"
            raise bad_value("the input", given, expected)
        if sum(key in given for key in WORD_KEYS) != 1:
            raise bad_value("the input", given, "one of `sentence`, `tokens` and `words`")
        given, offsets = _unlabelled(given, reads_tags) if "words" in given else (given, None)
        extra = self._extra(given, (*WORD_KEYS, SPLIT), ANSWER_KEYS)
        sentence = self._read_words(given, extra)
        if offsets is not None and sentence.offsets is None:
            sentence = replace(sentence, offsets=offsets)
        words = sentence.words
        check_sentence_length(len(words))
        found = {key: given[key] for key in self._keys if given.get(key) is not None}
        known = {key: _read(key, value, len(words)) for key, value in found.items()}
        if "pos" in known:
            sentence = replace(sentence, pos=known["pos"])
        heads, predicates = known.get("head_indices"), known.get("predicates")
        if heads is None and "head_tags" in known:
            raise bad_value("`head_tags`", known["head_tags"], "`head_indices` as well")
        if heads is not None:
            heads = _head_indices(heads, words, known.get("allow_cycles", False))
        if predicates is not None:
            predicates = _marks(predicates, len(words))
        frames = known.get("given_roles", ())
        if frames:
            frames = _given_frames(frames, len(words), predicates)
        return Request(sentence, heads, known.get("head_tags"), predicates, frames)

    def read_document(self, content: Any) -> Document:
        """
        Reads a document: a string, or a dictionary with `text` and keys to copy. Tokenises its
        sentences, unless it is an answer, which has them.
        """
        given = {DOCUMENT_KEY: content} if isinstance(content, str) else content
        if not is_document(given):
            raise bad_value(
                "the document", content, f"raw text, or an object with `{DOCUMENT_KEY}`"
            )
        text = _read(DOCUMENT_KEY, given[DOCUMENT_KEY])
        for key in self._keys:
            if key in given:
                expected = f"`sentence` or `tokens` with it instead of `{DOCUMENT_KEY}`"
                raise bad_value(f"`{key}`", given[key], expected)
        extra = self._extra(given, [DOCUMENT_KEY, SENTENCES], [])
        check_document_length(len(text))
        self._note_tags(text)
        if SENTENCES in given:
            return Document(text, self._read_sentences(given[SENTENCES], text), extra)
        sentences = [
            self.multiword_tokens.split(
                Sentence(words_at(text, offsets), offsets=offsets, text=text)
            )
            for offsets in self.tokenizer.sentences(text, PIECE_LENGTH)
        ]
        return Document(text, sentences, extra)

    def _read_sentences(self, given: Any, text: str) -> List[Sentence]:
        if expected := expected_of(List[SentenceRecord], given):
            raise bad_value(f"`{SENTENCES}`", given, expected)
        return [replace(self.read(sentence).sentence, text=text) for sentence in given]

    def _extra(
        self, given: Mapping[Any, Any], own: Collection[str], taken: Collection[str]
    ) -> Dict[str, Any]:
        extra = plain_extra({k: v for k, v in given.items() if k not in (*own, *self._keys)})
        for key in extra:
            if key in taken:
                raise ConfigurationError(
                    f"`{key}`: found a key that the output uses; expected another name"
                )
        if not self._has_noted[0]:
            self._note_near_miss(given, extra)
        return extra

    def _note_near_miss(self, given: Mapping[Any, Any], extra: Mapping[str, Any]) -> None:
        missing = tuple(key for key in self._keys if key not in given)
        # Comparisons of many or long keys would take longer than labelling.
        for key in islice(extra, 20):
            if guess := _guess(key[:50], missing):
                self._has_noted[0] = True
                logger.warning("an input has the key `%s`, which is only copied%s", key, guess)
                return

    def _note_tags(self, text: str) -> None:
        if not self._has_noted_tags[0] and has_tags(text):
            self._has_noted_tags[0] = True
            logger.warning("an input looks like HTML: its tags are no words, and are left out")

    def _split_contractions(self, words: List[str], given: Mapping[str, Any]) -> List[str]:
        for key in self._keys:
            if given.get(key) is not None:
                expected = f"none with `{SPLIT}`, which changes the positions of tokens"
                raise bad_value(f"`{key}`", given[key], expected)
        if self._language != ENGLISH:
            raise bad_value(f"`{SPLIT}`", True, "a model of English")
        return [part for word in words for part in split_contraction(word)]

    def _read_words(self, given: Mapping[str, Any], extra: Dict[str, Any]) -> Sentence:
        if "tokens" in given:
            words = _read("tokens", given["tokens"])
            if given.get(SPLIT) is not None and _read(SPLIT, given[SPLIT]):
                words = self._split_contractions(words, given)
            if given.get(DOCUMENT_KEY) is None:
                return Sentence(words, extra=extra)
            text = _read(DOCUMENT_KEY, given[DOCUMENT_KEY])
            return Sentence(words, offsets=_offsets(words, text), text=text, extra=extra)
        text = _read("sentence", given["sentence"])
        if len(text) > MOST_CHARACTERS:
            raise ConfigurationError(
                f"found a sentence of {len(text):,} characters; expected at most "
                f"{MOST_CHARACTERS:,}"
            )
        self._note_tags(text)
        offsets = self.tokenizer.offsets(text)
        words = words_at(text, offsets)
        return self.multiword_tokens.split(Sentence(words, offsets=offsets, text=text, extra=extra))


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


def _unlabelled(
    answer: Mapping[str, Any], reads_tags: bool
) -> Tuple[Dict[str, Any], Optional[Offsets]]:
    """
    Turns an answer into its input, with its offsets. An object with `words` but without labels is
    an input with other keys.
    """
    words = _read("tokens", answer["words"])
    is_labelled = not {"verbs", "predicted_heads", "supertags"}.isdisjoint(answer)
    inputs = {"pos"} if reads_tags else set()
    labels = ANSWER_KEYS - (inputs if is_labelled else {*fields_of(SentenceInput)})
    given = {key: value for key, value in answer.items() if key not in labels}
    offsets = answer.get("offsets")
    if expected := offsets and expected_of(List[Tuple[int, int]], offsets, len(words)):
        raise bad_value("`offsets`", offsets, expected)
    return {**given, "tokens": words}, offsets and [(start, end) for start, end in offsets]


def is_document(content: Any) -> bool:
    """Whether an input has `text`, neither `sentence` nor `tokens`, and no list of `words`."""
    return (
        isinstance(content, Mapping)
        and DOCUMENT_KEY in content
        and not ("sentence" in content or "tokens" in content)
        and not isinstance(content.get("words"), (list, tuple))
    )


def _read(key: str, given: Any, length: int = 0) -> Any:
    """Returns a value in Python's types. Checks its type, and that there is one item per token."""
    value, size = _plain(given), None if key in NOT_PER_WORD else length
    if expected := expected_of(fields_of(SentenceInput)[key], value, size):
        raise bad_value(f"`{key}`", given, expected)
    return list(map(_own, value)) if isinstance(value, (list, tuple)) else _own(value)


def _own(item: Any) -> Any:
    """Python's own form of a string or number, as spaCy takes no subclasses, such as NumPy's."""
    if isinstance(item, dict):
        return item
    return item if isinstance(item, bool) else str(item) if isinstance(item, str) else int(item)


def _plain(value: Any) -> Any:
    """Python's own form of NumPy's and PyTorch's numbers and arrays."""
    to_list = getattr(value, "tolist", None)
    return value if to_list is None or isinstance(value, type) else to_list()


def _offsets(words: Sequence[str], text: str) -> Offsets:
    offsets = []
    end = 0
    for number, word in enumerate(words, start=1):
        start = text.find(word, end)
        if start < 0:
            expected = f"what is in `text` after its first {end} characters"
            raise bad_value(f"`tokens` at token {number}", word, expected)
        end = start + len(word)
        offsets.append((start, end))
    return offsets


def _head_indices(heads: List[int], words: Sequence[str], allow_cycles: bool) -> List[int]:
    """Makes 1-based heads 0-based; there may be several roots."""
    for position, head in enumerate(heads, start=1):
        if not 0 <= head <= len(words) or head == position:
            raise bad_value(
                f"`head_indices` at token {position} ('{words[position - 1]}')",
                head,
                f"0 for the root, or the position of another token, 1 to {len(words)}",
            )
    head_indices = self_loop_heads(heads)
    cycle = None if allow_cycles else find_cycle(head_indices)
    if cycle is not None:
        raise bad_value(
            "`head_indices`",
            heads,
            f'a tree without the cycle {shown_cycle(cycle, words)}, or "allow_cycles": true',
        )
    return head_indices


def _marks(predicates: List[int], length: int) -> List[int]:
    for position in predicates:
        if not 0 <= position < length:
            raise bad_value("`predicates`", position, f"0-based positions below {length}")
    chosen = frozenset(predicates)
    if len(chosen) < len(predicates):
        expected = "the position of each predicate once, from 0, and no mark per word"
        raise bad_value("`predicates`", predicates, expected)
    return [int(position in chosen) for position in range(length)]


def _given_frames(
    items: List[Dict[str, Any]], length: int, predicates: Optional[List[int]]
) -> List[GivenFrame]:
    """Words of `given_roles` must be among given predicates."""
    hints = fields_of(GivenFrame)
    frames: Dict[int, GivenFrame] = {}
    for item in items:
        known = {key: value for key, value in item.items() if value is not None}
        if "index" not in known or not known.keys() <= hints.keys():
            expected = "objects with `index` and, if they are known, `sense` and `spans`"
            raise bad_value("`given_roles`", item, expected)
        for key, value in known.items():
            if expected := expected_of(hints[key], value):
                raise bad_value(f"`{key}` in `given_roles`", value, expected)
        frame: GivenFrame = {"index": int(known["index"])}
        index = frame["index"]
        place = f"`given_roles` of predicate {index}"
        if not 0 <= index < length:
            expected = f"0-based positions below {length}"
            raise bad_value("`index` in `given_roles`", index, expected)
        if predicates is not None and not predicates[index]:
            raise bad_value("`index` in `given_roles`", index, "one of the `predicates`")
        if index in frames:
            raise bad_value("`given_roles`", item, f"one item for predicate {index}")
        if "sense" in known:
            frame["sense"] = str(known["sense"])
            if not is_roleset(frame["sense"]):
                raise bad_value(place, frame["sense"], "a roleset such as `sell.01`")
        spans = [LabelledSpan(str(role), int(a), int(b)) for role, a, b in known.get("spans", ())]
        _check_spans(place, spans, index, length)
        frame["spans"] = spans
        frames[index] = frame
    return list(frames.values())


def _check_spans(place: str, spans: Sequence[LabelledSpan], predicate: int, length: int) -> None:
    taken: Dict[int, LabelledSpan] = {}
    for span in spans:
        role, first, last = span
        if not 0 <= first <= last < length:
            raise bad_value(place, span, f"a first and a last word from 0 to {length - 1}")
        if first != predicate if role == VERB else first <= predicate <= last:
            raise bad_value(place, span, "no role at its word but V, which begins there")
        for token in range(first, last + 1):
            if token in taken:
                raise bad_value(place, span, f"no overlap with {shown(taken[token])}")
            taken[token] = span


def plain_extra(given: Mapping[Any, Any]) -> Dict[str, Any]:
    """
    Returns the keys to copy, with Python's numbers and lists for NumPy's. Refuses values outside
    JSON: keys that are no strings, infinite numbers and NaN, lone surrogates, and more than
    `MOST_LEVELS` levels.
    """
    extra: Dict[str, Any] = {}
    for key, value in given.items():
        if not isinstance(key, str):
            raise bad_value("the input's keys", key, "strings")
        if not is_unicode(key):
            raise bad_value("the input's keys", key, "Unicode text without lone surrogates")
        extra[key] = _plain(value)
        if expected := _expected_in_json(extra[key]):
            raise bad_value(f"`{key}`", extra[key], expected)
    return extra


def _expected_in_json(value: Any, levels: int = MOST_LEVELS) -> str:
    """Returns what JSON needs in place of a value, or the empty string."""
    if isinstance(value, str):
        return "" if is_unicode(value) else "Unicode text without lone surrogates"
    if isinstance(value, float) and not isfinite(value):
        return "finite numbers, as JSON has no others"
    if not isinstance(value, (list, tuple, dict)):
        return ""
    if levels == 0:
        return f"at most {MOST_LEVELS} levels of lists and objects"
    if isinstance(value, dict):
        if not all(isinstance(name, str) for name in value):
            return "objects whose keys are strings"
        value = [*value, *value.values()]
    return next(filter(None, (_expected_in_json(item, levels - 1) for item in value)), "")


def check_sentence_length(length: int) -> None:
    if length > MOST_WORDS:
        raise ConfigurationError(
            f"found a sentence of {length} words; expected at most {MOST_WORDS}. As a document, "
            f"with the key `{DOCUMENT_KEY}`, it is labelled in pieces"
        )


def check_document_length(length: int) -> None:
    if length > MOST_CHARACTERS:
        raise ConfigurationError(
            f"found a document of more than {MOST_CHARACTERS:,} characters; expected shorter ones, "
            "such as chapters or paragraphs"
        )


def decoded(text: bytes) -> str:
    """Decodes UTF-8, with or without a byte order mark."""
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigurationError(
            f"found byte {text[error.start]:#x} at byte {error.start + 1}; expected {UTF8}"
        ) from error


def read_json_line(line: bytes) -> Any:
    """Decodes a line of JSON. No object may have a key twice."""
    text = decoded(line).strip()
    try:
        return json.loads(text, object_pairs_hook=_distinct_keys)
    except json.JSONDecodeError as error:
        raise ConfigurationError(
            f"cannot read this input line as JSON ({error.msg} at character {error.pos + 1}): "
            f'{shown(text)}; expected for example {{"sentence": "She saw him ."}}'
        ) from error
    except (ValueError, RecursionError) as error:
        # Numbers with thousands of digits, or brackets nested thousands of levels deep.
        raise ConfigurationError(f"found {shown(text, 80)}; expected JSON ({error})") from error


def _distinct_keys(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    found: Dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ConfigurationError(f"found the key {shown(key)} twice; expected it once")
        found[key] = value
    return found
