"""
CoNLL-2009: dependency trees with gold and predicted columns, one token per line. Fourteen columns
are separated by tabs: id, form, then lemma, part of speech, features, head and arc label, each
first gold and then predicted, and whether the token is a predicate (FILLPRED, PRED). One column per
predicate with its arguments follows; it is not read.

    >>> line = "1\\tSing\\tsing\\tsing\\tVB\\tNN\\t_\\t_\\t0\\t0\\tROOT\\tROOT\\tY\\tsing.01\\t_"
    >>> [(sentence, line_numbers)] = parse_conll09([line], "train.conll09")
    >>> sentence.pos, sentence.heads, sentence.head_tags
    (['VB'], [0], ['ROOT'])
    >>> [(sentence, _)] = parse_conll09([line], "train.conll09", use_predicted_pos=True)
    >>> sentence.pos
    ['NN']
"""

from typing import Iterable, Iterator, List, Optional

from lisa_allennlp.data.formats.columns import (
    Block,
    LocatedSentence,
    PathName,
    at_least_one,
    sentence_blocks,
    split_at_tabs,
)
from lisa_allennlp.data.formats.conllu import check_form, parse_of_block
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.sentence import Sentence

_ID, _FORM, _POS, _PPOS, _HEAD, _DEPREL = 0, 1, 4, 5, 8, 10
_NUM_COLUMNS = 14
_COLUMN_NAMES = (
    "ID, FORM, LEMMA, PLEMMA, POS, PPOS, FEAT, PFEAT, HEAD, PHEAD, DEPREL, PDEPREL, FILLPRED, PRED"
)
_NO_VALUE = "_"


def parse_conll09(
    lines: Iterable[str],
    path: PathName,
    use_predicted_pos: bool = False,
    requires_parses: bool = True,
) -> Iterator[LocatedSentence]:
    """
    Reads words, parts of speech and gold trees.

    # Parameters

    lines : `Iterable[str]`
        An open file, or the result of `columns.read_lines`.
    path : `PathName`
        The name of the file, for errors.
    use_predicted_pos : `bool`, optional (default = `False`)
        Read parts of speech from PPOS if true, from POS if false.
    requires_parses : `bool`, optional (default = `True`)
        As in `parse_conllu`.

    # Returns

    `Iterator[LocatedSentence]`
        Reads lazily. Each sentence has words, a parse and, if the file has them, parts of speech.

    # Raises

    `CorpusFormatError`
        If a line is malformed, a token lacks the predicted part of speech, or there are no
        sentences.
    """
    blocks = sentence_blocks(enumerate(lines, start=1), path, split_at_tabs)
    return at_least_one(
        (_read_sentence(path, block, use_predicted_pos, requires_parses) for block in blocks), path
    )


def _read_sentence(
    path: PathName, block: Block, use_predicted_pos: bool, requires_parses: bool
) -> LocatedSentence:
    _check_columns(path, block)
    pos = _predicted_pos(path, block) if use_predicted_pos else _gold_pos(block)
    parse = parse_of_block(path, block, _HEAD, _DEPREL, requires_parses)
    return LocatedSentence(Sentence(block.column(_FORM), pos, parse=parse), block.line_numbers)


def _check_columns(path: PathName, block: Block) -> None:
    width = len(block.rows[0])
    for number, row in zip(block.line_numbers, block.rows, strict=True):
        found = "1 column" if len(row) == 1 else f"{len(row)} columns"
        if len(row) < _NUM_COLUMNS:
            expected = f"at least {_NUM_COLUMNS} separated by tabs ({_COLUMN_NAMES}, arguments)"
            raise CorpusFormatError(path, number, found, expected)
        if len(row) != width:
            expected = f"{width}, as in line {block.line_numbers[0]}, the first of the sentence"
            raise CorpusFormatError(path, number, found, expected)
    for position, (number, row) in enumerate(zip(block.line_numbers, block.rows, strict=True), 1):
        check_form(path, number, row[_FORM])
        if row[_ID] != str(position):
            expected = f"{position}, or a blank line before the next sentence"
            raise CorpusFormatError(path, number, f"token id '{row[_ID]}'", expected)


def _gold_pos(block: Block) -> Optional[List[str]]:
    pos = block.column(_POS)
    return None if all(tag == _NO_VALUE for tag in pos) else pos


def _predicted_pos(path: PathName, block: Block) -> List[str]:
    pos = block.column(_PPOS)
    if _NO_VALUE in pos:
        number = block.line_numbers[pos.index(_NO_VALUE)]
        raise CorpusFormatError(path, number, "no PPOS ('_')", "a predicted part of speech")
    return pos
