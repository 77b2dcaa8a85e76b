"""
Role spans as a table in CSV, one row per span, for spreadsheets and data frames. Sentences are
counted from 1, token positions from 0; `last` is inclusive, `end_char` exclusive. Unknown values
are empty. The words outside the spans are not in the table.

    >>> import sys
    >>> from lisa_allennlp.data.sentence import Frame
    >>> frame = Frame(1, ["B-ARG0", "B-V"], lemma="sing", sense="sing.01")
    >>> write_spans_csv([Sentence(["She", "sang"], frames=[frame])], sys.stdout)
    "sentence","predicate_index","predicate","lemma","sense","role","first","last","start_char",...
    1,1,"sang","sing","sing.01","ARG0",0,0,"","","She","","","",""
    1,1,"sang","sing","sing.01","V",1,1,"","","sang","","","",""
"""

import csv
from typing import Any, Iterable, Iterator, NamedTuple, Optional, TextIO

from lisa_allennlp.data.formats.columns import PathName, count, frames_in_order
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.roles import UNKNOWN, VERB
from lisa_allennlp.data.sentence import Sentence


class SpanRow(NamedTuple):
    """
    A row of the table: the 1-based number of a sentence, the 0-based position and the word form of
    a predicate, and the values of its `Frame` and of one `RoleSpan`. The gloss of a `V` is that of
    the roleset; the frames of FrameNet are joined by blanks.
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
    gloss: str
    thematic_role: str
    verbnet: str
    framenet: str


_NUMBERS = ("sentence", "predicate_index", "first", "last", "start_char", "end_char")
_MAYBE_EMPTY = ("start_char", "end_char")


def span_rows(sentences: Iterable[Sentence]) -> Iterator[SpanRow]:
    """
    Yields the spans in the order of sentences, predicates and positions. Raises a `ValueError` if a
    sentence has no frames, or a frame is malformed.
    """
    for number, sentence in enumerate(sentences, start=1):
        for frame in frames_in_order(sentence):
            described = number, frame.predicate, frame.verb, frame.lemma, frame.sense
            for span in frame.roles:
                place = span.first, span.last, span.start_char, span.end_char
                gloss = frame.gloss if span.role == VERB else span.gloss
                links = frame.verbnet or "", " ".join(frame.framenet or [])
                texts = span.text or "", gloss or "", span.thematic_role or "", *links
                yield SpanRow(*described, span.role, *place, *texts)


def write_spans_csv(sentences: Iterable[Sentence], file: TextIO) -> None:
    """Writes a line with the names of the columns, and the rows of `span_rows`."""
    # With quotes around all text, any character is safe.
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow(SpanRow._fields)
    for row in span_rows(sentences):
        lemma, sense = ("" if v == UNKNOWN else v for v in (row.lemma, row.sense))
        writer.writerow(row._replace(lemma=lemma, sense=sense))


def parse_spans_csv(lines: Iterable[str], path: PathName) -> Iterator[SpanRow]:
    """
    Reads what `write_spans_csv` writes, from a file opened with `newline=""` or the result of
    `read_lines`. Raises a `CorpusFormatError` if the names of the columns are missing, or a row is
    malformed.
    """
    reader = csv.reader(lines, strict=True)
    names = list(SpanRow._fields)
    try:
        header = next(reader, [])
        if header != names:
            found = f"the columns '{','.join(header)}'"
            raise CorpusFormatError(path, 1, found, ",".join(names))
        for cells in reader:
            if len(cells) != len(names):
                found = count(len(cells), "column")
                raise CorpusFormatError(path, reader.line_num, found, f"{len(names)}")
            values = zip(names, cells, strict=True)
            yield SpanRow(*(_read(path, reader.line_num, *value) for value in values))
    except csv.Error as error:
        expected = "what `lisa convert` writes, with cells of at most "
        expected += f"{csv.field_size_limit():,} characters"
        raise CorpusFormatError(path, reader.line_num, f"a row with {error}", expected) from error


def _read(path: PathName, line: int, name: str, cell: str) -> Any:
    if name not in _NUMBERS:
        return (cell or UNKNOWN) if name in ("lemma", "sense") else cell
    if not cell and name in _MAYBE_EMPTY:
        return None
    try:
        return int(cell)
    except ValueError as error:
        raise CorpusFormatError(path, line, f"'{cell}' as {name}", "an integer") from error
