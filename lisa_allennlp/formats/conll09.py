"""
CoNLL-2009: dependency trees with the roles of predicates at the heads of their arguments. Columns,
separated by tabs: ID, FORM, LEMMA, PLEMMA, POS, PPOS, FEAT, PFEAT, HEAD, PHEAD, DEPREL, PDEPREL,
FILLPRED, PRED, and one column of roles per predicate. Columns with a `P` before their names are
predicted; they count where gold is `_`.

The roles are read and written as those of Universal PropBank, which have the same names: a span is
the subtree of its head.

    >>> rows = [
    ...     "1 She she she PRP PRP _ _ 2 2 SBJ SBJ _ _ A0",
    ...     "2 sells sell sell VBZ VBZ _ _ 0 0 ROOT ROOT Y sell.01 _",
    ...     "3 old old old JJ JJ _ _ 4 4 NMOD NMOD _ _ _",
    ...     "4 cars car car NNS NNS _ _ 2 2 OBJ OBJ _ _ A1",
    ... ]
    >>> lines = [row.replace(" ", "\\t") for row in rows]
    >>> [(sentence, _)] = parse_conll09(lines, "dev.conll09")
    >>> sentence
    <Sentence 'She sells old cars' | sells: [ARG0: She] [V: sells] [ARG1: old cars]>
    >>> import io
    >>> file = io.StringIO()
    >>> write_conll09([sentence], file)
    >>> file.getvalue().splitlines() == [*lines, ""]
    True
"""

from typing import Iterable, Iterator, List, Sequence, TextIO
from urllib.parse import unquote

from lisa_allennlp.formats import universal_propbank as up
from lisa_allennlp.formats.columns import (
    LocatedSentence,
    PathName,
    check_least_width,
    check_role_columns,
    frames_in_order,
    read_number,
    sentence_blocks,
    split_at_tabs,
    tab_line,
)
from lisa_allennlp.formats.conllu import columns_of, parse_conllu_roles, rows_of
from lisa_allennlp.sentence.roles import VERB
from lisa_allennlp.sentence.sentence import Sentence

PREDICTED_COLUMNS = ("PLEMMA", "PPOS", "PFEAT", "PHEAD", "PDEPREL")
"""The other columns of a sentence in CoNLL-U Plus that CoNLL-2009 holds."""

CONLL09_NAMES = (
    "ID, FORM, LEMMA, PLEMMA, POS, PPOS, FEAT, PFEAT, HEAD, PHEAD, DEPREL, PDEPREL, FILLPRED, PRED"
)
"""The columns before the roles of each predicate."""

_GOLD_AND_PREDICTED = ((2, 3), (4, 5), (6, 7), (8, 9), (10, 11))
_FILLPRED, _PRED, _FIRST_ROLE = 12, 13, 14
_NO_VALUE = "_"
# The last name stands for a column per predicate.
_PLUS_COLUMNS = (
    *CONLL09_NAMES.replace("POS", "XPOS", 1).replace("FEAT", "FEATS", 1).split(", ")[:_FILLPRED],
    up.FLAG,
    up.PREDICATE,
    up.FRAME,
)


def is_conll09(line: str) -> bool:
    """Whether a line can be the first token of a file in CoNLL-2009."""
    row = split_at_tabs(line.rstrip("\r\n"))
    return (
        len(row) >= _PRED
        and row[0] == "1"
        and row[_FILLPRED] in (_NO_VALUE, "Y")
        and all(head == _NO_VALUE or read_number(head) is not None for head in row[8:10])
    )


def parse_conll09(lines: Iterable[str], path: PathName) -> Iterator[LocatedSentence]:
    """
    Reads words, lemmas, tags, trees and roles, and keeps the other columns. A predicate without a
    sense, as in the data of the shared task's evaluation, has its lemma.
    """
    return parse_conllu_roles(_plus_lines(lines, path), path, columns=_PLUS_COLUMNS)


def _plus_lines(lines: Iterable[str], path: PathName) -> Iterator[str]:
    """Each line as one of CoNLL-U Plus."""
    position = 0
    for block in sentence_blocks(enumerate(lines, start=1), path, split_at_tabs):
        names = f"{CONLL09_NAMES}, roles of each predicate"
        check_least_width(path, block, _PRED, names, "tabs")
        rows = [row if len(row) > _PRED else [*row, _NO_VALUE] for row in block.rows]
        predicates = [i for i, row in enumerate(rows) if row[_FILLPRED:_FIRST_ROLE] != ["_", "_"]]
        if any(len(row) > _FIRST_ROLE for row in rows):
            check_role_columns(path, block, _FIRST_ROLE, predicates)
        for row in rows:
            for gold, predicted in _GOLD_AND_PREDICTED:
                row[gold] = row[predicted] if row[gold] == _NO_VALUE else row[gold]
            if row[_PRED] == _NO_VALUE != row[_FILLPRED]:
                row[_PRED] = f"{row[2]}.{_NO_VALUE}"
        for number, row in zip(block.line_numbers, rows, strict=True):
            yield from "\n" * (number - position - 1)
            yield "\t".join(row)
            position = number


def write_conll09(sentences: Iterable[Sentence], file: TextIO) -> None:
    """
    Writes sentences with frames and a parse. Predicted columns that are not known are those of
    gold. A `V` is not written: it is the predicate itself.
    """
    for sentence in sentences:
        has_predicted = not {*PREDICTED_COLUMNS}.isdisjoint(columns_of([sentence]))
        rows = rows_of(sentence, PREDICTED_COLUMNS).rows
        predicates = [frame.predicate for frame in frames_in_order(sentence)]
        roles = [_role_column(rows[predicate][11], len(rows)) for predicate in predicates]
        for position, row in enumerate(rows):
            number, form, lemma, upos, xpos, feats, head, head_tag, _, _, roleset, *_ = row
            gold = [lemma, upos if xpos == _NO_VALUE else xpos, feats, head, head_tag]
            predicted = row[-len(PREDICTED_COLUMNS) :] if has_predicted else gold
            pairs = [value for pair in zip(gold, predicted, strict=True) for value in pair]
            mark = "Y" if position in predicates else _NO_VALUE
            sense = _NO_VALUE if roleset.endswith(f".{_NO_VALUE}") else unquote(roleset)
            own = [column[position] for column in roles]
            file.write(tab_line([number, form, *pairs, mark, sense, *own]))
        file.write("\n")


def _role_column(arguments: str, length: int) -> Sequence[str]:
    column: List[str] = [_NO_VALUE] * length
    for argument in arguments.split("|") if arguments != _NO_VALUE else []:
        label, _, head = argument.rpartition(":")
        if column[int(head) - 1] != _NO_VALUE:
            raise ValueError(f"found two arguments with the head {head}; expected one")
        if label != VERB:
            column[int(head) - 1] = unquote(label)
    return column
