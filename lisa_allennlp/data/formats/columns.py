"""What all column formats share: lines, sentences, role columns and tree columns."""

import gzip
import re
import zlib
from os import PathLike
from typing import (
    IO,
    Callable,
    Iterable,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
)

from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.roles import VERB, BracketError, brackets_to_bio
from lisa_allennlp.data.sentence import Frame, Parse, Sentence, self_loop_heads

PathName = Union[str, PathLike]
NO_VALUE = "-"

_GZIP_START = b"\x1f\x8b"
_BIO_LABEL = re.compile(r"O|[BI]-.+")
# Not str.split(): it would split at a no-break space, which words do contain.
_split_at_blanks = re.compile(r"[^ \t]+").findall

Item = TypeVar("Item")


class LocatedSentence(NamedTuple):
    """
    A sentence as it stands in a file.

    # Parameters

    sentence : `Sentence`
    line_numbers : `List[int]`
        The 1-based number of each token's line.
    """

    sentence: Sentence
    line_numbers: List[int]


class Block(NamedTuple):
    """
    The lines of one sentence, split into columns.

    # Parameters

    line_numbers : `List[int]`
        1-based.
    rows : `List[List[str]]`
        The columns of each line.
    """

    line_numbers: List[int]
    rows: List[List[str]]

    def column(self, index: int) -> List[str]:
        """The values in one column, from the first token to the last."""
        return [row[index] for row in self.rows]


def read_lines(path: PathName) -> Iterator[str]:
    """
    Reads the lines of a UTF-8 file, gzipped or not, one at a time.

    # Raises

    `CorpusFormatError`
        For a line that is not UTF-8 and for damaged gzip data.
    """
    number = 0
    try:
        with _open_binary(path) as file:
            for number, line in enumerate(file, start=1):
                # A byte order mark may stand at the start of the file.
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        found = f"the byte 0x{error.object[error.start]:02x} at byte {error.start + 1} of the line"
        raise CorpusFormatError(path, number, found, "text encoded in UTF-8") from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CorpusFormatError(
            path, number + 1, f"damaged gzip data ({error})", "a complete gzip file"
        ) from error


def _open_binary(path: PathName) -> IO[bytes]:
    with open(path, "rb") as file:
        is_gzip = file.read(len(_GZIP_START)) == _GZIP_START
    return gzip.open(path, "rb") if is_gzip else open(path, "rb")  # type: ignore[return-value]


def split_at_blanks(line: str) -> List[str]:
    """Columns separated by any number of spaces and tabs."""
    return _split_at_blanks(line)


def split_at_tabs(line: str) -> List[str]:
    """Columns separated by single tabs; spaces belong to the values."""
    return line.split("\t")


def sentence_blocks(
    numbered_lines: Iterable[Tuple[int, str]], split: Callable[[str], List[str]] = split_at_blanks
) -> Iterator[Block]:
    """
    Groups lines into sentences, which blank lines separate.

    # Parameters

    numbered_lines : `Iterable[Tuple[int, str]]`
        Lines with their 1-based numbers.
    split : `Callable[[str], List[str]]`, optional (default = `split_at_blanks`)
        Splits a line into columns.
    """
    block = Block([], [])
    for number, line in numbered_lines:
        line = line.rstrip("\r\n")
        if line.strip(" \t"):
            block.line_numbers.append(number)
            block.rows.append(split(line))
        elif block.rows:
            yield block
            block = Block([], [])
    if block.rows:
        yield block


def at_least_one(sentences: Iterable[Item], path: PathName) -> Iterator[Item]:
    """
    # Raises

    `CorpusFormatError`
        If there are no sentences.
    """
    is_empty = True
    for sentence in sentences:
        is_empty = False
        yield sentence
    if is_empty:
        raise CorpusFormatError(path, None, "no sentences", "at least one sentence")


def check_least_width(path: PathName, block: Block, least: int, columns: str) -> None:
    """
    # Parameters

    path : `PathName`
        The file, for the error.
    block : `Block`
    least : `int`
        The number of columns that every line of the format has.
    columns : `str`
        Their names, for the error.

    # Raises

    `CorpusFormatError`
        If a line has fewer columns.
    """
    for number, row in zip(block.line_numbers, block.rows, strict=True):
        if len(row) < least:
            expected = f"at least {least} ({columns}), separated by spaces or tabs"
            raise CorpusFormatError(path, number, _count(len(row), "column"), expected)


