"""
Splits the tokens of a text into sentences. The rules are about tokens rather than characters,
because the tokenizer has already separated the full stops of sentences from those of abbreviations.

    >>> text = 'Mr. Hu left at 5 p.m. He said: "It is late!" Is 3.5 e.g. late? no :) Next'
    >>> starts = [match.start() for match in re.finditer(r"\\S+", text)]
    >>> from lisa_allennlp.data.tokenizers.raw_text import RawTextTokenizer
    >>> for sentence in split_sentences(text, RawTextTokenizer("en").offsets(text)):
    ...     print(text[sentence[0][0] : sentence[-1][1]])
    Mr. Hu left at 5 p.m.
    He said: "It is late!"
    Is 3.5 e.g. late?
    no :)
    Next

Line breaks that end a paragraph also end a sentence, as opposed to those that wrap long lines.

    >>> text = "Minutes\\n\\nAll were present.\\nNobody spoke."
    >>> [text[:end] for end in paragraph_ends(text)]
    ['Minutes', 'Minutes\\n\\nAll were present.']
"""

import re
from typing import Iterator, List, Sequence, Tuple

Span = Tuple[int, int]
"""The start and the end (exclusive) of a token, in characters."""

CLOSERS = frozenset("' \" '' ’ ” ’’ » › ) ] } * >>".split())
"""Tokens that belong to the sentence before them if there is no white space in between."""

TITLES = frozenset(
    "Mr. Mrs. Ms. Dr. Drs. Prof. St. Gen. Col. Lt. Sgt. Capt. Gov. Sen. Rep. Rev. vs. e.g. i.e. "
    "No. cf.".split()
)
"""Abbreviations that never end a sentence."""

STARTERS = frozenset(
    "A After All Also An And Any As At Because But By Each Every Everyone For From He Her Here "
    "His How However I If In Is It Its Later Many Most My No Nobody Not Now On One Or Our Please "
    "She Since So Some Such That The Their Then There These They This Those Thus To Today Under "
    "Was We What When Where Which While Who Why With You Your".split()
)
"""A sentence ends at an abbreviation if one of these words follows."""

_TERMINALS = ".?!…。！？"
_FINAL = re.compile(r"\.|[.?!…。！？]*[?!。！？][.?!…。！？]*")
_ELLIPSIS = re.compile(r"\.{2,}|…+\.*")
_EMOTICON = re.compile(r"[:;=8xX][-'o^]?[)(\]\[DPp3/|*]+|[(][:;=]|<3+|\^_*\^")
_EMOTICON_ENDS = ")(][DPp3/|*;:=^"
_ITEM = re.compile(r"[0-9]{1,3}|[A-Za-z]|[ivxIVX]{2,4}")
"""The number or letter of an item in a list, which a full stop follows."""

NARROWEST, WIDEST = 50, 100
"""The least and the greatest width, in characters, of lines that are taken for wrapped."""

_LINE = re.compile(r"([^\n\r\v\f\x85\u2028\u2029]*)(?:\r\n|[\n\r\v\f\x85\u2028\u2029]|$)")

_MOST_CLOSERS = 5
_CONTINUATIONS = ",;:.?!%)]}"


def split_sentences(text: str, offsets: Sequence[Span]) -> List[List[Span]]:
    """
    A sentence ends

    - at the end of a paragraph (`paragraph_ends`);
    - after `.`, `?`, `!` and their repetitions, with quotation marks, brackets and emoticons that
      follow. If there are any, the next word must not be in small letters. The number of a list's
      item (`1.`) ends no sentence;
    - after an ellipsis or an emoticon, if a capital follows;
    - after an abbreviation with a full stop, if a word follows that often starts sentences.

    `offsets` are those of the tokens. Returns the offsets of the tokens of each sentence; no
    sentence is empty.
    """
    ends = _SentenceEnds(text, offsets).find()
    starts = [0, *ends][: len(ends)]
    return [list(offsets[start:end]) for start, end in zip(starts, ends, strict=True)]


