"""A labelled sentence for people: a line per token, and the roles of each predicate."""

import textwrap
from collections import Counter
from typing import Any, Dict, List, Sequence

from lisa_allennlp.common.tables import format_table
from lisa_allennlp.data.formats.roles import bio_to_brackets
from lisa_allennlp.data.sentence import Frame, Sentence


def render(sentence: Sentence, width: int = 80) -> str:
    """
    Roles stand in a column per predicate, in the brackets of the CoNLL shared tasks, where the
    columns fit; else on a line per predicate under the table. Predicates of the same form are told
    apart by their positions.

    >>> print(render(Sentence(["She", "left"], frames=[Frame(1, ["B-ARG0", "B-V"])])))
       word  left
    1  She   (ARG0*)
    2  left  (V*)

    # Parameters

    sentence : `Sentence`
        What is not known of it is left out.
    width : `int`, optional (default = `80`)
        Of the lines, in characters.

    # Returns

    `str`
        Lines without a line break at the end.
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
    """The columns of the table that are not for roles, by their headings."""
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
    """The form of each predicate, and its position where it is not the only one of its form."""
    number = Counter(frame.verb for frame in frames)
    return [
        frame.verb if number[frame.verb] == 1 else f"{frame.verb} ({frame.predicate + 1})"
        for frame in frames
    ]


def _role_lines(frames: Sequence[Frame], width: int) -> List[str]:
    lines = [""]
    for name, frame in zip(_names(frames), frames, strict=True):
        spans = " ".join(f"[{span.role}: {span.text}]" for span in frame.roles)
        lines += textwrap.wrap(f"{name}: {spans}", width, subsequent_indent="    ")
    return lines


def _width(columns: Dict[str, Sequence[Any]]) -> int:
    """Of the table, with two blanks between columns."""
    cells = ([name, *map(str, column)] for name, column in columns.items())
    return sum(max(map(len, column)) for column in cells) + 2 * (len(columns) - 1)


def _format(columns: Dict[str, Sequence[Any]], width: int) -> str:
    return format_table(zip(*columns.values(), strict=True), list(columns), width)
