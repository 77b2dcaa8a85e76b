"""
Multiword tokens: words of a text such as the Spanish `del` that a treebank writes as several, `de`
and `el`. A model learns them from the rows of CoNLL-U with a range of ids, such as `3-4`.

    >>> from lisa_allennlp.sentence.sentence import Sentence
    >>> tokens = MultiwordTokens(["del de el", "nos nos", "nos en los"])
    >>> raw = Sentence(["Del", "mar", "nos"], offsets=[(0, 3), (4, 7), (8, 11)])
    >>> split = tokens.split(raw)
    >>> split.words, split.offsets
    (['De', 'el', 'mar', 'nos'], [(0, 3), (0, 3), (4, 7), (8, 11)])
    >>> [line.split("\\t")[:2] for _, line in split.extra["conllu"]["others"]]
    [['1-2', 'Del']]
"""

import re
from dataclasses import replace
from typing import Collection, Dict, Iterable, Iterator, List, Sequence, Set, Tuple

from lisa_allennlp.sentence.document import CONLLU
from lisa_allennlp.sentence.sentence import Sentence

NAMESPACE = "multiword_labels"
"""
The vocabulary namespace of multiword tokens: a token and its words in small letters, separated by
blanks, the most frequent first. A token that is also a word has an entry, `nos nos`.
"""

_RANGE = re.compile(r"([0-9]+)-([0-9]+)\t([^\t ]+)")


def multiword_tokens(sentence: Sentence) -> Iterator[Tuple[str, int, int]]:
    """Yields each multiword token's form, and its first and last (inclusive) word, 0-based."""
    for _, line in sentence.extra.get(CONLLU, {}).get("others", ()):
        match = _RANGE.match(line)
        if match is not None:
            yield match[3], int(match[1]) - 1, int(match[2]) - 1


def forms_of(sentences: Iterable[Sentence]) -> Set[str]:
    return {form.lower() for sentence in sentences for form, _, _ in multiword_tokens(sentence)}


def entries_of(sentence: Sentence, forms: Collection[str]) -> List[str]:
    if not forms:
        return []
    words = [word.lower() for word in sentence.words]
    found: List[str] = []
    inside: Set[int] = set()
    for form, first, last in multiword_tokens(sentence):
        found.append(" ".join([form.lower(), *words[first : last + 1]]))
        inside |= {*range(first, last + 1)}
    alone = (w for number, w in enumerate(words) if number not in inside and w in forms)
    return [*found, *(f"{word} {word}" for word in alone)]


class MultiwordTokens:
    """Splits tokens as a treebank does, from the entries of `NAMESPACE`."""

    def __init__(self, entries: Iterable[str] = ()) -> None:
        self._words: Dict[str, List[str]] = {}
        for entry in entries:
            form, *words = entry.split(" ")
            self._words.setdefault(form, words)

    def words(self, token: str) -> List[str]:
        found = self._words.get(token.lower(), ())
        return _with_capitals(found, token) if len(found) > 1 else [token]

    def split(self, sentence: Sentence) -> Sentence:
        """
        Splits multiword tokens of raw text; words have the offsets of their token. The rows of the
        tokens are in `extra`, as in a sentence of CoNLL-U.
        """
        words: List[str] = []
        offsets: List[Tuple[int, int]] = []
        others: List[List[object]] = []
        for token, span in zip(sentence.words, sentence.offsets or [], strict=True):
            found = self.words(token)
            if len(found) > 1:
                ids = f"{len(words) + 1}-{len(words) + len(found)}"
                others.append([len(words), "\t".join([ids, token, *"_" * 8])])
            words += found
            offsets += [span] * len(found)
        if not others:
            return sentence
        extra = {**sentence.extra, CONLLU: {"others": others}}
        return replace(sentence, words=words, offsets=offsets, extra=extra)


def _with_capitals(words: Sequence[str], token: str) -> List[str]:
    if len(token) > 1 and token.isupper():
        return [word.upper() for word in words]
    first, *others = words
    return [first[:1].upper() + first[1:] if token[:1].isupper() else first, *others]
