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

from itertools import chain
from typing import Iterable, Iterator, List, Sequence, TextIO
from urllib.parse import unquote

from lisa_allennlp.formats import universal_propbank as up
from lisa_allennlp.formats.columns import (
    LocatedSentence,
    PathName,
    check_equal_width,
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

_PREDICTED = {"LEMMA": "PLEMMA", "XPOS": "PPOS", "FEATS": "PFEAT", "HEAD": "PHEAD"}
_PREDICTED["DEPREL"] = "PDEPREL"

PREDICTED_COLUMNS = tuple(_PREDICTED.values())

TREE_COLUMNS = ("ID", "FORM", *chain(*_PREDICTED.items()))

# The last name stands for a column per predicate.
_PLUS_COLUMNS = (*TREE_COLUMNS, up.FLAG, up.PREDICATE, up.FRAME)

_NAMES = (
    "ID, FORM, LEMMA, PLEMMA, POS, PPOS, FEAT, PFEAT, HEAD, PHEAD, DEPREL, PDEPREL, FILLPRED, "
    "PRED, roles of each predicate"
)
_LEMMA, _FILLPRED, _PRED, _FIRST_ROLE = 2, 12, 13, 14
_NO_VALUE = "_"


def is_conll09(line: str) -> bool:
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
    return parse_conllu_roles(plus_lines(lines, path), path, columns=_PLUS_COLUMNS)


def plus_lines(lines: Iterable[str], path: PathName, gold_trees: bool = False) -> Iterator[str]:
    """Yields CoNLL-U Plus with predicted values for gold `_`, or the columns of `gold_trees`."""
    position = 0
    for block in sentence_blocks(enumerate(lines, start=1), path, split_at_tabs):
        check_least_width(path, block, _PRED, _NAMES, "tabs")
        rows = [row if len(row) > _PRED else [*row, _NO_VALUE] for row in block.rows]
        predicates = [i for i, row in enumerate(rows) if row[_FILLPRED:_FIRST_ROLE] != ["_", "_"]]
        if gold_trees:
            check_equal_width(path, block)
        elif any(len(row) > _FIRST_ROLE for row in rows):
            check_role_columns(path, block, _FIRST_ROLE, predicates)
        for number, row in zip(block.line_numbers, rows, strict=True):
            for gold in () if gold_trees else range(_LEMMA, _FILLPRED, 2):
                row[gold] = row[gold + 1] if row[gold] == _NO_VALUE else row[gold]
            if row[_PRED] == _NO_VALUE != row[_FILLPRED]:
                row[_PRED] = f"{row[_LEMMA]}.{_NO_VALUE}"
            yield from "\n" * (number - position - 1)
            yield "\t".join(row[:_FILLPRED] if gold_trees else row)
            position = number


def write_conll09(sentences: Iterable[Sentence], file: TextIO) -> None:
    """
    Writes sentences with frames and a parse, without `V`, the predicate itself. Unknown predicted
    columns repeat the gold ones.
    """
    for sentence in sentences:
        has_predicted = not {*PREDICTED_COLUMNS}.isdisjoint(columns_of([sentence]))
        known = rows_of(sentence, PREDICTED_COLUMNS).columns
        predicates = [frame.predicate for frame in frames_in_order(sentence)]
        pairs = zip(known["XPOS"], known["UPOS"], strict=True)
        known["XPOS"] = [upos if xpos == _NO_VALUE else xpos for xpos, upos in pairs]
        columns = [known["ID"], known["FORM"]]
        for name, predicted in _PREDICTED.items():
            columns += [known[name], known[predicted if has_predicted else name]]
        senses = [
            _NO_VALUE if roleset.endswith(f".{_NO_VALUE}") else unquote(roleset)
            for roleset in known[up.PREDICATE]
        ]
        marks = ["Y" if i in predicates else _NO_VALUE for i in range(len(senses))]
        roles = [_role_column(known[up.HEADS][i], len(senses)) for i in predicates]
        for row in zip(*columns, marks, senses, *roles, strict=True):
            file.write(tab_line(row))
        file.write("\n")


def _role_column(arguments: str, length: int) -> Sequence[str]:
    column: List[str] = [_NO_VALUE] * length
    for argument in arguments.split("|") if arguments != _NO_VALUE else []:
        label, _, head = argument.rpartition(":")
        if column[int(head) - 1] != _NO_VALUE:
            raise ValueError(f"found two arguments with the head {head}; expected one argument")
        if label != VERB:
            column[int(head) - 1] = unquote(label)
    return column
