"""
The tokens of English, by spaCy's algorithm and the rules of `scripts/english_rules.py`.

    >>> text = "She didn't sing (in the U.S.)."
    >>> [text[start:end] for start, end in split(text, 0, len(text))]
    ['She', 'did', "n't", 'sing', '(', 'in', 'the', 'U.S.', ')', '.']

spaCy describes the algorithm in https://spacy.io/usage/linguistic-features#how-tokenizer-works. Of
each string without white space, prefixes and suffixes are cut off until the rest is a special case
or one token, or has no more of them. The rest is split at infixes. At last, adjacent tokens that
together are a special case become the tokens of that case. The rules are loaded for the first text.
"""

import json
import re
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, Dict, FrozenSet, List, NamedTuple, Optional, Set, Tuple

from lisa_allennlp.text.sentence_splitter import Span

RULES_FILE = Path(__file__).with_name("english_rules.json")

MOST_STRINGS = 20_000
"""The number of different strings, words above all, whose tokens are kept."""

_NO_APOSTROPHES = str.maketrans("", "", "'’")
_STRING = re.compile(r"\S+")


def split(text: str, start: int, end: int) -> List[Span]:
    """Finds the tokens of a part of a text between white space or the text's ends."""
    spans: List[Span] = []
    has_case = False
    for string in _STRING.finditer(text, start, end):
        parts, is_changed = _split_string(string[0])
        has_case = has_case or is_changed
        if len(parts) == 1:
            spans.append(string.span())
        else:
            first = string.start()
            spans += [(first + start, first + end) for start, end in parts]
    return _join_cases(text, spans) if has_case else spans


def split_contraction(word: str) -> List[str]:
    """
    Splits a word that is a contraction or a possessive, and no other.

    >>> [split_contraction(word) for word in ("didn’t", "Ann's", "cannot", "O'Hara", "two-hour")]
    [['did', 'n’t'], ['Ann', "'s"], ['can', 'not'], ["O'Hara"], ['two-hour']]
    """
    if not (word[:1].isalpha() and word.translate(_NO_APOSTROPHES).isalpha()):
        return [word]
    return [word[start:end] for start, end in split(word, 0, len(word))]


def last_token_split(text: str, sentence: List[Span]) -> List[Span]:
    """Splits the full stop from an abbreviation at the end of a sentence, as EWT does."""
    if not sentence:
        return sentence
    start, end = sentence[-1]
    if end - start < 2 or text[end - 1] != "." or not text[end - 2].isalpha():
        return sentence
    return [*sentence[:-1], (start, end - 1), (end - 1, end)]


class _Rules(NamedTuple):
    """
    The tokens of special cases (`cases`), the tokens that other rules would make of them
    (`sequences`), and the lengths of sequences by first token.
    """

    cases: Dict[str, List[str]]
    sequences: FrozenSet[Tuple[str, ...]]
    lengths: Dict[str, List[int]]


@cache
def _read() -> Dict[str, Any]:
    return json.loads(RULES_FILE.read_text(encoding="utf-8"))


@cache
def _pattern(name: str) -> "re.Pattern[str]":
    """Compiling a rule takes up to 45 ms."""
    return re.compile(_read()[name])


@cache
def _rules() -> _Rules:
    read = _read()
    cases = [case.split() for case in read["cases"]]
    sequences = frozenset(tuple(sequence.split()) for sequence in read["sequences"])
    lengths: Dict[str, List[int]] = {}
    for first, length in {(sequence[0], len(sequence)) for sequence in sequences}:
        lengths.setdefault(first, []).append(length)
    return _Rules({"".join(tokens): tokens for tokens in cases}, sequences, lengths)


@lru_cache(MOST_STRINGS)
def _split_string(string: str) -> Tuple[Tuple[Span, ...], bool]:
    """Finds the tokens of a string without white space; tells if the last step joins some."""
    rules = _rules()
    first, last = 0, len(string)
    ends: List[int] = []
    ends_of_suffixes: List[int] = []
    while first < last:
        rest = string[first:last]
        if rest in rules.cases or _pattern("unsplit").fullmatch(rest):
            break
        prefix, suffix = _length(_pattern("prefix").match(rest)), 0
        if rest[prefix:] not in rules.cases:
            suffix = _length(_pattern("suffix").search(rest[prefix:]))
            if rest[: len(rest) - suffix] in rules.cases:
                prefix = 0
        if prefix:
            ends.append(first + prefix)
        if suffix:
            ends_of_suffixes.append(last)
        if not prefix and not suffix:
            break
        first, last = first + prefix, last - suffix
    if first < last:
        ends += [first + end for end in _ends_inside(string[first:last])]
    ends += reversed(ends_of_suffixes)
    spans = list(pairwise([0, *ends]))
    return tuple(spans), _join_cases(string, spans) != spans


def _length(match: Optional["re.Match[str]"]) -> int:
    return 0 if match is None else match.end() - match.start()


def _ends_inside(rest: str) -> List[int]:
    rules = _rules()
    if rest in rules.cases:
        return list(accumulate(map(len, rules.cases[rest])))
    if _pattern("unsplit").fullmatch(rest) or _pattern("url").match(rest):
        return [len(rest)]
    # Those at the start have gone as prefixes.
    infixes = (infix.span() for infix in _pattern("infix").finditer(rest))
    return sorted({len(rest), *(position for span in infixes for position in span)})


def _join_cases(text: str, spans: List[Span]) -> List[Span]:
    """
    Replaces tokens that form a special case, the longest and then the first ones. As in spaCy,
    sequences with blanks between their tokens, which are no special case, block others that share a
    token with them.
    """
    rules = _rules()
    words = [text[start:end] for start, end in spans]
    found: List[range] = []
    for first, word in enumerate(words):
        for length in rules.lengths.get(word, ()):
            sequence = slice(first, first + length)
            gaps = (text[a[1] : b[0]] for a, b in pairwise(spans[sequence]))
            if tuple(words[sequence]) in rules.sequences and all(gap in ("", " ") for gap in gaps):
                found.append(range(len(words))[sequence])
    taken: Set[int] = set()
    joined: Dict[int, List[Span]] = {}
    for positions in sorted(found, key=len, reverse=True):
        first, last = positions[0], positions[-1]
        start, end = spans[first][0], spans[last][1]
        case = rules.cases.get(text[start:end])
        if case and taken.isdisjoint((first, last)):
            joined.update(dict.fromkeys(positions, []))
            joined[first] = list(pairwise(accumulate(map(len, case), initial=start)))
        taken.update(positions)
    return [new for i, span in enumerate(spans) for new in joined.get(i, [span])]
