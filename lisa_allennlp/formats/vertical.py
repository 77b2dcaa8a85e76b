"""
Vertical text: a word per line, and a blank line after each sentence. Of several columns, the first
one has the words. Lines with a tag of XML or `-DOCSTART-` are between sentences, too.

    >>> lines = ["<s>", "She\\tPRP", "left\\tVBD", "</s>", "", "Rain"]
    >>> [located.sentence.words for located in parse_vertical(lines, "a.vert")]
    [['She', 'left'], ['Rain']]
"""

import re
from typing import Iterable, Iterator, List

from lisa_allennlp.formats.columns import (
    LocatedSentence,
    PathName,
    check_equal_width,
    read_blocks,
    split_at_blanks,
    split_at_tabs,
)
from lisa_allennlp.sentence.sentence import Sentence

VERTICAL = "vertical"

BOUNDARY = re.compile(r"(</?[A-Za-z][^<>]*>|-DOCSTART-.*)\s*")


def parse_vertical(lines: Iterable[str], path: PathName) -> Iterator[LocatedSentence]:
    """Reads words. The lines of a sentence have as many columns."""
    lines = ("" if BOUNDARY.fullmatch(line) else line for line in lines)
    for block in read_blocks(lines, path, _split):
        check_equal_width(path, block)
        yield LocatedSentence(Sentence(block.column(0)), block.line_numbers)


def _split(line: str) -> List[str]:
    return split_at_tabs(line) if "\t" in line else split_at_blanks(line)
