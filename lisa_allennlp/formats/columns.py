"""
The common parts of all column formats: lines, sentences, role columns and tree columns. A format
with roles is a `ColumnFormat`, which names its columns, reads frames from them and writes rows.

    >>> lines = ["She   (A0*)", "sang  (V*)", "", "Sing  (V*)"]
    >>> [first, second] = sentence_blocks(enumerate(lines, start=1), "dev.props")
    >>> first.column(0), first.line_numbers
    (['She', 'sang'], [1, 2])
    >>> props = ColumnFormat("props", "lemma", predicates="lemma")
    >>> block = Block([1, 2], [["-", "(A0*)"], ["sing", "(V*)"]])
    >>> props.frames("dev.props", block, block.column(0), senses=["-", "-"])[0].tags
    ['B-A0', 'B-V']
    >>> tree_from_columns("dev.conllu", [1, 2], heads=["2", "0"], head_tags=["nsubj", "root"])
    Parse(head_indices=[1, 1], head_tags=['nsubj', 'root'])

In all formats, `path` is the name of the file, for errors, and `lines` is an open file or the
result of `read_lines`. All readers are lazy, and raise a `CorpusFormatError` if a line is malformed
or there are no sentences. Writers raise a `ValueError` if a value is empty or contains a separator.
"""

import re
from itertools import chain
from os import PathLike
from typing import (
    Any,
    BinaryIO,
    Callable,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
)

from lisa_allennlp.common.compression import decompressed
from lisa_allennlp.common.corpus_errors import UTF8, CorpusFormatError
from lisa_allennlp.common.user_errors import DAMAGED
from lisa_allennlp.sentence.roles import (
    BIO_LABEL,
    VERB,
    BracketError,
    bio_to_brackets,
    brackets_to_bio,
    is_bio_label,
)
from lisa_allennlp.sentence.sentence import Frame, Parse, Sentence, self_loop_heads

PathName = Union[str, PathLike]
NO_VALUE = "-"
_MOST_DIGITS = 18
_V_LABELS = (f"B-{VERB}", f"I-{VERB}")

MOST_BYTES = 1 << 28
"""Longer lines are refused: a device, or a small compressed file, may have no end."""

_BYTE_ORDER_MARK = "\ufeff"

Item = TypeVar("Item")


class LocatedSentence(NamedTuple):
    """A sentence and the 1-based line number of each of its tokens."""

    sentence: Sentence
    line_numbers: List[int]


class Block(NamedTuple):
    line_numbers: List[int]
    rows: List[List[str]]

    def column(self, index: int) -> List[str]:
        return [row[index] for row in self.rows]

    def numbered_rows(self) -> Iterator[Tuple[int, List[str]]]:
        return zip(self.line_numbers, self.rows, strict=True)


def byte_lines(file: BinaryIO, offset: int = 0) -> Iterator[Tuple[int, Optional[bytes]]]:
    """Yields lines with their offsets; `None` for a line of more than `MOST_BYTES`."""
    while line := file.readline(MOST_BYTES + 1):
        yield offset, line if len(line) <= MOST_BYTES else None
        offset += len(line)
        while len(line) > MOST_BYTES and not line.endswith(b"\n"):
            line = file.readline(MOST_BYTES + 1)
            offset += len(line)


def read_lines(path: PathName) -> Iterator[str]:
    """
    Reads the lines of a UTF-8 file, plain or compressed, lazily. Raises a `CorpusFormatError` if a
    line is not UTF-8 or has more than `MOST_BYTES`, or the compressed data is damaged.
    """
    number = 0
    try:
        with open(path, "rb") as opened:
            file = decompressed(opened, str(path))
            for number, (_, line) in enumerate(byte_lines(file), start=1):
                if line is None:
                    found = f"a line of more than {MOST_BYTES:,} bytes"
                    raise CorpusFormatError(path, number, found, "shorter lines")
                # Files that begin with a byte order mark may have been joined.
                yield line.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        found = f"the byte 0x{error.object[error.start]:02x} at byte {error.start + 1} of the line"
        raise CorpusFormatError(path, number, found, UTF8) from error
    except (*DAMAGED, OSError) as error:
        # Damage of bzip2 is an `OSError` without a number.
        if getattr(error, "errno", None) is not None:
            raise
        found = f"damaged data ({error})"
        raise CorpusFormatError(path, number + 1, found, "a complete file") from error


