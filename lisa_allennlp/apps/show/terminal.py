"""
Sentences in the terminal: tables, and pictures with the tree beside the words and the roles below.
Pictures of two readings show both values of differences.
"""

import io
import re
import shutil
import sys
from collections import Counter
from itertools import zip_longest
from typing import Any, Dict, FrozenSet, List, Optional, Sequence, Tuple

from rich.cells import cell_len
from rich.text import Text

from lisa_allennlp.apps.show.comparison import Pictured, described, differences
from lisa_allennlp.apps.show.explanations import links_of
from lisa_allennlp.apps.show.layout import levels
from lisa_allennlp.apps.show.texts import printable
from lisa_allennlp.apps.show.theme import role_class
from lisa_allennlp.sentence.meanings import meaning_of_role
from lisa_allennlp.sentence.roles import bio_to_brackets
from lisa_allennlp.sentence.sentence import Frame, Parse, RoleSpan, Sentence
from lisa_allennlp.text.tokens import unescape_brackets

_NO_WORDS, _NO_PREDICATE = "(an empty sentence)", "(no predicate found)"

# The styles of columns by their headings, and of what differs.
_STYLES = {"": "dim", "word": "bold", "POS": "green", "head": "dim", "relation": "magenta"}
_MARKED = "bold red"

# The styles of the classes of roles, in the 16 colours that every terminal has. Bold black would be
# grey in some.
ROLE_STYLES = {
    "a0": "black on cyan",
    "a1": "black on yellow",
    "a2": "black on green",
    "a3": "black on magenta",
    "am": "black on white",
    "v": "bright_white on blue",
}

# The junctions of a tree's lines. All lead to the right; by whether they lead up (1), down (2) and
# to the left (4).
_JUNCTIONS = "─╰╭├─┴┬┼"

# The most words between two spans that are shown.
_SHOWN_BETWEEN = 6

_Spans = FrozenSet[Tuple[int, str, int, int]]
_Named = Tuple[str, Frame]


