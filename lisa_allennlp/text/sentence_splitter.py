"""
Splits the tokens of a text into sentences, by a small network that
`experiments/english/splitter.py` trains on the English Web Treebank. A model for another language
may have its own (`training.sentence_splitter`).

    >>> text = "Mr. Hu left at 5 p.m. He said: it's late, e.g. for Bo. Next?"
    >>> starts = [match.start() for match in re.finditer(r"\\S+", text)]
    >>> from lisa_allennlp.text.raw_text import RawTextTokenizer
    >>> for sentence in split_sentences(text, RawTextTokenizer("en").offsets(text)):
    ...     print(text[sentence[0][0] : sentence[-1][1]])
    Mr. Hu left at 5 p.m.
    He said: it's late, e.g. for Bo.
    Next?

Line breaks that end a paragraph also end a sentence, as opposed to those that wrap long lines.

    >>> text = "Minutes\\n\\nAll were present.\\nNobody spoke."
    >>> [text[:end] for end in paragraph_ends(text)]
    ['Minutes', 'Minutes\\n\\nAll were present.']
"""

import json
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

import numpy

Span = Tuple[int, int]

NETWORK_FILE = Path(__file__).with_name("sentence_splitter.json")

NAMESPACE = "sentence_splitter_labels"
"""The vocabulary namespace of a model's own network: one entry, its JSON."""

CLOSERS = frozenset("' \" '' ’ ” ’’ » › ) ] }".split())
"""Tokens that start no sentence if there is no white space before them."""

_QUESTION_IN_QUOTES = re.compile(r"""[?!]["'”’]+\s*\Z""")

_SPEAKER = re.compile(
    r"(?:\w[\w.'’-]* ){1,3}(?:added|asked|asks|called|cried|demanded|exclaimed|inquired|muttered|"
    r"replied|said|says|screamed|shouted|snapped|whispered|wondered|yelled)\b"
)

LONGEST_WORD = 30
"""The network reads so many characters of a word."""

CACHED_WORDS = 20_000

NARROWEST, WIDEST = 50, 100
"""The bounds, in characters, of the width of wrapped lines."""

_LINE = re.compile(r"([^\n\r\v\f\x85\u2028\u2029]*)(?:\r\n|[\n\r\v\f\x85\u2028\u2029]|$)")

_SAME = str.maketrans({**dict(zip("！？。“”‘’`", "!?.\"\"'''", strict=True)), "…": "..."})


def split_sentences(
    text: str, offsets: Sequence[Span], network: Optional["Network"] = None
) -> List[List[Span]]:
    """
    A sentence ends at the end of a paragraph (`paragraph_ends`), and after each other token for
    which the network's score is positive, unless a closing mark follows at once, or the token ends
    a quotation whose speaker follows (`"Is it true?" Ms. Hu asked.`). `offsets` are those of the
    tokens; the network is the English one unless another one is given. Returns the offsets of the
    tokens of each sentence; no sentence is empty.
    """
    if not offsets:
        return []
    network = network or english_network()
    words, spaces = words_and_spaces(text, offsets)
    word_rows, shape_rows = zip(*(_rows(word, network) for word in words), strict=True)
    is_end = (network.scores(word_rows, shape_rows, spaces) > 0).tolist()
    sentences: List[List[Span]] = [[]]
    for number, span in enumerate(offsets):
        is_closer = spaces[number] == ADJACENT and words[number] in CLOSERS
        starts = spaces[number] == PARAGRAPH or (
            is_end[number - 1] and not is_closer and not _is_speaker(text, span[0])
        )
        if sentences[-1] and starts:
            sentences.append([])
        sentences[-1].append(span)
    return sentences


def _is_speaker(text: str, start: int) -> bool:
    before = _QUESTION_IN_QUOTES.search(text, max(0, start - 5), start)
    return before is not None and _SPEAKER.match(text, start) is not None


ADJACENT, SPACE, PARAGRAPH = range(3)


def words_and_spaces(text: str, offsets: Sequence[Span]) -> Tuple[List[str], List[int]]:
    """Returns each token's word, and what precedes it."""
    words = [text[start:end] for start, end in offsets]
    ends = [0, *(end for _, end in offsets)]
    # No space follows the marks of Chinese and Japanese.
    spaces = [
        int(start > end or text[start - 1] in "！？。")
        for (start, _), end in zip(offsets, ends, strict=False)
    ]
    for number in _first_tokens(paragraph_ends(text), offsets) | {0}:
        if number < len(spaces):
            spaces[number] = PARAGRAPH
    return words, spaces