split_at_blanks: Callable[[str], List[str]] = re.compile(r"[^ \t]+").findall
"""Splits at any number of spaces and tabs, but not at no-break spaces, which words can contain."""


def split_at_tabs(line: str) -> List[str]:
    """Splits at single tabs; values may contain spaces."""
    return line.split("\t")


def sentence_blocks(
    numbered_lines: Iterable[Tuple[int, str]],
    path: PathName,
    split: Callable[[str], List[str]] = split_at_blanks,
) -> Iterator[Block]:
    """Groups lines with 1-based numbers into sentences, separated by blank lines."""
    block = Block([], [])
    for number, line in numbered_lines:
        line = line.rstrip("\r\n")
        if line.strip(" \t"):
            check_is_one_line(path, number, line)
            block.line_numbers.append(number)
            block.rows.append(split(line))
        elif block.rows:
            yield block
            block = Block([], [])
    if block.rows:
        yield block


def read_blocks(
    lines: Iterable[str], path: PathName, split: Callable[[str], List[str]] = split_at_blanks
) -> Iterator[Block]:
    return at_least_one(sentence_blocks(enumerate(lines, start=1), path, split), path)


def first_token_line(lines: Iterable[str]) -> Tuple[List[str], Iterator[str]]:
    """Returns the lines up to the first one with a token, and all lines again."""
    lines = iter(lines)
    start: List[str] = []
    for line in lines:
        start.append(line)
        if line.strip() and not line.startswith("#"):
            break
    return start, chain(start, lines)


def check_is_one_line(path: PathName, number: int, line: str) -> None:
    """Refuses carriage returns within a line, which old systems write as line breaks."""
    if "\r" in line:
        found = f"a carriage return after character {line.index(chr(13))}"
        raise CorpusFormatError(path, number, found, "line breaks of Unix or Windows")


def at_least_one(sentences: Iterable[Item], path: PathName) -> Iterator[Item]:
    """Passes sentences on, and raises a `CorpusFormatError` at the end if there were none."""
    is_empty = True
    for sentence in sentences:
        is_empty = False
        yield sentence
    if is_empty:
        raise CorpusFormatError(path, None, "no sentences", "at least one sentence")


def count(number: int, noun: str) -> str:
    """Returns `1 column` or `2 columns`."""
    return f"{number} {noun}{'s' * (number != 1)}"


def check_least_width(
    path: PathName, block: Block, least: int, columns: str, separator: str = "spaces or tabs"
) -> None:
    for number, row in block.numbered_rows():
        if len(row) < least:
            expected = f"at least {least} ({columns}), separated by {separator}"
            raise CorpusFormatError(path, number, count(len(row), "column"), expected)


def check_equal_width(path: PathName, block: Block) -> None:
    width = len(block.rows[0])
    for number, row in block.numbered_rows():
        if len(row) != width:
            expected = f"{width}, as in line {block.line_numbers[0]}, the first of the sentence"
            raise CorpusFormatError(path, number, count(len(row), "column"), expected)


def check_role_columns(path: PathName, block: Block, fixed: int, predicates: List[int]) -> None:
    check_equal_width(path, block)
    width = len(block.rows[0])
    if width != fixed + len(predicates):
        lines = ", ".join(str(block.line_numbers[predicate]) for predicate in predicates)
        expected = f"{len(predicates)}, one per predicate of the sentence"
        raise CorpusFormatError(
            path,
            block.line_numbers[0],
            count(width - fixed, "role column"),
            f"{expected} (in line {lines})" if predicates else expected,
        )


