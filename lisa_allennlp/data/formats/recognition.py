"""
Recognises the format of a file by its first lines, whatever the name of the file says.

    >>> recognised("a.txt", ["a/b 0 0 She PRP * - - - - * -"], named="text")
    'gold_conll'
    >>> recognised("notes.txt", ["She sold him the car.", "He left."], named="text")
    'text'

A table of words that no reader knows is refused with what it looks like, so that it is not labelled
as prose:

    >>> recognised("a.txt", ["EU NNP B-NP B-ORG", "rejects VBZ B-VP O"], named="text")
    Traceback (most recent call last):
        ...
    lisa_allennlp.common.errors.ConfigurationError: a.txt: found words with BIO labels ...
"""

import json
import re
from typing import Callable, Iterable, List, NamedTuple, Optional

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.formats.columns import split_at_blanks
from lisa_allennlp.data.formats.conllu import GLOBAL_COLUMNS
from lisa_allennlp.data.formats.tokens import is_punctuation
from lisa_allennlp.data.formats.vertical import BOUNDARY, VERTICAL

MOST_LINES = 100
"""The number of lines that tell the format of a file."""

_ID = re.compile(r"1(-[0-9]+)?|0\.1")
_JSON_OBJECT = re.compile(r'\s*\{\s*("|\}|$)')
_AFTER = {"{": '"}', "[": '"[{]', ",": '"'}
"""What can follow a line of JSON that ends so, if this is no whole object."""
_BIO = re.compile(r"O|[BIESLU]-\S+")
_TAG = re.compile(r"[A-Z]{2,}\$?|[.,:;?!$#'`\"()-]+|-[LR][RSC]B-")
_LONGEST_WORD = 30

_COLUMNS = f"a format of docs/formats.md, or {VERTICAL}, which takes the words of the first column"
_OTHERS = "a format of docs/formats.md"
_LINES = "an object per line, as `jq -c {} FILE` writes them"


class _Start(NamedTuple):
    """
    The first lines of a file: all that are not blank, the comments above the first sentence, and
    the lines of this sentence, also split at blanks.
    """

    lines: List[str]
    comments: List[str]
    sentence: List[str]
    rows: List[List[str]]

    @classmethod
    def of(cls, lines: Iterable[str]) -> "_Start":
        filled: List[str] = []
        comments: List[str] = []
        sentence: List[str] = []
        is_over = False
        for line in lines:
            line = line.rstrip("\r\n")
            if not line.strip() or BOUNDARY.fullmatch(line):
                is_over = bool(sentence)
                continue
            filled.append(line)
            if line.startswith("#") and not sentence:
                comments.append(line)
            elif not is_over:
                sentence.append(line)
        return cls(filled, comments, sentence, list(map(split_at_blanks, sentence)))

    def cells(self) -> List[List[str]]:
        """The columns of the first sentence, if all of its lines have as many, and several."""
        is_table = len({*map(len, self.rows)}) == 1 and len(self.rows[0]) > 1
        return [list(column) for column in zip(*self.rows, strict=True)] if is_table else []


class _Layout(NamedTuple):
    """
    What the lines of a format look like. Without a `format` that a reader knows, it is refused, and
    `expected` says what is read instead; if that is `likely` only, a name that tells a format of
    columns or of JSON counts more.
    """

    name: str
    fits: Callable[[_Start], bool]
    format: Optional[str] = None
    expected: str = ""
    likely: bool = False


def _all(test: Callable[[int, List[str]], bool]) -> Callable[[_Start], bool]:
    """Whether a test holds for all rows, with their numbers from 0."""
    return lambda start: (
        bool(start.rows) and all(test(number, row) for number, row in enumerate(start.rows))
    )


def _is_numbered(number: int, row: List[str]) -> bool:
    """Whether a row has a part and the number of the token after its document, as CoNLL-2012."""
    return len(row) >= 8 and row[1].isdigit() and row[2] == str(number)


def _is_spread_json(start: _Start) -> bool:
    first = start.lines[0].strip()
    if not (_JSON_OBJECT.match(first) and first[-1] in "{[," and len(start.lines) > 1):
        return False
    try:
        return not json.loads(first)
    except ValueError:
        return start.lines[1].strip()[0] in _AFTER[first[-1]]