def printed_width() -> int:
    """80 columns for files and pipes."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 80


def table(sentence: Sentence, width: int = 80) -> str:
    """
    Formats a sentence as a table with a line per token. If the table fits the width, each predicate
    has a column of roles in the brackets of the CoNLL shared tasks. Otherwise, or with
    probabilities, it has a line of roles under the table. Predicates are named by rolesets or else
    forms. Columns of missing annotation are left out.
    """
    if not sentence.words:
        return _NO_WORDS
    sentence = sentence.as_typed()
    columns = [[Text(name), *cells] for name, cells in _columns(sentence, sentence).items()]
    frames = _named(sentence.frames or [])
    roles = [[Text(printable(n)), *map(Text, bio_to_brackets(f.tags))] for n, f in frames]
    has_room = sentence.pos_probabilities is None and _natural_width(columns + roles) <= width
    lines = [row.plain for row in _grid(columns + roles * has_room, width)]
    if not has_room:
        lines.append("")
        for name, frame in frames:
            spans = (f"[{s.role}{_decimals(s.probability)}: {s.text}]" for s in frame.roles)
            # A span of raw text may have line breaks.
            line = " ".join(f"{name}{_decimals(frame.probability)}: {' '.join(spans)}".split())
            lines += [row.plain for row in _wrapped(Text(printable(line)), width, indent=4)]
    lines += [row.plain for row in _gloss_lines(sentence.frames or [], width)]
    return "\n".join([*lines, *[_NO_PREDICATE] * (sentence.frames == [])])


def picture(pictured: Pictured, width: int = 80) -> Text:
    """
    Draws a sentence, or its differences from another reading, without a final line break. Lines
    have at most `width` columns, or 40; only single words are wider. Raises a `ConfigurationError`
    if the words differ.
    """
    sentence, other, names = pictured.sentence.as_typed(), pictured.other, pictured.names
    rows: List[Text] = []
    marked: _Spans = frozenset()
    width = max(width, 40)
    if other is None:
        other = sentence
    else:
        other = other.as_typed()
        marks = differences(sentence, other), differences(other, sentence)
        marked = marks[0]["spans"] | marks[1]["spans"]
        found = described(*marks)
        title = f"{names[0]} ≠ {names[1]}: {found}" if found else f"{names[0]} = {names[1]}"
        rows += _wrapped(Text(printable(title), _MARKED if found else "bold"), width)
    if not sentence.words:
        return Text(_NO_WORDS)
    numbers, *columns = _columns(sentence, other).values()
    parse = sentence.parse or other.parse
    if parse is not None and (lines := tree_lines(parse))[0]:
        with_tree = [numbers, [Text(line, "cyan") for line in lines], *columns]
        # The column of heads remains if there is no room for the lines.
        columns = with_tree[1:] if _natural_width(with_tree) <= width else columns
    digits = len(numbers[-1])
    rows += _grid([[Text(n.plain.rjust(digits), "dim") for n in numbers], *columns], width)
    if sentence.frames is not None and other.frames is not None:
        readings = [
            {frame.predicate: (name, frame) for name, frame in _named(reading.frames or [])}
            for reading in (sentence, other)
        ]
        for predicate in sorted({*readings[0], *readings[1]}):
            pair = [reading.get(predicate) for reading in readings]
            rows += [Text(), *_role_lines(pair, names, width, marked)]
        rows += _gloss_lines(sentence.frames, width)
        if not any(readings):
            rows.append(Text(_NO_PREDICATE))
    return Text("\n").join(rows)


def tree_lines(parse: Parse) -> List[str]:
    """
    Draws the lines of a tree beside its words, one row per token. Each head has a vertical line
    from its first to its last dependent; arrows lead from there to the dependents. All rows have
    the same length; they are empty without arcs. Cycles and several roots are allowed. Lines cross
    without touching where a tree is not projective:

    >>> for row in tree_lines(Parse([2, 3, 2, 2], [])):
    ...     print(row)
    ╭────►
    │ ╭──►
    ├─│───
    ╰─┴──►
    """
    spans = {head: (min(head, *of), max(head, *of)) for head, of in enumerate(parse.children) if of}
    # The line of a head is further from the words than those of its descendants that it overlaps,
    # so that no lines cross in a projective tree.
    order = sorted(spans, key=lambda head: len(parse.subtree(head)))
    columns = dict(zip(order, levels([spans[head] for head in order]), strict=True))
    # By row and column, the head whose line is there; lines of one column do not even touch.
    line_at = {
        (row, columns[head]): head
        for head, (first, last) in spans.items()
        for row in range(first, last + 1)
    }
    rows = []
    for token, head in enumerate(parse.head_indices):
        attached = {columns[end] for end in (token, head) if end in columns}
        row = ""
        for column in range(max(columns.values(), default=0), 0, -1):
            reaches_left = any(column < other for other in attached)
            if (token, column) not in line_at:
                row += "─" if reaches_left else " "
            elif column not in attached:
                row += "│"
            else:
                first, last = spans[line_at[token, column]]
                row += _JUNCTIONS[(first < token) + 2 * (token < last) + 4 * reaches_left]
            row += "─" if any(column <= other for other in attached) else " "
        end = "─►" if head != token else "──" if attached else "  "
        rows.append(row + end if columns else "")
    return rows


def _columns(sentence: Sentence, other: Sentence) -> Dict[str, List[Text]]:
    own, others = _labels(sentence), _labels(other)
    # The words of both may differ in their escapes.
    others["word"] = own["word"]
    columns = {}
    for name in {**others, **own}:
        pairs = zip({**others, **own}[name], {**own, **others}[name], strict=True)
        columns[name] = [_cell(name, f"{one}", f"{another}") for one, another in pairs]
    return columns


def _cell(name: str, one: str, another: str) -> Text:
    if one == another:
        return Text(printable(one), _STYLES.get(name, ""))
    pair = [re.fullmatch(r"(.*) ([01]\.\d\d)", cell, re.DOTALL) for cell in (one, another)]
    if name in ("POS", "relation") and pair[0] and pair[1] and pair[0][1] == pair[1][1]:
        return Text(printable(f"{one} / {pair[1][2]}"), _STYLES.get(name, ""))
    return Text(printable(f"{one} ≠ {another}"), _MARKED)


def _labels(sentence: Sentence) -> Dict[str, Sequence[Any]]:
    """Candidates stand in the column of the supertags, probabilities after tags and arc labels."""
    columns = dict(sentence.columns())
    if sentence.pos is not None:
        columns["POS"] = list(map(unescape_brackets, sentence.pos))
    if sentence.candidates is not None:
        columns["supertag"] = [
            " ".join(f"{tag}{_decimals(probability)}" for tag, probability in candidates)
            for candidates in sentence.candidates
        ]
    known = {"POS": sentence.pos_probabilities, "relation": sentence.head_probabilities}
    for name, probabilities in known.items():
        if name in columns and probabilities is not None:
            pairs = zip(columns[name], probabilities, strict=True)
            columns[name] = [f"{cell}{_decimals(probability)}" for cell, probability in pairs]
    return columns


def _decimals(probability: Optional[float]) -> str:
    return "" if probability is None else f" {probability:.2f}"


def _named(frames: Sequence[Frame]) -> List[_Named]:
    number = Counter(frame.name for frame in frames)
    return [
        (frame.name if number[frame.name] == 1 else f"{frame.name} ({frame.predicate + 1})", frame)
        for frame in frames
    ]


def _natural_width(columns: Sequence[Sequence[Text]]) -> int:
    return sum(max(cell.cell_len for cell in column) + 2 for column in columns) - 2


def _grid(columns: Sequence[Sequence[Text]], width: int) -> List[Text]:
    """If the table is too wide, the cells of the widest columns are folded."""
    widths = [max(1, *(cell.cell_len for cell in column)) for column in columns]
    while sum(widths) + 2 * len(widths) - 2 > width and max(widths) > 4:
        widths[widths.index(max(widths))] -= 1
    rows = []
    for cells in zip(*columns, strict=True):
        folded = [
            [cell] if cell.cell_len <= size else _folded(cell, size)
            for cell, size in zip(cells, widths, strict=True)
        ]
        for parts in zip_longest(*folded, fillvalue=Text()):
            row = Text()
            for part, size in zip(parts, widths, strict=True):
                row.append_text(part).append(" " * (size - part.cell_len + 2))
            row.rstrip()
            rows.append(row)
    return rows


def _folded(cell: Text, width: int) -> List[Text]:
    # Most tables need no folding, and so not the time of this import.
    from rich.console import Console

    return list(cell.wrap(Console(file=io.StringIO()), width, overflow="fold"))


def _role_lines(
    readings: Sequence[Optional[_Named]], names: Sequence[str], width: int, marked: _Spans
) -> List[Text]:
    """A paragraph if both readings of a predicate have the same roles, otherwise one for each."""
    one, other = readings
    if one and other and (one[1].tags, one[1].sense) == (other[1].tags, other[1].sense):
        return _wrapped(_role_text(*one), width)
    lines: List[Text] = []
    for reading, name in zip(readings, names, strict=True):
        if reading is None:
            text = Text(printable(f"{name}: ≠ no predicate"), _MARKED)
        else:
            text = Text.assemble((f"{printable(name)}: ", "italic"), _role_text(*reading, marked))
        lines += _wrapped(text, width)
    return lines


def _role_text(name: str, frame: Frame, marked: _Spans = frozenset()) -> Text:
    """The sentence with its spans in brackets; long gaps between spans are cut."""
    text = Text.assemble((f"{printable(name)}{_decimals(frame.probability)}:", "bold"))
    words = [printable(word) for word in frame.words]
    position = 0
    for span in [*frame.roles, None]:
        first = len(words) if span is None else span.first
        for word in "…" if first - position > _SHOWN_BETWEEN else words[position:first]:
            text.append(f" {word}", "dim")
        if span is not None:
            position = span.last + 1
            is_marked = (frame.predicate, span.role, first, span.last) in marked
            style = ROLE_STYLES[role_class(span.role)] + " underline" * is_marked
            label = f"[{'≠' * is_marked}{printable(span.role)}{_decimals(span.probability)}"
            text.append(" ").append(f"{label} {' '.join(words[first:position])}]", style)
    return text


def _gloss_lines(frames: Sequence[Frame], width: int) -> List[Text]:
    texts = []
    for frame in frames:
        if frame.role_glosses is not None:
            meaning = "(not in the frames)" if frame.gloss is None else f'"{frame.gloss}"'
            links = links_of(frame)
            heading = f"{frame.sense} {meaning}" + (f" ({'; '.join(links)})" if links else "")
            roles = sorted(set(filter(None, map(_explained, frame.arguments))))
            texts.append(printable(", ".join([heading, *roles])))
    unique = (Text(text, "dim") for text in dict.fromkeys(texts))
    lines = [line for text in unique for line in _wrapped(text, width, indent=4)]
    return [Text(), *lines] if lines else []


def _explained(span: RoleSpan) -> str:
    """Formats `ARG1 (Theme) Thing Sold`; empty without a meaning."""
    thematic = f"({span.thematic_role}) " if span.thematic_role else ""
    meaning = meaning_of_role(span.role, span.gloss)
    return f"{span.role} {thematic}{meaning}" if meaning else ""


def _wrapped(text: Text, width: int, indent: int = 2) -> List[Text]:
    breaks, position, used = [], 0, 0
    for word in text.plain.split(" "):
        if used and used + cell_len(word) > width:
            breaks.append(position)
            used = indent
        used += cell_len(word) + 1
        position += len(word) + 1
    lines = list(text.divide(breaks))
    for line in lines[:-1]:
        line.rstrip()
    return [lines[0], *(Text(" " * indent).append_text(line) for line in lines[1:])]