class ColumnFormat(NamedTuple):
    """
    A format with roles, in brackets or as BIO labels. `before` names the columns before the roles
    of each predicate, `after` the columns after them; `predicates` has values at predicates only.
    """

    name: str
    before: str
    predicates: str
    after: str = ""
    are_bio: bool = False

    @property
    def names(self) -> List[str]:
        return self.before.split(", ")

    def check_width(self, path: PathName, block: Block) -> None:
        columns = ", ".join(filter(None, (self.before, "roles of each predicate", self.after)))
        check_least_width(path, block, len(self.names), columns)

    def column(self, block: Block, name: str) -> List[str]:
        return block.column(self.names.index(name))

    def predicates_of(self, block: Block) -> List[int]:
        marks = self.column(block, self.predicates)
        return [position for position, mark in enumerate(marks) if mark != NO_VALUE]

    def check_roles(self, path: PathName, block: Block) -> List[int]:
        """Refuses lines without a role column per predicate. Returns the predicates."""
        predicates = self.predicates_of(block)
        check_role_columns(path, block, len(self.names) + bool(self.after), predicates)
        return predicates

    def frames(
        self, path: PathName, block: Block, lemmas: Sequence[str], senses: Sequence[str]
    ) -> List[Frame]:
        """
        Reads the frames of a sentence. The k-th role column belongs to the k-th predicate. `lemmas`
        and `senses` have a value per token. Raises a `CorpusFormatError` if a role is malformed.
        """
        read_roles = _bio_roles if self.are_bio else _bracket_roles
        frames = []
        for column, predicate in enumerate(self.check_roles(path, block), start=len(self.names)):
            roles = read_roles(path, block, column)
            frames.append(Frame(predicate, roles, lemmas[predicate], senses[predicate]))
        return frames

    def rows(
        self, sentence: Sentence, values: Mapping[str, Union[str, Sequence[str]]]
    ) -> List[List[str]]:
        """
        Returns the row of each word of a sentence with frames, from the values of columns: one for
        all words or one per word. Without `values`, columns with words, tags and the positions of
        tokens have those of the sentence, and all others `-`.
        """
        frames, length = frames_in_order(sentence), len(sentence.words)
        tags = sentence.pos or NO_VALUE
        known = {
            **{"word": sentence.words, "token": list(map(str, range(length)))},
            **dict.fromkeys(("POS", "gold POS", "auto POS"), tags),
            **{"parse bit": "*", "NE": "*", **values},
        }
        roles = [frame.tags if self.are_bio else bio_to_brackets(frame.tags) for frame in frames]
        before = [known.get(name, NO_VALUE) for name in self.names]
        columns = [*before, *roles, *([NO_VALUE] if self.after else [])]
        every = ([column] * length if isinstance(column, str) else column for column in columns)
        return list(map(list, zip(*every, strict=True)))


def check_verbs(path: PathName, item: LocatedSentence) -> LocatedSentence:
    """
    Refuses a `V` without its predicate: role columns are in the wrong order. Predictions may have
    such a `V`, which srl-eval.pl scores.
    """
    for number, frame in enumerate(item.sentence.frames or [], start=1):
        if _V_LABELS[0] in frame.tags and frame.tags[frame.predicate] not in _V_LABELS:
            token = frame.tags.index(_V_LABELS[0])
            found = f"the {VERB} of predicate {number} at token {token}"
            expected = f"it at token {frame.predicate}, the k-th roles being the k-th predicate's"
            raise CorpusFormatError(path, item.line_numbers[token], found, expected)
    return item


def _bracket_roles(path: PathName, block: Block, column: int) -> List[str]:
    try:
        return brackets_to_bio(block.column(column))
    except BracketError as error:
        row, found, expected = error.args
        found = f"{found} in column {column + 1}"
        raise CorpusFormatError(path, block.line_numbers[row], found, expected) from error


def _bio_roles(path: PathName, block: Block, column: int) -> List[str]:
    roles = block.column(column)
    for number, role in zip(block.line_numbers, roles, strict=True):
        if not is_bio_label(role):
            found = f"'{role}' in column {column + 1}"
            raise CorpusFormatError(path, number, found, BIO_LABEL)
    return roles


