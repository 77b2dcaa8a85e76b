"""
Supertags in columns, laid out like CoNLL-U: one token per line, columns separated by tabs, an empty
line after each sentence, `# ` before comments. The columns are token number (1-based), word, part
of speech (`_` for none) and supertag.

    >>> lines = ["1\\tShe\\t_\\tNP", "2\\tsang\\t_\\tS[dcl]\\\\NP"]
    >>> print(*next(parse_columns(lines, "train.tsv")).supertags)
    NP S[dcl]\\NP

For corpora without CCG categories, supertags are derived from dependency trees. Like a category,
such a label tells what a word combines with, and on which side.

    >>> dependency_supertags(Parse([1, 1, 1], ["nsubj", "root", "punct"]))
    ['nsubj/R', 'root+LR', 'punct/L']
"""

from typing import Iterable, Iterator, List

from lisa_allennlp.data.formats.ccg.categories import check_category
from lisa_allennlp.data.formats.columns import (
    Block,
    PathName,
    at_least_one,
    count,
    sentence_blocks,
    split_at_tabs,
)
from lisa_allennlp.data.formats.conllu import lines_with_tokens, parse_conllu
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.sentence import Parse, Sentence

_ID, _WORD, _POS, _SUPERTAG = range(4)
_NUM_COLUMNS = 4
_NO_VALUE = "_"


def parse_columns(lines: Iterable[str], path: PathName) -> Iterator[Sentence]:
    """
    Reads sentences lazily. Raises a `CorpusFormatError` if a line or category is malformed or there
    are no sentences.
    """
    token_lines = lines_with_tokens(lines, path, comment="# ")
    blocks = sentence_blocks(token_lines, path, split_at_tabs)
    return at_least_one((_read_sentence(path, block) for block in blocks), path)


def _read_sentence(path: PathName, block: Block) -> Sentence:
    for position, (number, row) in enumerate(zip(block.line_numbers, block.rows, strict=True)):
        if len(row) != _NUM_COLUMNS or not all(row):
            found = f"'{' '.join(row)}', {count(len(row), 'column')}"
            expected = f"{_NUM_COLUMNS} separated by tabs (number, word, part of speech, supertag)"
            raise CorpusFormatError(path, number, found, expected)
        if row[_ID] != str(position + 1):
            expected = f"{position + 1}, or a blank line before the next sentence"
            raise CorpusFormatError(path, number, f"token number '{row[_ID]}'", expected)
        check_category(path, number, row[_SUPERTAG])
    pos = block.column(_POS)
    return Sentence(
        block.column(_WORD),
        None if set(pos) == {_NO_VALUE} else pos,
        supertags=block.column(_SUPERTAG),
    )


def parse_dependency_supertags(lines: Iterable[str], path: PathName) -> Iterator[Sentence]:
    """Reads trees as `parse_conllu` does, and adds `dependency_supertags` to each sentence."""
    for sentence, _ in parse_conllu(lines, path):
        assert sentence.parse is not None
        yield Sentence(sentence.words, sentence.pos, supertags=dependency_supertags(sentence.parse))


def dependency_supertags(parse: Parse) -> List[str]:
    """
    Returns for each token its arc label, then `/` and the side of its head (roots have none), then
    `+` and the sides of its dependents, if any: `nsubj/R+L`, `punct/L`, `root+LR`.
    """
    supertags = []
    for token, (head, relation) in enumerate(zip(parse.head_indices, parse.head_tags, strict=True)):
        direction = "" if head == token else "/R" if head > token else "/L"
        dependents = parse.children[token]
        sides = "L" * any(d < token for d in dependents) + "R" * any(d > token for d in dependents)
        supertags.append(relation + direction + (f"+{sides}" if sides else ""))
    return supertags