def check_role_columns(path: PathName, block: Block, fixed: int, predicates: List[int]) -> None:
    """
    # Parameters

    path : `PathName`
        The file, for the error.
    block : `Block`
    fixed : `int`
        The number of columns that are not for roles.
    predicates : `List[int]`
        The positions of the predicates.

    # Raises

    `CorpusFormatError`
        If a line's number of role columns is not the number of predicates.
    """
    width = len(block.rows[0])
    for number, row in zip(block.line_numbers, block.rows, strict=True):
        if len(row) != width:
            expected = f"{width}, as in line {block.line_numbers[0]}, where the sentence begins"
            raise CorpusFormatError(path, number, _count(len(row), "column"), expected)
    if width != fixed + len(predicates):
        lines = ", ".join(str(block.line_numbers[predicate]) for predicate in predicates)
        expected = f"{len(predicates)}, one for each predicate of the sentence"
        raise CorpusFormatError(
            path,
            block.line_numbers[0],
            _count(width - fixed, "role column"),
            f"{expected} (in line {lines})" if predicates else expected,
        )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def frames_from_columns(
    path: PathName,
    block: Block,
    predicates: Sequence[int],
    first_role_column: int,
    lemma_column: int,
    sense_column: int,
    are_bio: bool = False,
) -> List[Frame]:
    """
    # Parameters

    path : `PathName`
        The file, for errors.
    block : `Block`
    predicates : `Sequence[int]`
        The positions of the predicates; the k-th has the k-th role column.
    first_role_column : `int`
    lemma_column : `int`
    sense_column : `int`
    are_bio : `bool`, optional (default = `False`)
        Whether roles are BIO labels; otherwise they are brackets such as `(A1*`.

    # Raises

    `CorpusFormatError`
        For malformed roles, and for a `V` that is not on the predicate.
    """
    read_roles = _bio_roles if are_bio else _bracket_roles
    frames = []
    for column, predicate in enumerate(predicates, start=first_role_column):
        roles = read_roles(path, block, column)
        _check_verb(path, block, column, predicate, roles)
        row = block.rows[predicate]
        frames.append(Frame(predicate, roles, lemma=row[lemma_column], sense=row[sense_column]))
    return frames


def _bracket_roles(path: PathName, block: Block, column: int) -> List[str]:
    try:
        return brackets_to_bio(block.column(column))
    except BracketError as error:
        raise CorpusFormatError(
            path,
            block.line_numbers[error.index],
            f"{error.found} in column {column + 1}",
            error.expected,
        ) from error


def _bio_roles(path: PathName, block: Block, column: int) -> List[str]:
    roles = block.column(column)
    for number, role in zip(block.line_numbers, roles, strict=True):
        if not _BIO_LABEL.fullmatch(role):
            found = f"'{role}' in column {column + 1}"
            raise CorpusFormatError(path, number, found, "a BIO label: O, B-x or I-x")
    return roles


def _check_verb(
    path: PathName, block: Block, column: int, predicate: int, roles: List[str]
) -> None:
    first, inner = f"B-{VERB}", f"I-{VERB}"
    if roles[predicate] in (first, inner) or first not in roles:
        return
    expected = (
        f"it in line {block.line_numbers[predicate]}: the k-th role column belongs to the k-th "
        "predicate"
    )
    found = f"the {VERB} of column {column + 1}"
    raise CorpusFormatError(path, block.line_numbers[roles.index(first)], found, expected)


def tree_from_columns(
    path: PathName, line_numbers: Sequence[int], heads: Sequence[str], head_tags: Sequence[str]
) -> Parse:
    """
    # Parameters

    path : `PathName`
        The file, for errors.
    line_numbers : `Sequence[int]`
        Of each token.
    heads : `Sequence[str]`
        For each token the 1-based position of its head, `"0"` for a root. Several roots and
        cycles are taken as they are: parsers that pick each token's best head produce them.
    head_tags : `Sequence[str]`

    # Raises

    `CorpusFormatError`
        If a head is no number, lies outside of the sentence, or is the token itself; if there is
        no root.
    """
    length = len(heads)
    numbers: List[int] = []
    for position, text in enumerate(heads):
        head = _read_number(text)
        if head is None or head > length or head == position + 1:
            found = f"head '{text}'" if head is None or head > length else f"'{text}', its own head"
            expected = f"0 for a root, or the position of another token, 1 to {length}"
            raise CorpusFormatError(path, line_numbers[position], found, expected)
        numbers.append(head)
    if 0 not in numbers:
        raise CorpusFormatError(
            path, line_numbers[0], "a sentence without root", "at least one token with head 0"
        )
    return Parse(self_loop_heads(numbers), list(head_tags))


def _read_number(text: str) -> Optional[int]:
    return int(text) if text.isascii() and text.isdigit() else None


def frames_in_order(sentence: Sentence) -> List[Frame]:
    """
    # Returns

    `List[Frame]`
        The frames in the order of their predicates, in which columns write them.

    # Raises

    `ValueError`
        If the sentence has no role annotation, not even an empty one, or if columns cannot hold
        it: two frames of one predicate, a frame of another length.
    """
    if sentence.frames is None:
        raise ValueError(f"roles of '{' '.join(sentence.words)}': found None; expected frames")
    frames = sorted(sentence.frames, key=lambda frame: frame.predicate)
    for frame, next_frame in zip(frames, frames[1:], strict=False):
        if frame.predicate == next_frame.predicate:
            raise ValueError(f"predicate {frame.predicate}: found two frames; expected one")
    for frame in frames:
        if len(frame.tags) != len(sentence.words):
            raise ValueError(
                f"frame of predicate {frame.predicate}: found {len(frame.tags)} labels; "
                f"expected {len(sentence.words)}, one for each word"
            )
    return frames


def check_value(value: str, separators: str = " \t\r\n") -> str:
    """
    # Returns

    `str`
        The value.

    # Raises

    `ValueError`
        If it is empty or contains a character that separates columns or lines.
    """
    if not value or any(separator in value for separator in separators):
        raise ValueError(f"found {value!r}; expected a value without separators of columns")
    return value


def format_rows(rows: Iterable[Sequence[str]]) -> str:
    """Columns padded with spaces to stand below each other, one line a row."""
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        " ".join(value.ljust(width) for value, width in zip(row, widths, strict=True))
        for row in rows
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)
