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
    lisa_allennlp.common.errors.ConfigurationError: a.txt: found a table of words, such as ...
"""

import re
from typing import Callable, Iterable, List, NamedTuple, Optional

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats.columns import split_at_blanks
from lisa_allennlp.formats.conll09 import is_conll09
from lisa_allennlp.formats.conllu import GLOBAL_COLUMNS
from lisa_allennlp.formats.gold_skel import is_release
from lisa_allennlp.formats.vertical import BOUNDARY, VERTICAL
from lisa_allennlp.text.tokens import is_punctuation

MOST_LINES = 100

_CONLLU = re.compile(r"(1(-[0-9]+)?|0\.1)(\t[^\t]*){9}")
_JSON_OBJECT = re.compile(r'\s*\{\s*("|\}|$)')
_JSON_LIST = re.compile(r"\s*\[\s*(\{|$)")
_SPREAD_JSON = re.compile(r'\s*\{\s*\n\s*["}]')
_TAG = re.compile(r"[A-Z]{2,}\$?|[.,:;?!$#'`\"()-]+|-[LR][RSC]B-")
_BIO = re.compile(r"O|[BIESLU]-\S+")
_LONGEST_WORD = 30


class _Start(NamedTuple):
    """The first lines but blank ones; the first sentence's comments, lines and rows."""

    lines: List[str]
    comments: List[str]
    sentence: List[str]
    rows: List[List[str]]

    @classmethod
    def of(cls, lines: Iterable[str]) -> "_Start":
        start, is_over = cls([], [], [], []), False
        for line in lines:
            line = line.rstrip("\r\n")
            if not line.strip() or BOUNDARY.fullmatch(line):
                is_over = bool(start.sentence)
                continue
            start.lines.append(line)
            if line.startswith("#") and not start.sentence:
                start.comments.append(line)
            elif not is_over:
                start.sentence.append(line)
                start.rows.append(split_at_blanks(line))
        return start


class _Layout(NamedTuple):
    """
    A layout of lines, and its `format`. One that no reader knows is refused, with the `expected`
    format; if it is only `likely`, the file's name counts more.
    """

    name: str
    fits: Callable[[_Start], bool]
    format: Optional[str] = None
    expected: str = "a format of docs/formats.md"
    likely: bool = False


def _all(test: Callable[[int, List[str]], bool]) -> Callable[[_Start], bool]:
    return lambda start: bool(start.rows) and all(test(*item) for item in enumerate(start.rows))


def _is_numbered(number: int, row: List[str]) -> bool:
    """Whether a row has a part and the number of the token after its document, as CoNLL-2012."""
    return len(row) >= 8 and row[1].isdigit() and row[2] == str(number)


def _is_table(start: _Start) -> bool:
    """Whether lines have equally many tabs, number the words, or have a column of labels."""
    if len(start.rows) < 2 or len({*map(len, start.rows)}) > 1 or len(start.rows[0]) < 2:
        return False
    words, *others = (list(column) for column in zip(*start.rows, strict=True))
    numbers = [[str(n + first) for n in range(len(words))] for first in (0, 1)]
    return (
        all(line.count("\t") == len(others) for line in start.sentence)
        or (len(others) > 2 and any(cells in numbers for cells in (words, *others)))
        or any(all(map(_BIO.fullmatch, cells)) for cells in others)
        or any(all(map(_TAG.fullmatch, cells)) and any(map(str.isalpha, cells)) for cells in others)
        and not all(map(_TAG.fullmatch, words))
    )


def _are_words(start: _Start) -> bool:
    return len(start.lines) > 2 and all(
        len(line) <= _LONGEST_WORD and len(split_at_blanks(line)) == 1 for line in start.lines
    )


LAYOUTS = [
    _Layout("CoNLL-2012", lambda s: s.lines[0].startswith("#begin document"), "gold_conll"),
    _Layout("CoNLL-U Plus", lambda s: any(map(GLOBAL_COLUMNS.match, s.comments)), "conllu"),
    _Layout("CoNLL-U", lambda s: any(map(_CONLLU.fullmatch, s.sentence[:1])), "conllu"),
    _Layout(
        "a list in JSON",
        lambda s: _JSON_LIST.match(s.lines[0]) is not None,
        expected="an object per line, as `jq -c '.[]' FILE` writes them",
    ),
    _Layout(
        "JSON in several lines",
        lambda s: _SPREAD_JSON.match("\n".join(s.lines[:2])) is not None,
        expected="an object per line, as `jq -c . FILE` writes them",
    ),
    _Layout("JSON", lambda s: _JSON_OBJECT.match(s.lines[0]) is not None, "json"),
    _Layout("CoNLL-2009", lambda s: any(map(is_conll09, s.sentence[:1])), "conll09"),
    _Layout("PropBank's release", lambda s: any(map(is_release, s.sentence[:1])), "gold_conll"),
    _Layout(
        "CoNLL-2005 of LISA's authors",
        _all(lambda n, r: _is_numbered(n, r) and len(r) >= 14 and r[6].isdigit()),
        "conll05",
    ),
    _Layout("CoNLL-2012", _all(lambda n, r: _is_numbered(n, r) and len(r) >= 11), "gold_conll"),
    _Layout(
        "CoNLL-2005", _all(lambda n, r: len(r) >= 6 and "*" in r[2] and "*" in r[3]), "conll05"
    ),
    _Layout("props", _all(lambda n, r: len(r) > 1 and all("*" in c for c in r[1:])), "props"),
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
    _Layout(
        "a table of words, such as CoNLL-2003",
        _is_table,
        expected=f"a format of docs/formats.md, or {VERTICAL}, which takes the words of the first "
        "column",
        likely=True,
    ),
]
"""The first one that fits counts."""


def recognised(
    path: str, lines: Iterable[str], named: Optional[str] = None, prose: bool = True
) -> Optional[str]:
    """
    Returns the format of a file by its first lines, or else the format that its name tells
    (`named`). Raises a `ConfigurationError` for tables that no reader knows. With `prose`, the name
    tells plain text or nothing.
    """
    start = _Start.of(lines)
    layout = next((item for item in LAYOUTS if start.lines and item.fits(start)), None)
    if layout is None or (layout.likely and not prose):
        return named
    if layout.format is None:
        raise ConfigurationError(f"{path}: found {layout.name}; expected {layout.expected}")
    return layout.format
