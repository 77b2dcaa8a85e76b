"""
Dependency trees in any format that has them: CoNLL-U, CoNLL-X, CoNLL-2009 or `.combined.bio`. The
format is recognised by the first line with a token.
"""

from typing import Iterable, Iterator

from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.formats import conll09
from lisa_allennlp.formats.columns import (
    LocatedSentence,
    PathName,
    first_token_line,
    split_at_tabs,
)
from lisa_allennlp.formats.conll05 import is_combined_bio, parse_conll05
from lisa_allennlp.formats.conllu import (
    COLUMNS,
    GLOBAL_COLUMNS,
    parse_conllu,
    parse_conllu_rows,
)


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
    is_wide = len(split_at_tabs(first)) > len(COLUMNS)
    if is_combined_bio(first):
        yield from parse_conll05(lines, path, use_predicted_pos)
    elif first[0:1].isdigit() and is_wide and not is_plus:
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
    """Reads gold trees as `parse_treebank` does, with parts of speech from PPOS or POS."""
    column = "PPOS" if use_predicted_pos else "XPOS"
    plus, names = conll09.plus_lines(lines, path, gold_trees=True), conll09.TREE_COLUMNS
    for item in parse_conllu_rows(plus, path, requires_parses, (column, column), names):
        if use_predicted_pos and "_" in item.columns[column]:
            number = item.located.line_numbers[item.columns[column].index("_")]
            raise CorpusFormatError(path, number, "no PPOS ('_')", "a predicted part of speech")
        yield item.located
