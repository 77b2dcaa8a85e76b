"""
Dependency trees in any format that has them: CoNLL-U, CoNLL-X, CoNLL-2009 or `.combined.bio`. The
format is recognised by the first line with a token.

CoNLL-2009 has fourteen columns, separated by tabs: id, form, then lemma, part of speech, features,
head and arc label, each first gold and then predicted, and whether the token is a predicate
(FILLPRED, PRED). One column per predicate with its arguments follows; it is not read.
"""

from typing import Iterable, Iterator

from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.formats.columns import (
    LocatedSentence,
    PathName,
    check_equal_width,
    check_least_width,
    first_token_line,
    read_blocks,
    split_at_tabs,
)
from lisa_allennlp.formats.conll05 import is_combined_bio, parse_conll05
from lisa_allennlp.formats.conll09 import CONLL09_NAMES
from lisa_allennlp.formats.conllu import (
    GLOBAL_COLUMNS,
    check_token,
    parse_conllu,
    sentence_of_block,
)

_CONLLU_COLUMNS = 10
_CONLL09_COLUMNS = len(CONLL09_NAMES.split(", "))
_ID, _FORM, _POS, _PPOS, _HEAD, _DEPREL = map(
    CONLL09_NAMES.split(", ").index, ("ID", "FORM", "POS", "PPOS", "HEAD", "DEPREL")
)
_NO_VALUE = "_"


def parse_treebank(
    lines: Iterable[str],
    path: PathName,
    use_language_specific_pos: bool = True,
    use_predicted_pos: bool = False,
    requires_parses: bool = True,
) -> Iterator[LocatedSentence]:
    """
    Reads words, trees and, if the file has them, parts of speech. Options are as in `parse_conllu`;
    with `use_predicted_pos`, parts of speech are the predicted ones of CoNLL-2009 (PPOS) or
    `.combined.bio` (automatic POS), and formats without them are refused.
    """
    start, lines = first_token_line(lines)
    first = start[-1] if start else ""
    is_plus = any(map(GLOBAL_COLUMNS.match, start))
    is_wide = len(split_at_tabs(first)) > _CONLLU_COLUMNS
    is_conll09 = first[0:1].isdigit() and is_wide and not is_plus
    if is_combined_bio(first):
        yield from parse_conll05(lines, path, use_predicted_pos)
    elif is_conll09:
        yield from parse_conll09(lines, path, use_predicted_pos, requires_parses)
    elif use_predicted_pos:
        expected = "the columns of CoNLL-2009 or .combined.bio, which have them"
        raise CorpusFormatError(path, len(start), "no predicted parts of speech", expected)
    else:
        yield from parse_conllu(lines, path, use_language_specific_pos, requires_parses)


def parse_conll09(
    lines: Iterable[str],
    path: PathName,
    use_predicted_pos: bool = False,
    requires_parses: bool = True,
) -> Iterator[LocatedSentence]:
    """Reads CoNLL-2009 as `parse_treebank` does, with parts of speech from PPOS or POS."""
    for block in read_blocks(lines, path, split_at_tabs):
        names = f"{CONLL09_NAMES}, arguments"
        check_least_width(path, block, _CONLL09_COLUMNS, names, "tabs")
        check_equal_width(path, block)
        for position, (number, row) in enumerate(block.numbered_rows(), 1):
            check_token(path, number, row[_ID], row[_FORM], position)
        pos = block.column(_PPOS if use_predicted_pos else _POS)
        if use_predicted_pos and _NO_VALUE in pos:
            number = block.line_numbers[pos.index(_NO_VALUE)]
            raise CorpusFormatError(path, number, "no PPOS ('_')", "a predicted part of speech")
        yield sentence_of_block(path, block, pos, _HEAD, _DEPREL, requires_parses)
