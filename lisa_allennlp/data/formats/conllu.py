"""
CoNLL-U and CoNLL-X: dependency trees, one token per line. Ten columns are separated by tabs: id,
form, lemma, two parts of speech, features, head, arc label and two more.

    >>> import io
    >>> sentence = Sentence(["She", "sang"], ["PRP", "VBD"], parse=Parse([1, 1], ["nsubj", "root"]))
    >>> file = io.StringIO()
    >>> write_conllu([sentence], file)
    >>> file.getvalue().splitlines()[0].split("\\t")
    ['1', 'She', '_', '_', 'PRP', '_', '2', 'nsubj', '_', '_']
    >>> lines = file.getvalue().splitlines()
    >>> next(parse_conllu(lines, "predicted.conllu")).sentence == sentence
    True
"""

import re
from typing import Iterable, Iterator, List, NamedTuple, Optional, TextIO, Tuple

from lisa_allennlp.data.formats.columns import (
    Block,
    LocatedSentence,
    PathName,
    at_least_one,
    check_value,
    sentence_blocks,
    split_at_tabs,
    tree_from_columns,
)
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.sentence import Parse, Sentence

_ID, _FORM, _UPOS, _XPOS, _HEAD, _DEPREL = 0, 1, 3, 4, 6, 7
_NUM_COLUMNS = 10
_COLUMN_NAMES = "id, form, lemma, UPOS, XPOS, features, head, deprel, deps, misc"
_NO_VALUE = "_"
# `3-4` is a surface token of words 3 and 4; `8.1` is an elided word.
_MULTIWORD_OR_EMPTY = re.compile(r"[0-9]+[-.][0-9]+")


def parse_conllu(
    lines: Iterable[str],
    path: PathName,
    use_language_specific_pos: bool = True,
    requires_parses: bool = True,
) -> Iterator[LocatedSentence]:
    """
    Reads sentences. Multiword tokens and empty nodes are skipped: the tree does not contain them.

    # Parameters

    lines : `Iterable[str]`
        An open file, or the result of `columns.read_lines`.
    path : `PathName`
        The name of the file, for errors.
    use_language_specific_pos : `bool`, optional (default = `True`)
        Read parts of speech from XPOS (CoNLL-X: POSTAG) if true, from UPOS (CPOSTAG) if false. A
        token without a value in that column takes the other one's.
    requires_parses : `bool`, optional (default = `True`)
        Raise an error for a sentence without a tree. If false, a sentence with `_` for every head
        has no parse.

    # Returns

    `Iterator[LocatedSentence]`
        Reads lazily. Each sentence has words, a parse and, if the file has them, parts of speech.

    # Raises

    `CorpusFormatError`
        If a line is malformed or there are no sentences.
    """
    blocks = sentence_blocks(lines_with_tokens(lines, path), path, split_at_tabs)
    pos_columns = (_XPOS, _UPOS) if use_language_specific_pos else (_UPOS, _XPOS)
    sentences = (_read_sentence(path, block, pos_columns, requires_parses) for block in blocks)
    return at_least_one(sentences, path)


class CommentedRows(NamedTuple):
    """
    A sentence with all columns and comments of its file.

    # Parameters

    located : `LocatedSentence`
        The words, parts of speech (XPOS) and parse.
    rows : `List[List[str]]`
        The ten columns of each word.
    comments : `List[str]`
        The lines above the sentence that start with `#`.
    """

    located: LocatedSentence
    rows: List[List[str]]
    comments: List[str]

    def comment(self, key: str) -> Optional[str]:
        """The value of the comment `# key = value`, if there is one."""
        start = f"# {key} = "
        return next((line[len(start) :] for line in self.comments if line.startswith(start)), None)


def parse_conllu_rows(
    lines: Iterable[str], path: PathName, requires_parses: bool = True
) -> Iterator[CommentedRows]:
    """
    Reads sentences as `parse_conllu` does, but keeps all columns and comments.

    # Parameters

    lines, path, requires_parses :
        As in `parse_conllu`.

    # Raises

    `CorpusFormatError`
        If a line is malformed or there are no sentences.
    """
    lines = [line.rstrip("\r\n") for line in lines]
    for block in at_least_one(
        sentence_blocks(lines_with_tokens(lines, path), path, split_at_tabs), path
    ):
        located = _read_sentence(path, block, (_XPOS, _UPOS), requires_parses)
        first = block.line_numbers[0] - 1
        start = first
        while start > 0 and lines[start - 1].startswith("#"):
            start -= 1
        yield CommentedRows(located, _words_only(path, block).rows, lines[start:first])


def lines_with_tokens(
    lines: Iterable[str], path: PathName, comment: str = "#"
) -> Iterator[Tuple[int, str]]:
    """
    # Parameters

    path : `PathName`
        The file, for errors.
    comment : `str`, optional (default = `"#"`)
        The beginning of comments.

    # Returns

    `Iterator[Tuple[int, str]]`
        The lines that are no comments, with their 1-based numbers.

    # Raises

    `CorpusFormatError`
        If a comment follows a token of its sentence: a damaged token would be lost as a comment.
    """
    is_inside = False
    for number, line in enumerate(lines, start=1):
        if not line.startswith(comment):
            is_inside = bool(line.strip(" \t\r\n"))
            yield number, line
        elif is_inside:
            expected = "comments above the first token of a sentence only"
            found = f"the comment '{line.strip()}' within a sentence"
            raise CorpusFormatError(path, number, found, expected)


