"""
Word pieces of given words, as the package `tokenizers` makes them for BERT's and MPNet's kind of
tokenizer. Its tables are those of Unicode 8: of characters that are newer, it knows no categories.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import chain
from typing import Any, Dict, Iterable, Iterator, List, Mapping

CACHED_WORDS = 50_000

_KINDS = {"normalizer": "BertNormalizer", "pre_tokenizer": "BertPreTokenizer", "model": "WordPiece"}

_CJK = re.compile(
    "([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002b81f"
    "\U0002b920-\U0002ceaf\U0002f800-\U0002fa1f])"
)
"""Chinese characters for `tokenizers`, each of which is a word."""

_SPACE = re.compile(r"[^\S\x1c-\x1f]+")


def is_known_tokenizer(tokenizer: Mapping[str, Any]) -> bool:
    kinds = {part: (tokenizer.get(part) or {}).get("type") for part in _KINDS}
    return kinds == _KINDS and not any(token["single_word"] for token in tokenizer["added_tokens"])


class WordPieces:
    """Finds the indices of the pieces of a word, by the contents of a `tokenizer.json`."""

    def __init__(self, tokenizer: Mapping[str, Any]) -> None:
        self._options: Dict[str, Any] = tokenizer["normalizer"]
        if self._options["strip_accents"] is None:
            self._options = {**self._options, "strip_accents": self._options["lowercase"]}
        model = tokenizer["model"]
        self._entries: Dict[str, int] = model["vocab"]
        self._unknown = self._entries[model["unk_token"]]
        self._prefix: str = model["continuing_subword_prefix"]
        self._longest: int = model["max_input_chars_per_word"]
        added = tokenizer["added_tokens"]
        typed = {one["content"]: one["id"] for one in added if not one["normalized"]}
        normalized = {
            self._normalize(one["content"]): one["id"] for one in added if one["normalized"]
        }
        self._added = {**normalized, **typed}
        self.indices = {*self._entries.values(), *self._added.values()}
        self._typed, self._normalized = _any_of(typed), _any_of(normalized)
        self._of_text = lru_cache(CACHED_WORDS)(self._find)

    @property
    def words(self) -> Iterator[str]:
        """The pieces that may begin a word, the most frequent ones first."""
        return (entry for entry in self._entries if not entry.startswith(self._prefix))

    def __call__(self, words: Iterable[str]) -> List[List[int]]:
        """The pieces of each word. One without any, such as a soft hyphen, is the unknown piece."""
        return list(map(self._of_text, words))

    def _find(self, word: str) -> List[int]:
        found: List[int] = []
        # Special pieces have the odd places.
        for number, part in enumerate(self._typed.split(word)):
            if number % 2:
                found.append(self._added[part])
                continue
            for place, text in enumerate(self._normalized.split(self._normalize(part))):
                if place % 2:
                    found.append(self._added[text])
                else:
                    found += chain.from_iterable(map(self._pieces, _words(text)))
        return found or [self._unknown]

    def _normalize(self, text: str) -> str:
        is_plain = text.isascii() and text.isprintable()
        if self._options["clean_text"] and not is_plain:
            text = "".join(map(_clean, text))
        if self._options["handle_chinese_chars"] and not is_plain:
            text = _CJK.sub(r" \1 ", text)
        if self._options["strip_accents"] and not is_plain:
            parts = unicodedata.normalize("NFD", text)
            text = "".join(c for c in parts if unicodedata.category(c) != "Mn")
        # Each character for itself: Python writes a sigma at the end of a word otherwise.
        return "".join(map(str.lower, text)) if self._options["lowercase"] else text

    def _pieces(self, word: str) -> List[int]:
        found: List[int] = []
        start, prefix = 0, ""
        while start < len(word) <= self._longest:
            ends = range(len(word), start, -1)
            end = next((end for end in ends if prefix + word[start:end] in self._entries), None)
            if end is None:
                return [self._unknown]
            found.append(self._entries[prefix + word[start:end]])
            start, prefix = end, self._prefix
        return found or [self._unknown]


def _any_of(texts: Mapping[str, int]) -> "re.Pattern[str]":
    longest_first = sorted(filter(None, texts), key=len, reverse=True)
    return re.compile("(" + ("|".join(map(re.escape, longest_first)) or "(?!)") + ")")


def _words(text: str) -> List[str]:
    spaced = "".join(f" {c} " if _is_punctuation(c) else c for c in text)
    return [word for word in _SPACE.split(spaced) if word]


def _is_punctuation(character: str) -> bool:
    is_symbol = character.isascii() and character.isprintable() and not character.isalnum()
    return is_symbol and character != " " or unicodedata.category(character)[0] == "P"


def _clean(character: str) -> str:
    if character in "\t\n\r":
        return " "
    if unicodedata.category(character) in ("Cc", "Cf", "Co") or character == "\ufffd":
        return ""
    return " " if _SPACE.match(character) else character
