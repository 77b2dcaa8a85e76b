"""
Supertags in columns, laid out like CoNLL-U: one token per line, columns separated by tabs, an empty
line after each sentence, `# ` before comments. The columns are token number (1-based), word, part
of speech (`_` for none) and supertag.

    >>> lines = ["1\\tShe\\t_\\tNP", "2\\tsang\\t_\\tS[dcl]\\\\NP"]
    >>> print(*next(parse_columns(lines, "train.tsv")).supertags)
    NP S[dcl]\\NP
"""

from typing import Iterable, Iterator, TextIO

from lisa_allennlp.data.formats.ccg.pipes import check_category
from lisa_allennlp.data.formats.columns import (
    Block,
    PathName,
    at_least_one,
    check_value,
    sentence_blocks,
    split_at_tabs,
)
from lisa_allennlp.data.formats.conllu import lines_with_tokens
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.sentence import Sentence

_ID, _WORD, _POS, _SUPERTAG = range(4)
_NUM_COLUMNS = 4
_NO_VALUE = "_"


def parse_columns(lines: Iterable[str], path: PathName) -> Iterator[Sentence]:
    """
    Reads sentences lazily.

    # Parameters

    lines : `Iterable[str]`
        An open file, or the result of `lisa_allennlp.data.formats.columns.read_lines`.
    path : `PathName`
        The name of the file, for errors.

    # Raises

    `CorpusFormatError`
        If a line or category is malformed or there are no sentences.
    """
    token_lines = lines_with_tokens(lines, path, comment="# ")
    blocks = sentence_blocks(token_lines, path, split_at_tabs)
    return at_least_one((_read_sentence(path, block) for block in blocks), path)


def _read_sentence(path: PathName, block: Block) -> Sentence:
    for position, (number, row) in enumerate(zip(block.line_numbers, block.rows, strict=True)):
        if len(row) != _NUM_COLUMNS or not all(row):
            found = f"'{' '.join(row)}', {len(row)} column{'s' * (len(row) != 1)}"
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


def write_columns(sentences: Iterable[Sentence], file: TextIO) -> None:
    """
    Writes sentences with supertags.

    # Raises

    `ValueError`
        If a value is empty or contains a tab or line break.
    """
    for sentence in sentences:
        assert sentence.supertags is not None
        pos = sentence.pos if sentence.pos is not None else [_NO_VALUE] * len(sentence.words)
        rows = zip(sentence.words, pos, sentence.supertags, strict=True)
        for number, values in enumerate(rows, start=1):
            row = [str(number), *(check_value(value, "\t\r\n") for value in values)]
            file.write("\t".join(row) + "\n")
        file.write("\n")
