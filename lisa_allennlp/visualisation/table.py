"""Formats a labelled sentence as a table to read."""

import textwrap
from collections import Counter
from dataclasses import replace
from typing import Any, List, Optional, Sequence

from rich.cells import cell_len

from lisa_allennlp.common.tables import format_table
from lisa_allennlp.data.formats.roles import bio_to_brackets
from lisa_allennlp.data.sentence import Column, Frame, Sentence
from lisa_allennlp.visualisation.printable import printable


def render(sentence: Sentence, width: int = 80) -> str:
    """
    Formats a sentence as a table with a line per token. If the table fits the width, each predicate
    has a column of roles in the brackets of the CoNLL shared tasks. Otherwise, or if there are
    probabilities, each predicate has a line of roles under the table. Predicates are named by their
    rolesets or, if these are unknown, their forms. Positions distinguish predicates with the same
    name.

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
    columns = token_columns(sentence)
    frames = sentence.frames or []
    roles: List[Column] = [
        (name, bio_to_brackets(f.tags)) for name, f in zip(frame_names(frames), frames, strict=True)
    ]
    if sentence.pos_probabilities is None and _width(columns + roles) <= width:
        table = _format(columns + roles, width)
    else:
        table = "\n".join([_format(columns, width), *_role_lines(frames, width)])
    table = "\n".join([table, *gloss_lines(frames, width)])
    return f"{table}\n(no predicate found)" if sentence.frames == [] else table


def token_columns(sentence: Sentence) -> List[Column]:
    """
    The columns other than roles. Candidates stand in the column of the supertags, probabilities
    after tags and arc labels.
    """
    if sentence.candidates is not None:
        ranked = [
            " ".join(f"{tag} {probability:.2f}" for tag, probability in candidates)
            for candidates in sentence.candidates
        ]
        sentence = replace(sentence, supertags=ranked)
    probabilities = {
        "POS": sentence.pos_probabilities,
        "relation": sentence.head_probabilities,
    }
    return [
        (name, _with_probabilities(cells, probabilities.get(name)))
        for name, cells in sentence.columns()
    ]


def _with_probabilities(
    cells: Sequence[Any], probabilities: Optional[Sequence[float]]
) -> Sequence[Any]:
    if probabilities is None:
        return cells
    return [f"{cell} {p:.2f}" for cell, p in zip(cells, probabilities, strict=True)]


def frame_names(frames: Sequence[Frame]) -> List[str]:
    """
    The roleset or the form of each predicate, followed by its position if that is not unique.
    """
    number = Counter(frame.name for frame in frames)
    return [
        frame.name if number[frame.name] == 1 else f"{frame.name} ({frame.predicate + 1})"
        for frame in frames
    ]


def _role_lines(frames: Sequence[Frame], width: int) -> List[str]:
    lines = [""]
    for name, frame in zip(frame_names(frames), frames, strict=True):
        roles = [span.role for span in frame.roles]
        labels = _with_probabilities(roles, frame.span_probabilities)
        spans = " ".join(
            f"[{label}: {span.text}]" for label, span in zip(labels, frame.roles, strict=True)
        )
        if frame.probability is not None:
            name = f"{name} {frame.probability:.2f}"
        # A span of raw text may have line breaks.
        text = printable(" ".join(f"{name}: {spans}".split()))
        lines += textwrap.wrap(text, width, subsequent_indent="    ", break_on_hyphens=False)
    return lines


def gloss_lines(frames: Sequence[Frame], width: int) -> List[str]:
    """A line for each roleset with its meaning and that of its roles in the sentence."""
    lines: List[str] = []
    for frame in frames:
        if frame.role_glosses is not None:
            meaning = "(not in the frames)" if frame.gloss is None else f'"{frame.gloss}"'
            glosses = {span.role: f"{span.role} {span.gloss}" for span in frame.roles if span.gloss}
            text = ", ".join([f"{frame.sense} {meaning}", *(glosses[r] for r in sorted(glosses))])
            lines += textwrap.wrap(text, width, subsequent_indent="    ", break_on_hyphens=False)
    return ["", *dict.fromkeys(lines)] if lines else []


def _width(columns: Sequence[Column]) -> int:
    """The width of the table, with two blanks between columns."""
    texts = ([name, *(printable(str(cell)) for cell in cells)] for name, cells in columns)
    return sum(max(map(cell_len, column)) for column in texts) + 2 * (len(columns) - 1)


def _format(columns: Sequence[Column], width: int) -> str:
    names, cells = zip(*columns, strict=True)
    rows = ([printable(str(cell)) for cell in row] for row in zip(*cells, strict=True))
    return format_table(rows, names, width)
