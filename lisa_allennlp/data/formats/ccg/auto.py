"""
CCGbank's machine-readable derivations (`.auto`, LDC2005T13, section D.2 of its manual). Each
derivation takes two lines: `ID=wsj_0001.1 PARSER=GOLD NUMPARSE=1`, then the derivation. Inner nodes
are `(<T category head children> ... )`, leaves
`(<L category modified-POS original-POS word predicate-argument-category>)`. Only leaves are read.

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
from typing import Iterable, Iterator, Optional

from lisa_allennlp.data.formats.ccg.categories import check_category
from lisa_allennlp.data.formats.columns import PathName, at_least_one
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.sentence import Sentence

_ID = re.compile(r"ID=(\S+)(?:\s+PARSER=\S+)?(?:\s+NUMPARSE=1)?")
_LEAF = re.compile(r"\(<L (\S+) (\S+) (\S+) (\S+) (\S+?)>\)(?=[\s)]|$)")
_NODES = re.compile(r"(?:\(<T \S+ [0-9]+ [0-9]+>|\)|\s)*")
_LEAF_FORM = "(<L category modified-POS original-POS word predicate-argument-category>)"
_NODE_FORM = "(<T category head children> ... )"

# A typo in CCGbank 1.1 and 1.2, in the derivation of wsj_0595.15.
_SLIPS = {r"((S[b]\NP)/NP)/": r"(S[b]\NP)/NP"}


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
        is_id = line.startswith("ID=")
        if is_id and id_line is not None:
            expected = f"the derivation that line {id_line} announces"
            raise CorpusFormatError(path, number, f"'{line}'", expected)
        if is_id and _ID.fullmatch(line) is None:
            expected = "'ID=... PARSER=GOLD NUMPARSE=1', with one derivation"
            raise CorpusFormatError(path, number, f"'{line}'", expected)
        if not is_id and id_line is None:
            expected = "a line 'ID=...' before each derivation"
            raise CorpusFormatError(path, number, f"'{line}'", expected)
        if is_id:
            id_line = number
        else:
            yield _read_leaves(path, number, line)
            id_line = None
    if id_line is not None:
        found = "the end of the file after this line"
        raise CorpusFormatError(path, id_line, found, "a derivation")


def _read_leaves(path: PathName, number: int, line: str) -> Sentence:
    leaves = _LEAF.findall(line)
    rest = _LEAF.sub("", line)
    nodes = _NODES.match(rest)
    assert nodes is not None
    if nodes.end() != len(rest) or not leaves:
        expected = f"{_LEAF_FORM} or {_NODE_FORM}"
        raise CorpusFormatError(path, number, f"'{rest[nodes.end() :]}'", expected)
    if rest.count("(") != rest.count(")"):
        found = f"{rest.count('(')} nodes with {rest.count(')')} ends"
        raise CorpusFormatError(path, number, found, "as many")
    categories = [_SLIPS.get(category, category) for category, *_ in leaves]
    for category in categories:
        check_category(path, number, category)
    return Sentence(
        words=[word for _, _, _, word, _ in leaves],
        pos=[pos for _, _, pos, _, _ in leaves],
        supertags=categories,
    )