def keys(word: str) -> Tuple[str, str]:
    """
    Returns a word in small letters and its shape: the kinds of the first characters, at most three
    of a kind in a row, and one small letter.

        >>> [keys(word)[1] for word in ["U.S.", "Hello", "3.50", "?!?!?!", "……", "http://a.org"]]
        ['X.X.', 'Xx', 'd.dd', '?!?!', '...', 'x://']
    """
    same = word[:LONGEST_WORD].translate(_SAME)
    kinds = "".join(
        "X" if c.isupper() else "x" if c.isalpha() else "d" if c.isdecimal() else c for c in same
    )
    shape = re.sub(r"(.)\1{3,}", r"\1\1\1", re.sub("x+", "x", kinds))[:4]
    return same.lower(), shape


@dataclass(frozen=True, eq=False)
class Network:
    """
    Convolutions over the sum of three vectors per token: those of its word in small letters, of its
    shape, and of what is before it. Row 0 is for words and shapes that are not in the tables.
    """

    words: Dict[str, int]
    shapes: Dict[str, int]
    # (rows, width) each.
    vectors: List[numpy.ndarray]
    # (tokens, inputs, outputs) and (outputs,) each. The output for a token is in the middle. A
    # layer reads the vectors and the outputs of all layers before it.
    layers: List[Tuple[numpy.ndarray, numpy.ndarray]]

    @classmethod
    def from_json(cls, read: Mapping[str, Any]) -> "Network":
        def array(hundredths: List[Any]) -> numpy.ndarray:
            return numpy.array(hundredths, numpy.float32) / 100

        return cls(
            numbered(read["words"]),
            numbered(read["shapes"]),
            [array(table) for table in read["vectors"]],
            [(array(layer["kernel"]), array(layer["bias"])) for layer in read["layers"]],
        )

    def scores(self, *rows: Sequence[int]) -> numpy.ndarray:
        """Returns the logits of a sentence's end after each token, for its row in each table."""
        vectors = [table[list(row)] for table, row in zip(self.vectors, rows, strict=True)]
        states = numpy.sum(vectors, axis=0)
        for kernel, bias in self.layers:
            around, length = len(kernel) // 2, len(states)
            padded = numpy.pad(states, ((around, around), (0, 0)))
            outputs = sum(padded[i : i + length] @ part for i, part in enumerate(kernel)) + bias
            states = numpy.concatenate([states, numpy.maximum(outputs, 0)], axis=1)
        return outputs[:, 0]


@cache
def english_network() -> Network:
    return Network.from_json(json.loads(NETWORK_FILE.read_text(encoding="utf-8")))


def numbered(entries: Sequence[str]) -> Dict[str, int]:
    return {entry: row for row, entry in enumerate(entries, start=1)}


def rows(word: str, words: Mapping[str, int], shapes: Mapping[str, int]) -> Tuple[int, int]:
    lower, shape = keys(word)
    return words.get(lower, 0), shapes.get(shape) or shapes.get(shape[-1], 0)


@lru_cache(CACHED_WORDS)
def _rows(word: str, network: Network) -> Tuple[int, int]:
    return rows(word, network.words, network.shapes)


def _first_tokens(ends: Sequence[int], offsets: Sequence[Span]) -> "set[int]":
    positions, token = set(), 0
    for end in ends:
        while token < len(offsets) and offsets[token][0] < end:
            token += 1
        positions.add(token)
    return positions


def in_pieces(text: str, sentence: List[Span], max_words: int) -> Iterator[List[Span]]:
    """
    Cuts a long sentence, preferably after `;` or `:`, otherwise after `,` or a dash. A piece has at
    most `max_words` tokens, and at least half as many unless it is the last one.
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
    texts = [line[1].rstrip() for line in block]
    # A long address on a line of its own says nothing about the width.
    width = max((len(text) for text in texts if " " in text), default=0)
    is_wrapped = NARROWEST <= width <= WIDEST
    for number, (line, text) in enumerate(zip(block, texts, strict=True), start=1):
        following = texts[number].split(maxsplit=1)[0] if number < len(texts) else ""
        fits = len(text) + 1 + len(following) <= width
        if not is_wrapped or not following or fits:
            yield line.start() + len(text)
