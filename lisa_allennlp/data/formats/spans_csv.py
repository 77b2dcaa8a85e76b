"""
Role spans as a table in CSV, one row per span, for spreadsheets and data frames. Sentences are
counted from 1, token positions from 0; `last` is inclusive, `end_char` exclusive. Unknown values
are empty. The words outside the spans are not in the table.

    >>> import sys
    >>> from lisa_allennlp.data.sentence import Frame
    >>> frame = Frame(1, ["B-ARG0", "B-V"], lemma="sing", sense="sing.01")
    >>> write_spans_csv([Sentence(["She", "sang"], frames=[frame])], sys.stdout)
    "sentence","predicate_index","predicate","lemma","sense","role","first","last","start_char",...
    1,1,"sang","sing","sing.01","ARG0",0,0,"","","She"
    1,1,"sang","sing","sing.01","V",1,1,"","","sang"
"""

import csv
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, TextIO

from lisa_allennlp.data.formats.columns import PathName, frames_in_order
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.sentence import UNKNOWN, Sentence


class SpanRow(NamedTuple):
    """
    A row of the table.

    # Parameters

    sentence : `int`
        The 1-based number of the sentence.
    predicate_index : `int`
        The 0-based position of the predicate.
    predicate : `str`
        Its word form.
    lemma, sense : `str`
        As in `Frame`.
    role, text : `str`
        As in `RoleSpan`.
    first, last : `int`
        As in `RoleSpan`.
    start_char, end_char : `int`, optional
        As in `RoleSpan`.
    """

    sentence: int
    predicate_index: int
    predicate: str
    lemma: str
    sense: str
    role: str
    first: int
    last: int
    start_char: Optional[int]
    end_char: Optional[int]
    text: str


def span_rows(sentences: Iterable[Sentence]) -> Iterator[SpanRow]:
    """
    # Parameters

    sentences : `Iterable[Sentence]`
        With frames.

    # Returns

    `Iterator[SpanRow]`
        The spans in the order of sentences, predicates and positions.

    # Raises

    `ValueError`
        If a sentence has no frames, or a frame is malformed.
    """
    for number, sentence in enumerate(sentences, start=1):
        for frame in frames_in_order(sentence):
            for span in frame.roles:
                yield SpanRow(
                    number,
                    frame.predicate,
                    frame.verb,
                    frame.lemma,
                    frame.sense,
                    span.role,
                    span.first,
                    span.last,
                    span.start_char,
                    span.end_char,
                    span.text or "",
                )


def write_spans_csv(sentences: Iterable[Sentence], file: TextIO) -> None:
    """
    Writes a line with the names of the columns, and the rows of `span_rows`.

    # Raises

    `ValueError`
        As `span_rows`.
    """
    # With quotes around all text, any character is safe.
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow(SpanRow._fields)
    for row in span_rows(sentences):
        lemma, sense = ("" if v == UNKNOWN else v for v in (row.lemma, row.sense))
        writer.writerow(row._replace(lemma=lemma, sense=sense))


def parse_spans_csv(lines: Iterable[str], path: PathName) -> Iterator[SpanRow]:
    """
    Reads what `write_spans_csv` writes.

    # Parameters

    lines : `Iterable[str]`
        A file opened with `newline=""`, or the result of `columns.read_lines`.
    path : `PathName`
        The name of the file, for errors.

    # Raises

    `CorpusFormatError`
        If the names of the columns are missing, or a row is malformed.
    """
    reader = csv.reader(lines, strict=True)
    rows = _rows(reader, path)
    names = next(rows, [])
    if names != list(SpanRow._fields):
        found, expected = f"the columns '{','.join(names)}'", ",".join(SpanRow._fields)
        raise CorpusFormatError(path, 1, found, expected)
    for cells in rows:
        if len(cells) != len(names):
            found = f"{len(cells)} columns"
            raise CorpusFormatError(path, reader.line_num, found, f"{len(names)}")
        values = []
        for name, cell in zip(names, cells, strict=True):
            try:
                values.append(_READ.get(name, str)(cell))
            except ValueError as error:
                found = f"'{cell}' as {name}"
                raise CorpusFormatError(path, reader.line_num, found, "an integer") from error
        yield SpanRow(*values)


def _rows(reader: Any, path: PathName) -> Iterator[List[str]]:
    """The rows of a `csv.reader`, whose errors lack the line."""
    try:
        yield from reader
    except csv.Error as error:
        expected = "what `lisa convert` writes, with cells of at most "
        expected += f"{csv.field_size_limit():,} characters"
        raise CorpusFormatError(path, reader.line_num, f"a row with {error}", expected) from error


def _optional_int(cell: str) -> Optional[int]:
    return int(cell) if cell else None


def _known(cell: str) -> str:
    return cell or UNKNOWN


_READ: Dict[str, Callable] = {
    "sentence": int,
    "predicate_index": int,
    "lemma": _known,
    "sense": _known,
    "first": int,
    "last": int,
    "start_char": _optional_int,
    "end_char": _optional_int,
}