class _SentenceEnds:
    """The rules of `split_sentences`, for one text."""

    def __init__(self, text: str, offsets: Sequence[Span]) -> None:
        self._offsets = offsets
        self._words = [text[start:end] for start, end in offsets]
        self._first_of_paragraph = _first_tokens(paragraph_ends(text), offsets)

    def find(self) -> List[int]:
        """Returns the position after the last token of each sentence."""
        words, ends, first = self._words, [], 0
        for position, word in enumerate(words):
            if position < first:
                continue
            after = position + 1
            if word[-1] in _TERMINALS or _is_emoticon(word):
                after = self._after_closers(position)
            if after == len(words) or self._ends_at(first, position, after):
                ends.append(after)
                first = after
        return ends

    def _ends_at(self, first: int, position: int, after: int) -> bool:
        if after in self._first_of_paragraph:
            return True
        word = self._words[position]
        if not (word[-1] in _TERMINALS or _is_emoticon(word)):
            return False
        return position > first and self._is_final(first, position, after)

    def _is_final(self, first: int, position: int, after: int) -> bool:
        """Whether a sentence from `first` ends with the terminal at `position` and its closers."""
        word, following = self._words[position], self._words[after]
        begins_with_capital = following[0].isupper()
        if _FINAL.fullmatch(word):
            if word == "." and self._is_item(first, position):
                return False
            if self._words[position - 1] == word == ".":
                return begins_with_capital
            if after > position + 1:
                return not following[0].islower()
            if self._are_adjacent(position):
                return begins_with_capital or word != "."
            return following[0] not in _CONTINUATIONS
        if _ELLIPSIS.fullmatch(word):
            return begins_with_capital
        if self._are_adjacent(after - 1):
            return False
        if word[-1] == ".":
            return following in STARTERS and word not in TITLES
        return begins_with_capital

    def _after_closers(self, position: int) -> int:
        """The position after a terminal and what belongs to it, in the same paragraph."""
        after, words = position + 1, self._words
        end = min(after + _MOST_CLOSERS, len(words))
        while after < end and after not in self._first_of_paragraph:
            is_closer = words[after] in CLOSERS and self._are_adjacent(after - 1)
            if not is_closer and not _is_emoticon(words[after]):
                break
            after += 1
        return after

    def _is_item(self, first: int, position: int) -> bool:
        """Whether the full stop at `position` follows the number of a list's item."""
        starts_item = position == first + 1 or self._words[position - 2] in tuple(':"*(-')
        is_number = _ITEM.fullmatch(self._words[position - 1]) is not None
        return starts_item and is_number and self._are_adjacent(position - 1)

    def _are_adjacent(self, position: int) -> bool:
        """Whether there is no white space between a token and the next."""
        return self._offsets[position][1] == self._offsets[position + 1][0]


def _is_emoticon(word: str) -> bool:
    return word[-1] in _EMOTICON_ENDS and _EMOTICON.fullmatch(word) is not None


def _first_tokens(ends: Sequence[int], offsets: Sequence[Span]) -> "set[int]":
    """The position of the first token after each of the paragraphs' ends."""
    positions, token = set(), 0
    for end in ends:
        while token < len(offsets) and offsets[token][0] < end:
            token += 1
        positions.add(token)
    return positions


def in_pieces(text: str, sentence: List[Span], max_words: int) -> Iterator[List[Span]]:
    """
    Cuts a sentence that is too long, preferably after `;` or `:`, otherwise after `,` or a dash. A
    piece has at most `max_words` tokens, and at least half as many unless it is the last one.
    """
    start = 0
    while len(sentence) - start > max_words:
        end = start + _best_cut(text, sentence[start : start + max_words])
        yield sentence[start:end]
        start = end
    yield sentence[start:]


def _best_cut(text: str, words: Sequence[Span]) -> int:
    half = (len(words) + 1) // 2
    for marks in ((";", ":"), (",", "-", "--", "–", "—")):
        for number in range(len(words), half - 1, -1):
            start, end = words[number - 1]
            if text[start:end] in marks:
                return number
    return len(words)


def paragraph_ends(text: str) -> List[int]:
    """
    A blank line ends a paragraph. So does every other line break, unless the lines are wrapped:
    the longest line of several words between two blank lines has 50 to 100 characters, and the
    first word after the break would not fit into this width. Returns the ends of all paragraphs but
    the last, in characters, in text order.
    """
    ends: List[int] = []
    block: List[re.Match[str]] = []
    for line in _LINE.finditer(text):
        if line[1] and not line[1].isspace():
            block.append(line)
        elif block:
            ends.extend(_ends_of_block(block))
            block = []
    return [*ends, *_ends_of_block(block)][:-1]


def _ends_of_block(block: List["re.Match[str]"]) -> Iterator[int]:
    """The ends of the paragraphs in lines without a blank one."""
    texts = [line[1].rstrip() for line in block]
    # A long address on a line of its own says nothing about the width.
    width = max((len(text) for text in texts if " " in text), default=0)
    is_wrapped = NARROWEST <= width <= WIDEST
    for number, (line, text) in enumerate(zip(block, texts, strict=True), start=1):
        following = texts[number].split(maxsplit=1)[0] if number < len(texts) else ""
        fits = len(text) + 1 + len(following) <= width
        if not is_wrapped or not following or fits:
            yield line.start() + len(text)