def _is_tagged(start: _Start) -> bool:
    words, *others = start.cells() or [[]]
    return (
        len(words) > 2
        and not all(map(_TAG.fullmatch, words))
        and any(all(map(_TAG.fullmatch, c)) and any(map(str.isalpha, c)) for c in others)
    )


def _is_table(start: _Start) -> bool:
    """Whether all lines have as many tabs between single words, or count the words."""
    cells = start.cells()
    if not cells or len(cells[0]) < 2:
        return False
    if all(line.count("\t") == len(cells) - 1 for line in start.sentence):
        return True
    counted = (list(map(str, range(first, first + len(cells[0])))) for first in (0, 1))
    return len(cells) > 3 and any(numbers in cells[:3] for numbers in counted)


def _are_words(start: _Start) -> bool:
    lines = start.lines
    return len(lines) > 2 and all(
        len(line) <= _LONGEST_WORD and len(split_at_blanks(line)) == 1 for line in lines
    )


LAYOUTS = [
    _Layout(
        "CoNLL-2012",
        lambda start: any(line.startswith("#begin document") for line in start.comments),
        "gold_conll",
    ),
    _Layout("CoNLL-U Plus", lambda s: any(map(GLOBAL_COLUMNS.match, s.comments)), "conllu"),
    _Layout(
        "CoNLL-U",
        lambda start: (
            [line.count("\t") for line in start.sentence[:1]] == [9]
            and _ID.fullmatch(start.sentence[0].partition("\t")[0]) is not None
        ),
        "conllu",
    ),
    _Layout(
        "a list in JSON",
        lambda start: re.match(r"\s*\[\s*(\{|$)", start.lines[0]) is not None,
        expected=_LINES.format("'.[]'"),
    ),
    _Layout("JSON in several lines", _is_spread_json, expected=_LINES.format(".")),
    _Layout("JSON", lambda start: _JSON_OBJECT.match(start.lines[0]) is not None, "json"),
    _Layout(
        "CoNLL-2009",
        _all(lambda n, r: len(r) >= 14 and r[0] == str(n + 1) and r[8].isdigit()),
        expected=_OTHERS,
    ),
    _Layout(
        "PropBank's release",
        _all(lambda n, r: _is_numbered(n, r) and all("*" in cell for cell in [r[5], *r[8:]])),
        expected=_OTHERS,
    ),
    _Layout(
        "CoNLL-2005 of LISA's authors",
        _all(lambda n, r: _is_numbered(n, r) and len(r) >= 14 and r[6].isdigit()),
        "conll05",
    ),
    _Layout("CoNLL-2012", _all(lambda n, r: _is_numbered(n, r) and len(r) >= 11), "gold_conll"),
    _Layout(
        "CoNLL-2005", _all(lambda n, r: len(r) >= 6 and "*" in r[2] and "*" in r[3]), "conll05"
    ),
    _Layout("props", _all(lambda n, r: len(r) > 1 and all("*" in cell for cell in r[1:])), "props"),
    _Layout(
        "words with BIO labels, as in CoNLL-2003",
        lambda start: any(
            len(cells) > 1 and all(map(_BIO.fullmatch, cells)) for cells in start.cells()[1:]
        ),
        expected=_COLUMNS,
    ),
    _Layout(
        "one word per line",
        lambda start: _are_words(start) and any(map(is_punctuation, start.lines)),
        VERTICAL,
    ),
    _Layout(
        "one word per line",
        _are_words,
        expected=f"sentences, or the format {VERTICAL} if the lines are those of sentences",
        likely=True,
    ),
    _Layout("words with tags", _is_tagged, expected=_COLUMNS, likely=True),
    _Layout("a table of words", _is_table, expected=_COLUMNS, likely=True),
]
"""The formats, of which the first one that fits counts."""


def recognised(
    path: str, lines: Iterable[str], named: Optional[str] = None, prose: bool = True
) -> Optional[str]:
    """
    Returns the format of a file from its first lines, or else the one that its name tells. Raises a
    `ConfigurationError` for tables that no reader knows. With `prose`, what the name tells is plain
    text or nothing.
    """
    start = _Start.of(lines)
    layout = next((item for item in LAYOUTS if start.lines and item.fits(start)), None)
    if layout is None or (layout.likely and not prose):
        return named
    if layout.format is None:
        raise ConfigurationError(f"{path}: found {layout.name}; expected {layout.expected}")
    return layout.format
