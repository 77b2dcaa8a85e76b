"""
Two readings of a sentence in the terminal, with what differs marked.

    >>> from lisa_allennlp.data.sentence import Frame, Parse
    >>> words = ["They", "can", "fish"]
    >>> parse = Parse([2, 2, 2], ["nsubj", "aux", "root"])
    >>> verb = Sentence(words, ["PRP", "MD", "VB"], parse=parse)
    >>> parse = Parse([1, 1, 1], ["nsubj", "root", "obj"])
    >>> noun = Sentence(words, ["PRP", "VBP", "NN"], parse=parse)
    >>> print(render_comparison(verb, noun, ["verb", "noun"]).plain)
    verb ≠ noun: 2 tags, 3 heads
    1  ╭──►  They  PRP       3 ≠ 2  nsubj
    2  ├──►  can   MD ≠ VBP  3 ≠ 0  aux ≠ root
    3  ╰───  fish  VB ≠ NN   0 ≠ 2  root ≠ obj
"""

from itertools import repeat
from typing import Any, FrozenSet, List, Optional, Sequence, Tuple

from rich.text import Text

from lisa_allennlp.data.sentence import Frame, Sentence
from lisa_allennlp.visualisation.comparison import described, differences
from lisa_allennlp.visualisation.printable import printable
from lisa_allennlp.visualisation.table import token_columns
from lisa_allennlp.visualisation.terminal import NO_WORDS, STYLES
from lisa_allennlp.visualisation.terminal_grid import NARROWEST, Cell, token_rows
from lisa_allennlp.visualisation.terminal_roles import DIFFERENT, role_lines
from lisa_allennlp.visualisation.terminal_wrapping import Unit, wrapped

_STYLE = "bold red"


def render_comparison(
    sentence: Sentence, other: Sentence, names: Sequence[str], width: int = 80
) -> Text:
    """
    # Parameters

    sentence, other : `Sentence`
        Two readings of the same words.
    names : `Sequence[str]`
        The names of both.
    width : `int`, optional (default = `80`)
        As in `terminal.render`.

    # Returns

    `Text`
        The tree is that of `sentence`. Where a column differs, it has both values: `nsubj ≠ obj`. A
        predicate whose roles differ has a paragraph for each reading.

    # Raises

    `ConfigurationError`
        If the words differ.
    """
    marks, other_marks = differences(sentence, other), differences(other, sentence)
    if not sentence.words:
        return Text(NO_WORDS)
    width = max(width, NARROWEST)
    found = described(marks if marks.number >= other_marks.number else other_marks)
    title = f"{names[0]} {DIFFERENT} {names[1]}: {found}" if found else f"{names[0]} = {names[1]}"
    style = _STYLE if found else "bold"
    lines = wrapped([Unit(part, style, joins=True) for part in printable(title).split()], width)
    tree = other.heads if sentence.heads is None else sentence.heads
    rows = [*lines, *token_rows(tree, _columns(sentence, other), width)]
    if sentence.frames is None or other.frames is None:
        return Text("\n").join(rows)
    readings = [{frame.predicate: frame for frame in s.frames or []} for s in (sentence, other)]
    marked = marks.spans | other_marks.spans
    for predicate in sorted({*readings[0], *readings[1]}):
        frames = [reading.get(predicate) for reading in readings]
        rows += [Text(), *_frame_rows(frames, names, width, marked)]
    return Text("\n").join(rows)


def _columns(sentence: Sentence, other: Sentence) -> List[List[Cell]]:
    own, others = dict(token_columns(sentence)), dict(token_columns(other))
    columns = {**others, **own}
    return [
        list(map(_cell, repeat(name), columns[name], {**own, **others}[name]))
        for name in columns
        if name
    ]


def _cell(name: str, value: Any, other: Any) -> Cell:
    if value == other or name == "word":
        return Cell(printable(str(value)), STYLES.get(name, ""))
    return Cell(printable(f"{value} {DIFFERENT} {other}"), _STYLE)


def _frame_rows(
    frames: Sequence[Optional[Frame]],
    names: Sequence[str],
    width: int,
    marked: FrozenSet[Tuple[int, str, int, int]],
) -> List[Text]:
    """A paragraph if both readings have the same roles, otherwise one for each."""
    one, other = frames
    if one is not None and other is not None and (one.tags, one.sense) == (other.tags, other.sense):
        return role_lines(one, one.name, width)
    rows: List[Text] = []
    for frame, name in zip(frames, names, strict=True):
        if frame is None:
            text = f"{name}: {DIFFERENT} no predicate"
            rows += wrapped([Unit(part, _STYLE) for part in printable(text).split()], width)
        else:
            rows += role_lines(frame, frame.name, width, marked, before=f"{name}:")
    return rows
