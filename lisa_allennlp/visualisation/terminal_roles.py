"""
The roles of a predicate for terminals: the sentence with its spans in brackets, in colour where
there is some.

    >>> from lisa_allennlp.data.sentence import Sentence
    >>> words = ["She", "sold", "him", "the", "car", "."]
    >>> tags = ["B-ARG0", "B-V", "B-ARG2", "B-ARG1", "I-ARG1", "O"]
    >>> [frame] = Sentence(words, frames=[Frame(1, tags, sense="sell.01")]).frames
    >>> for line in role_lines(frame, "sell.01", 40):
    ...     print(line.plain)
    sell.01: [ARG0 She] [V sold] [ARG2 him]
      [ARG1 the car] .
"""

from typing import FrozenSet, Iterator, List, Tuple

from rich.text import Text

from lisa_allennlp.data.sentence import Frame, RoleSpan
from lisa_allennlp.visualisation.printable import printable
from lisa_allennlp.visualisation.terminal_wrapping import Unit, wrapped
from lisa_allennlp.visualisation.theme import LIGHT, role_class

DIFFERENT = "≠"
"""The mark of what differs."""

_ELLIPSIS = "…"
_SHOWN_BETWEEN = 6


def role_lines(
    frame: Frame,
    name: str,
    width: int,
    marked: FrozenSet[Tuple[int, str, int, int]] = frozenset(),
    before: str = "",
) -> List[Text]:
    """
    # Parameters

    frame : `Frame`
        Of a sentence.
    name : `str`
        The name of the predicate.
    width : `int`
        The largest width, in columns of the terminal.
    marked : `FrozenSet[Tuple[int, str, int, int]]`, optional
        Spans to mark, as in `Marks`.
    before : `str`, optional
        A text before the name.

    # Returns

    `List[Text]`
        Words between spans are shown if they are few.
    """
    probability = "" if frame.probability is None else f" {frame.probability:.2f}"
    heading = [Unit(printable(before), "italic")] if before else []
    heading.append(Unit(f"{printable(name)}{probability}:", "bold"))
    return wrapped([*heading, *_units(frame, marked)], width)


def _units(frame: Frame, marked: FrozenSet[Tuple[int, str, int, int]]) -> Iterator[Unit]:
    position = 0
    for span in frame.roles:
        yield from _between(frame, position, span.first)
        is_marked = (frame.predicate, span.role, span.first, span.last) in marked
        yield from _of_span(frame, span, is_marked)
        position = span.last + 1
    yield from _between(frame, position, len(frame.words))


def _between(frame: Frame, first: int, end: int) -> Iterator[Unit]:
    if end - first > _SHOWN_BETWEEN:
        yield Unit(_ELLIPSIS, "dim")
        return
    for word in frame.words[first:end]:
        yield Unit(printable(word), "dim")


def _of_span(frame: Frame, span: RoleSpan, is_marked: bool) -> Iterator[Unit]:
    style = _style(span.role, is_marked)
    probability = "" if span.probability is None else f" {span.probability:.2f}"
    yield Unit(f"[{DIFFERENT * is_marked}{printable(span.role)}{probability}", f"bold {style}")
    words = [printable(word) for word in frame.words[span.first : span.last + 1]]
    words[-1] += "]"
    for word in words:
        yield Unit(word, style, joins=True)


def _style(role: str, is_marked: bool) -> str:
    fill, text = LIGHT.roles[role_class(role)]
    return f"{text} on {fill}" + " underline" * is_marked
