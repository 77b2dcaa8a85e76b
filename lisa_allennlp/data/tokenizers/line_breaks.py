"""
The line breaks of a text that end a paragraph, as opposed to those that wrap long lines.

    >>> text = "Minutes\\n\\nAll were present.\\nNobody spoke."
    >>> [text[:end] for end in paragraph_ends(text)]
    ['Minutes', 'Minutes\\n\\nAll were present.']
"""

import re
from typing import Iterator, List

NARROWEST, WIDEST = 50, 100
"""The least and the greatest width, in characters, of lines that are taken for wrapped."""

_LINE = re.compile(r"([^\n\r\v\f\x85\u2028\u2029]*)(?:\r\n|[\n\r\v\f\x85\u2028\u2029]|$)")


def paragraph_ends(text: str) -> List[int]:
    """
    A blank line ends a paragraph. So does every other line break, unless the lines are wrapped:
    the longest line of several words between two blank lines has 50 to 100 characters, and the
    first word after the break would not fit into this width.

    # Returns

    `List[int]`
        The ends of all paragraphs but the last, in characters, in text order.
    """
    ends: List[int] = []
    block: List[re.Match[str]] = []
    for line in _LINE.finditer(text):
        if line[1] and not line[1].isspace():
            block.append(line)
        elif block:
            ends.extend(_ends(block))
            block = []
    return [*ends, *_ends(block)][:-1]


def _ends(block: List["re.Match[str]"]) -> Iterator[int]:
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