def _read_sentence(
    path: PathName, block: Block, pos_columns: Tuple[int, int], requires_parses: bool = True
) -> LocatedSentence:
    block = _words_only(path, block)
    parse = parse_of_block(path, block, _HEAD, _DEPREL, requires_parses)
    sentence = Sentence(block.column(_FORM), _parts_of_speech(block, pos_columns), parse=parse)
    return LocatedSentence(sentence, block.line_numbers)


def parse_of_block(
    path: PathName, block: Block, head: int, head_tag: int, requires_parses: bool = True
) -> Optional[Parse]:
    """
    # Parameters

    path : `PathName`
        The file, for errors.
    head, head_tag : `int`
        The columns of the tree. A head is 1-based, `0` for a root, `_` if there is none.
    requires_parses : `bool`, optional (default = `True`)
        As in `parse_conllu`.

    # Returns

    `Optional[Parse]`
        The tree of the sentence; `None` if no token has a head.

    # Raises

    `CorpusFormatError`
        If a head is missing, or as in `tree_from_columns`.
    """
    heads = block.column(head)
    if not requires_parses and all(head == _NO_VALUE for head in heads):
        return None
    _check_parsed(path, block.line_numbers, heads)
    return tree_from_columns(path, block.line_numbers, heads, block.column(head_tag))


def _words_only(path: PathName, block: Block) -> Block:
    words = Block([], [])
    for number, row in zip(block.line_numbers, block.rows, strict=True):
        if len(row) != _NUM_COLUMNS:
            found = "1 column" if len(row) == 1 else f"{len(row)} columns"
            expected = f"{_NUM_COLUMNS} separated by tabs ({_COLUMN_NAMES})"
            raise CorpusFormatError(path, number, found, expected)
        check_form(path, number, row[_FORM])
        if row[_ID] == str(len(words.rows) + 1):
            words.line_numbers.append(number)
            words.rows.append(row)
        elif not _MULTIWORD_OR_EMPTY.fullmatch(row[_ID]):
            expected = f"{len(words.rows) + 1}, or a blank line before the next sentence"
            raise CorpusFormatError(path, number, f"token id '{row[_ID]}'", expected)
    if not words.rows:
        raise CorpusFormatError(
            path, block.line_numbers[0], "a sentence without words", "a token with id 1"
        )
    return words


def check_form(path: PathName, number: int, form: str) -> None:
    """
    # Raises

    `CorpusFormatError`
        If the form of a token is empty.
    """
    if not form:
        raise CorpusFormatError(path, number, "a token without a form", "'_' for an unknown form")


def _check_parsed(path: PathName, line_numbers: List[int], heads: List[str]) -> None:
    if _NO_VALUE in heads:
        number = line_numbers[heads.index(_NO_VALUE)]
        raise CorpusFormatError(path, number, "no head ('_')", "a parsed sentence")


def _parts_of_speech(block: Block, pos_columns: Tuple[int, int]) -> Optional[List[str]]:
    first, second = pos_columns
    pos = [row[first] if row[first] != _NO_VALUE else row[second] for row in block.rows]
    return None if all(tag == _NO_VALUE for tag in pos) else pos


def write_conllu(sentences: Iterable[Sentence], file: TextIO) -> None:
    """
    Writes words, parts of speech (as XPOS) and parses. Missing values become `_`. Roles are left
    out; `conllu_roles` writes them.

    # Raises

    `ValueError`
        If a value is empty or contains a tab or line break.
    """
    for sentence in sentences:
        for row in conllu_rows(sentence):
            file.write("\t".join(check_value(value, "\t\r\n") for value in row) + "\n")
        file.write("\n")


def write_conllu_rows(sentence: CommentedRows, file: TextIO) -> None:
    """
    Writes one sentence with all its columns and comments, as `parse_conllu_rows` reads it.

    # Raises

    `ValueError`
        If a value is empty or contains a tab or line break.
    """
    for comment in sentence.comments:
        file.write(comment + "\n")
    for row in sentence.rows:
        file.write("\t".join(check_value(value, "\t\r\n") for value in row) + "\n")
    file.write("\n")


def conllu_rows(sentence: Sentence) -> Iterator[List[str]]:
    """The ten columns of each word, as `write_conllu` writes them."""
    unknown = [_NO_VALUE] * len(sentence.words)
    pos = sentence.pos if sentence.pos is not None else unknown
    heads = list(map(str, sentence.parse.heads)) if sentence.parse is not None else unknown
    head_tags = sentence.parse.head_tags if sentence.parse is not None else unknown
    columns = zip(sentence.words, pos, heads, head_tags, strict=True)
    for number, (word, tag, head, head_tag) in enumerate(columns, start=1):
        yield [str(number), word, "_", "_", tag, "_", head, head_tag, "_", "_"]