def check_frame(path: PathName, line: int, predicate: Any, tags: Any, length: int) -> None:
    """Checks a frame in JSON: a 0-based `predicate`, and a BIO label for each of `length` words."""
    if type(predicate) is not int or not 0 <= predicate < length:
        words = "one word" if length == 1 else f"{length} words"
        expected = f"a 0-based position in a sentence of {words}"
        raise CorpusFormatError(path, line, f"the predicate {predicate!r}", expected)
    if not isinstance(tags, list) or len(tags) != length:
        labels = f"{len(tags)} labels" if isinstance(tags, list) else repr(tags)
        found = f"{labels} for the predicate {predicate}"
        raise CorpusFormatError(path, line, found, f"{length}, one per word")
    for position, tag in enumerate(tags):
        if not isinstance(tag, str) or not is_bio_label(tag):
            found = f"{tag!r} at token {position} of the predicate {predicate}"
            raise CorpusFormatError(path, line, found, BIO_LABEL)


def tree_from_columns(
    path: PathName,
    line_numbers: Sequence[int],
    heads: Sequence[str],
    head_tags: Sequence[str],
    needs_root: bool = True,
) -> Parse:
    """
    Reads a tree. Heads are 1-based, `"0"` for a root. Several roots and cycles are accepted: greedy
    parsers produce them. Raises a `CorpusFormatError` if a head is not a number, lies outside the
    sentence or is the token itself, or if no token is a root although there must be one.
    """
    length = len(heads)
    numbers: List[int] = []
    for position, text in enumerate(heads):
        head = read_number(text)
        if head is None or head > length or head == position + 1:
            found = f"head '{text}'" if head is None or head > length else f"'{text}', its own head"
            expected = f"0 for a root, or the position of another token, 1 to {length}"
            raise CorpusFormatError(path, line_numbers[position], found, expected)
        numbers.append(head)
    if needs_root and 0 not in numbers:
        raise CorpusFormatError(
            path, line_numbers[0], "a sentence without a root", "at least one token with head 0"
        )
    return Parse(self_loop_heads(numbers), list(head_tags))


def read_number(text: str) -> Optional[int]:
    """Reads a number of ASCII digits; `None` for other text, and for too many digits."""
    is_number = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return int(text) if is_number else None


def frames_in_order(sentence: Sentence) -> List[Frame]:
    """Sorts the frames by predicate, as role columns are. Raises a `ValueError` without roles."""
    if sentence.frames is None:
        raise ValueError("found a sentence without roles; expected roles (`verbs` in JSON)")
    return sorted(sentence.frames, key=lambda frame: frame.predicate)


def check_value(value: str, separators: str = " \t\r\n") -> str:
    """Returns a value. Raises a `ValueError` if it is empty or contains a separator."""
    if not value or any(separator in value for separator in separators):
        named = ", ".join(map(repr, separators))
        raise ValueError(f"found {value!r}; expected a value that is not empty and has no {named}")
    return value


def check_start(line: str) -> str:
    """Raises a `ValueError` for U+FEFF at the beginning: readers take it for a byte order mark."""
    if line.startswith(_BYTE_ORDER_MARK):
        raise ValueError(f"found {line.split()[0]!r}; expected a line that begins without U+FEFF")
    return line


def tab_line(row: Iterable[str]) -> str:
    return "\t".join(check_value(value, "\t\r\n") for value in row) + "\n"


def aligned_lines(rows: Iterable[Sequence[str]]) -> str:
    """
    Joins the values of each row to a line with aligned columns, and ends with a blank line. Raises
    a `ValueError` without rows: readers would not find the sentence.
    """
    rows = [[check_value(value) for value in row] for row in rows]
    if not rows:
        raise ValueError("found a sentence without words; expected at least one word")
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        " ".join(value.ljust(width) for value, width in zip(row, widths, strict=True))
        for row in rows
    )
    return "".join(f"{check_start(line).rstrip()}\n" for line in lines) + "\n"
