"""Formats a labelled sentence as a table to read."""

import textwrap
from collections import Counter
from typing import Any, Dict, List, Sequence

from lisa_allennlp.common.tables import format_table
from lisa_allennlp.data.formats.roles import bio_to_brackets
from lisa_allennlp.data.sentence import Frame, Sentence


def render(sentence: Sentence, width: int = 80) -> str:
    """
    Formats a sentence as a table with a line per token. If the table fits the width, each predicate
    has a column of roles in the brackets of the CoNLL shared tasks. Otherwise each predicate has a
    line of roles under the table. Positions distinguish predicates with the same form.

    >>> print(render(Sentence(["She", "left"], frames=[Frame(1, ["B-ARG0", "B-V"])])))
       word  left
    1  She   (ARG0*)
    2  left  (V*)

    # Parameters

    sentence : `Sentence`
        Columns of missing annotation are left out.
    width : `int`, optional (default = `80`)
        The width of the lines, in characters.

    # Returns

    `str`
        Lines without a final line break.
    """
    if not sentence.words:
        return "(an empty sentence)"
    columns = _token_columns(sentence)
    frames = sentence.frames or []
    roles = {name: bio_to_brackets(f.tags) for name, f in zip(_names(frames), frames, strict=True)}
    table = _format({**columns, **roles}, width)
    if _width({**columns, **roles}) > width:
        table = "\n".join([_format(columns, width), *_role_lines(frames, width)])
    return f"{table}\n(no predicate found)" if sentence.frames == [] else table


def _token_columns(sentence: Sentence) -> Dict[str, Sequence[Any]]:
    """The columns other than roles, by heading."""
    known: Dict[str, Any] = {
        "": range(1, len(sentence.words) + 1),
        "word": sentence.words,
        "POS": sentence.pos,
        "head": sentence.heads,
        "relation": sentence.head_tags,
        "supertag": sentence.supertags,
    }
    if sentence.candidates is not None:
        known["supertag"] = [
            " ".join(f"{tag} {probability:.2f}" for tag, probability in ranked)
            for ranked in sentence.candidates
        ]
    return {name: column for name, column in known.items() if column is not None}


def _names(frames: Sequence[Frame]) -> List[str]:
    """The form of each predicate, followed by its position if the form is not unique."""
    number = Counter(frame.verb for frame in frames)
    return [
        frame.verb if number[frame.verb] == 1 else f"{frame.verb} ({frame.predicate + 1})"
        for frame in frames
    ]


def _role_lines(frames: Sequence[Frame], width: int) -> List[str]:
    lines = [""]
    for name, frame in zip(_names(frames), frames, strict=True):
        spans = " ".join(f"[{span.role}: {span.text}]" for span in frame.roles)
        lines += textwrap.wrap(
            f"{name}: {spans}", width, subsequent_indent="    ", break_on_hyphens=False
        )
    return lines


def _width(columns: Dict[str, Sequence[Any]]) -> int:
    """The width of the table, with two blanks between columns."""
    cells = ([name, *map(str, column)] for name, column in columns.items())
    return sum(max(map(len, column)) for column in cells) + 2 * (len(columns) - 1)


def _format(columns: Dict[str, Sequence[Any]], width: int) -> str:
    return format_table(zip(*columns.values(), strict=True), list(columns), width)
