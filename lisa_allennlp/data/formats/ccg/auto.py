"""
CCGbank's machine-readable derivations (`.auto`, LDC2005T13, section D.2 of its manual). Each
derivation takes two lines: `ID=wsj_0001.1 PARSER=GOLD NUMPARSE=1`, then the derivation. Inner nodes
are `(<T category head children> ... )`, leaves
`(<L category modified-POS original-POS word predicate-argument-category>)`.

    >>> lines = [
    ...     "ID=wsj_0001.1 PARSER=GOLD NUMPARSE=1",
    ...     "(<T S[dcl] 1 2> (<L NP PRP PRP She NP>)"
    ...     " (<L S[dcl]\\\\NP VBD VBD sang S[dcl]\\\\NP_1>) )",
    ... ]
    >>> sentence = next(parse_auto(lines, "wsj_0001.auto"))
    >>> print(*zip(sentence.words, sentence.pos))
    ('She', 'PRP') ('sang', 'VBD')
    >>> print(*sentence.supertags)
    NP S[dcl]\\NP
"""

import re
from typing import Iterable, Iterator, List, NamedTuple, Optional

from lisa_allennlp.data.formats.ccg.categories import CategoryError, check_category
from lisa_allennlp.data.formats.columns import PathName, at_least_one
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.sentence import Sentence

_LEAF = re.compile(r"\(<L (\S+) (\S+) (\S+) (\S+) (\S+?)>\)(?=[\s)]|$)")
_NODE = re.compile(r"\(<T (\S+) ([0-9]{1,9}) ([0-9]{1,9})>")
_BLANKS = re.compile(r"\s*")
_ID = re.compile(r"ID=(\S+)(?:\s+PARSER=\S+)?(?:\s+NUMPARSE=([0-9]+))?\s*")
_LEAF_FORM = "(<L category modified-POS original-POS word predicate-argument-category>)"
_NODE_FORM = "(<T category head children>"

# A typo in CCGbank 1.1 and 1.2, in the derivation of wsj_0595.15.
_SLIPS = {r"((S[b]\NP)/NP)/": r"(S[b]\NP)/NP"}


class _OpenNode(NamedTuple):
    start: int
    num_children: int
    children_so_far: List[int]


def parse_auto(lines: Iterable[str], path: PathName) -> Iterator[Sentence]:
    """
    Reads the words, original parts of speech and categories of the leaves, lazily. Raises a
    `CorpusFormatError` if a line, derivation or category is malformed or there are no derivations.
    """
    return at_least_one(_derivations(lines, path), path)


def _derivations(lines: Iterable[str], path: PathName) -> Iterator[Sentence]:
    id_line: Optional[int] = None
    for number, line in enumerate(lines, start=1):
        line = line.strip()
        if not line:
            continue
        if line.startswith("ID="):
            _check_id(path, number, line, id_line)
            id_line = number
        elif id_line is None:
            expected = "a line 'ID=...' before each derivation"
            raise CorpusFormatError(path, number, f"'{_shorten(line)}'", expected)
        else:
            yield _DerivationReader(path, number, line).read()
            id_line = None
    if id_line is not None:
        found = "the end of the file after this line"
        raise CorpusFormatError(path, id_line, found, "a derivation")


def _check_id(path: PathName, number: int, line: str, id_line: Optional[int]) -> None:
    if id_line is not None:
        expected = f"the derivation that line {id_line} announces"
        raise CorpusFormatError(path, number, f"'{_shorten(line)}'", expected)
    match = _ID.fullmatch(line)
    if match is None or match.group(2) not in (None, "1"):
        expected = "'ID=... PARSER=GOLD NUMPARSE=1', with one derivation"
        raise CorpusFormatError(path, number, f"'{_shorten(line)}'", expected)


class _DerivationReader:
    """Reads the derivation in one line. `number` is the 1-based line number, for errors."""

    def __init__(self, path: PathName, number: int, line: str) -> None:
        self._path = path
        self._number = number
        self._line = line
        self._open: List[_OpenNode] = []
        self._sentence = Sentence([], pos=[], supertags=[])

    def read(self) -> Sentence:
        """Raises a `CorpusFormatError` if the derivation is malformed."""
        position = self._read_item(0)
        while self._open:
            position = self._read_item(self._skip_blanks(position))
        position = self._skip_blanks(position)
        if position != len(self._line):
            raise self._error(position, "the end of the line after the derivation")
        return self._sentence

    def _read_item(self, start: int) -> int:
        """Reads a leaf, or the start or end of a node. Returns the position after it."""
        leaf = _LEAF.match(self._line, start)
        if leaf is not None:
            category, _, pos, word, _ = leaf.groups()
            self._sentence.words.append(word)
            self._sentence.pos.append(pos)
            self._sentence.supertags.append(self._check_category(start, category))
            self._count_child(start)
            return leaf.end()
        node = _NODE.match(self._line, start)
        if node is not None:
            self._open_node(start, *node.groups())
            return node.end()
        if self._open and self._line.startswith(")", start):
            self._close_node(start)
            return start + 1
        expected = f"{_LEAF_FORM} or {_NODE_FORM}"
        raise self._error(start, f"{expected} or ')'" if self._open else expected)

    def _open_node(self, start: int, category: str, head: str, num_children: str) -> None:
        self._check_category(start, category)
        if int(num_children) not in (1, 2) or int(head) >= int(num_children):
            expected = "1 or 2 children, and the position of the head among them (0 or 1)"
            raise self._error(start, expected)
        self._count_child(start)
        self._open.append(_OpenNode(start, int(num_children), []))

    def _count_child(self, start: int) -> None:
        if not self._open:
            return
        parent = self._open[-1]
        parent.children_so_far.append(start)
        if len(parent.children_so_far) > parent.num_children:
            place = f"the node at character {parent.start + 1}"
            expected = f"')' after the {_children(parent)} of {place}"
            raise self._error(start, expected)

    def _close_node(self, start: int) -> None:
        node = self._open.pop()
        if len(node.children_so_far) != node.num_children:
            place = f"the node at character {node.start + 1}"
            raise self._error(start, f"the {_children(node)} of {place}")

    def _check_category(self, start: int, category: str) -> str:
        category = _SLIPS.get(category, category)
        try:
            check_category(category)
        except CategoryError as error:
            found = f"{error.found}, in the node at character {start + 1}"
            raise CorpusFormatError(self._path, self._number, found, error.expected) from error
        return category

    def _skip_blanks(self, position: int) -> int:
        match = _BLANKS.match(self._line, position)
        assert match is not None
        return match.end()

    def _error(self, position: int, expected: str) -> CorpusFormatError:
        rest = self._line[position:]
        found = f"'{_shorten(rest)}'" if rest else "the end of the line"
        return CorpusFormatError(
            self._path, self._number, f"{found} at character {position + 1}", expected
        )


def _children(node: _OpenNode) -> str:
    return "1 child" if node.num_children == 1 else f"{node.num_children} children"


def _shorten(text: str, limit: int = 60) -> str:
    return text if len(text) <= limit else f"{text[: limit - 3]}..."
