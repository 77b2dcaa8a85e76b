"""
Reads the inputs of all commands: sentences in arguments, files, and standard input.

    >>> with open_source("It rained.", sentence="sentence 1") as source:
    ...     source.format, list(source.inputs())
    ('text', [('sentence 1', {'text': 'It rained.'})])
    >>> with open_source("fixtures/sample/dev.conllu") as source:
    ...     place, sentence = next(source.inputs())
    >>> place, sentence.words[:2]
    ('fixtures/sample/dev.conllu:1', ['Ana', 'hopes'])
"""

import csv
import io
import os
import re
import sys
from contextlib import contextmanager, nullcontext, suppress
from itertools import chain, dropwhile
from typing import (
    Any,
    BinaryIO,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Tuple,
    Union,
)

from lisa_allennlp.common.compression import decompressed
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.user_errors import DAMAGED
from lisa_allennlp.data.annotated_files import (
    ENDINGS,
    format_of_content,
    format_of_name,
    read_annotated,
    with_known_pos,
)
from lisa_allennlp.data.document import SENTENCES
from lisa_allennlp.data.formats import columns as lines_of_files
from lisa_allennlp.data.formats import conll12, parquet
from lisa_allennlp.data.formats.conllu import document_of, parse_conllu_roles
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.json_values import bad_value, is_unicode
from lisa_allennlp.data.request import requests_of
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.groups import Item, size_of_text
from lisa_allennlp.labelling.input_formats import (
    CONLLU,
    CORPORA,
    CSV,
    INPUT_FORMATS,
    JSON,
    LINES,
    PARQUET,
    TABLES,
    TEXT,
    TSV,
)
from lisa_allennlp.labelling.requests import (
    DOCUMENT_KEY,
    MOST_CHARACTERS,
    WORD_KEYS,
    RequestReader,
    check_document_length,
    decoded,
    is_document,
    read_json_line,
)

STANDARD_INPUT = "-"

TEXT_KEYS = (DOCUMENT_KEY, *WORD_KEYS)
"""The columns that the words of a row can come from."""

_ENDINGS = {**ENDINGS, ".txt": TEXT, ".csv": CSV, ".tsv": TSV}
_JSON_OBJECT = re.compile(rb'(\xef\xbb\xbf)?\s*\{\s*("|\}|$)')
_MOST_BYTES_PER_CHARACTER = 4


class Row(NamedTuple):
    """
    An input as its source has it: the bytes of a line or text, the lines of a sentence, or the
    values of a row, beside those of the columns that are only copied.
    """

    format: str
    content: Any
    text_column: Optional[str] = None
    kept: Optional[Dict[str, Any]] = None

    def read(self) -> Any:
        """
        Returns the input of a labeller: an annotated sentence, or what JSON can hold, with the text
        under its own key.
        """
        content = self.content
        if self.format in CORPORA:
            return _read_sentence(content, self.format)
        if self.format in (TEXT, LINES):
            if len(content) > _MOST_BYTES_PER_CHARACTER * MOST_CHARACTERS:
                check_document_length(len(content))
            return {DOCUMENT_KEY: decoded(content).rstrip("\r\n")}
        if self.format == JSON:
            content = read_json_line(content)
        elif self.format == PARQUET:
            content = parquet.input_of(content)
        if self.text_column is None or not isinstance(content, Mapping):
            return content
        if self.text_column not in content:
            raise bad_value("the row", content, f"the column `{self.text_column}`")
        # A number of `words` is none of the texts.
        others = {
            key: value
            for key, value in content.items()
            if key not in TEXT_KEYS or (key == "words" and not isinstance(value, list))
        }
        others.pop(self.text_column, None)
        return {**others, DOCUMENT_KEY: content[self.text_column]}


class Source:
    """
    The inputs of an open file. Tables have `columns`, one of which has the text: the one that is
    chosen, `text`, or the only one.
    """

    def __init__(
        self, file: BinaryIO, name: str, input_format: str, text_column: Optional[str], is_one: bool
    ) -> None:
        self.name = name
        self.format = input_format
        self.columns: List[str] = []
        self._file = file
        self._is_one = is_one
        if input_format == PARQUET:
            if not os.path.isfile(name):
                raise ConfigurationError(f"{name}: found a pipe; expected a file of Parquet")
            self.columns = parquet.column_names(name)
        elif input_format in TABLES:
            first = file.readline(lines_of_files.MOST_BYTES)
            semicolons = b"," not in first and b";" in first
            self._delimiter = "\t" if input_format == TSV else ";" if semicolons else ","
            self._rest = self._records(first)
            *self._start, self.columns = next(self._rest, (0, 1, []))
        self.text_column = self._column(text_column) if input_format in TABLES else text_column

    def _column(self, chosen: Optional[str]) -> Optional[str]:
        """The column of a table with the text, unless rows have it as a key of JSON."""
        names = self.columns
        if chosen is None and self.format == PARQUET and {SENTENCES, *TEXT_KEYS} & {*names}:
            return None
        usual = DOCUMENT_KEY if DOCUMENT_KEY in names or len(names) != 1 else names[0]
        for name in names:
            if names.count(name) > 1:
                raise ConfigurationError(
                    f"{self.name}: found the column {name} twice; expected it once"
                )
        if (chosen or usual) not in names:
            advice = ", or --text-column NAME" if chosen is None else ""
            raise ConfigurationError(
                f"{self.name}: found the columns {', '.join(names)}; expected `{chosen or usual}` "
                f"among them{advice}"
            )
        return chosen or usual

    def items(self) -> Iterator[Item]:
        """Yields the inputs, whose content is a `Row`, with their places."""
        return (item for _, item in self.rows())

    def inputs(self) -> Iterator[Tuple[str, Any]]:
        """Yields the inputs as `Row.read` returns them, with their places."""
        for item in self.items():
            with located(item.place):
                if item.error:
                    raise ConfigurationError(item.error)
                content = item.content.read()
            yield item.place, content

    def rows(
        self, offset: int = 0, number: int = 1, columns: Optional[parquet.Columns] = None
    ) -> Iterator[Tuple[int, Item]]:
        """
        Yields the inputs with their offsets in bytes after decompression, or in rows of Parquet,
        from that of an input on, whose line or row has this number. Of tables it reads `columns`.
        """
        if self.format == PARQUET:
            rows = self._rows_of_parquet(offset, columns)
        elif self.format in TABLES:
            rows = self._rows_of_csv(offset, number, columns)
        elif self.format in CORPORA:
            # The lines before an offset may name the document.
            rows = dropwhile(lambda row: row[0] < offset, self._sentences())
        elif self._is_one:
            rows = self._whole()
        else:
            rows = self._lines(offset, number)
        try:
            yield from rows
        except (*DAMAGED, OSError) as error:
            raise ConfigurationError(
                f"{self.name}: found damaged data ({error}); expected a whole file"
            ) from error

    def _whole(self) -> Iterator[Tuple[int, Item]]:
        content = self._file.read(_MOST_BYTES_PER_CHARACTER * MOST_CHARACTERS + 1)
        yield 0, Item(self._row(content), self.name, 1, size=size_of_text(len(content)))

    def _lines(self, offset: int, number: int) -> Iterator[Tuple[int, Item]]:
        """The lines that are not blank."""
        if offset:
            self._file.seek(offset)
        lines = lines_of_files.byte_lines(self._file, offset)
        for position, (start, line) in enumerate(lines, start=number):
            if line is None:
                yield start, self._bad(position, too_long())
            elif not line.isspace():
                yield start, self._item(position, self._row(line), len(line))

    def _sentences(self) -> Iterator[Tuple[int, Item]]:
        for block in _sentence_lines(lines_of_files.byte_lines(self._file)):
            if None in block.lines:
                yield block.offset, self._bad(block.number, too_long())
            else:
                yield block.offset, self._item(block.number, self._row(block))

    def _rows_of_csv(
        self, offset: int, number: int, columns: Optional[parquet.Columns]
    ) -> Iterator[Tuple[int, Item]]:
        names, records = self.columns, self._rest
        if offset:
            self._file.seek(offset)
            records = self._records(b"", offset, number)
        for start, number, values in records:
            if isinstance(values, str):
                yield start, self._bad(number, values)
            elif len(values) != len(names):
                found = f"found {len(values)} values; expected {len(names)}, as in the first line"
                yield start, self._bad(number, found)
            else:
                content, kept = dict(zip(names, values, strict=True)), None
                if columns is not None:
                    kept = {name: content[name] for name in columns.kept if name in content}
                    content = {name: content[name] for name in columns.read if name in content}
                row = self._row(content, kept)
                yield start, self._item(number, row, sum(map(len, values)))

    def _records(
        self, first: bytes, offset: int = 0, number: int = 1
    ) -> Iterator[Tuple[int, int, Any]]:
        """The offset, the line and the values of each record, or what is wrong with it."""
        end = [offset, number]

        def lines() -> Iterator[str]:
            others = lines_of_files.byte_lines(self._file, offset + len(first))
            for start, line in chain([(offset, first)] * bool(first), others):
                if line is None:
                    raise ConfigurationError(f"{self.name}:{end[1]}: {too_long()}")
                end[:] = start + len(line), end[1] + 1
                text = line.decode("utf-8", "surrogateescape")
                yield text if start else text.removeprefix("\ufeff")

        csv.field_size_limit(lines_of_files.MOST_BYTES)
        reader = csv.reader(lines(), delimiter=self._delimiter, strict=True)
        while True:
            start, number = end
            try:
                values: Union[List[str], str] = next(reader)
                for value in values:
                    if not is_unicode(value):
                        decoded(value.encode("utf-8", "surrogateescape"))
            except StopIteration:
                return
            except csv.Error as error:
                values = f"found a row that cannot be read ({error}); expected CSV as in RFC 4180"
            except ConfigurationError as error:
                values = error.message
            # Blank lines are no rows.
            if values:
                yield start, number, values

    def _rows_of_parquet(
        self, offset: int, columns: Optional[parquet.Columns]
    ) -> Iterator[Tuple[int, Item]]:
        chosen = columns or parquet.Columns(self.columns, [])
        rows = parquet.read_rows(self.name, offset, chosen)
        for start, (content, kept) in enumerate(rows, start=offset):
            length = sum(len(value) for value in content.values() if isinstance(value, str))
            row = self._row(content, None if columns is None else kept)
            yield start, self._item(start + 1, row, length)

    def _row(self, content: Any, kept: Optional[Dict[str, Any]] = None) -> Row:
        return Row(self.format, content, self.text_column, kept)

    def _item(self, number: int, row: Row, length: int = 0) -> Item:
        return Item(row, f"{self.name}:{number}", number, size=size_of_text(length))

    def _bad(self, number: int, error: str) -> Item:
        return Item(None, f"{self.name}:{number}", number, error)


@contextmanager
def open_source(
    argument: str,
    input_format: Optional[str] = None,
    text_column: Optional[str] = None,
    sentence: str = "",
) -> Iterator[Source]:
    """
    Opens a file, standard input, or an argument that names no file and is a sentence by itself, if
    a name for it is given. Its name or else its content tells the format, unless one is chosen.

    # Raises

    `ConfigurationError`
        If the format is none of `INPUT_FORMATS`, a table has no column for the text, or a sentence
        seems to be the name of a file.
    """
    name, named, plain = argument, None, TEXT
    is_file = argument == STANDARD_INPUT or os.path.exists(argument)
    is_sentence = bool(sentence) and (not is_file or os.path.isdir(argument))
    opened: Any
    if argument == STANDARD_INPUT:
        name, plain, opened = "<stdin>", LINES, nullcontext(sys.stdin.buffer)
    elif is_sentence:
        if is_name(argument):
            raise ConfigurationError(f"found no file {argument}; expected a file or a sentence")
        # Bytes of an argument that are not UTF-8 are surrogates in Python.
        content: Any = io.BytesIO(argument.encode("utf-8", "surrogateescape"))
        name, opened = sentence, io.BufferedReader(content)
    else:
        named, opened = format_of_name(argument, _ENDINGS), open(argument, "rb")
    with opened as raw:
        file = decompressed(raw)
        found = input_format or _recognised(file, name, named, plain)
        is_one = found == TEXT or (found == JSON and is_sentence)
        yield Source(file, name, found, text_column, is_one)


def _recognised(file: Any, name: str, named: Optional[str], plain: str) -> str:
    """The format of an open file that may be `named`; `plain` if its content tells none."""
    begin = file.peek(1 << 16)
    is_json = bool(_JSON_OBJECT.match(begin))
    if named == TEXT and is_json:
        raise ConfigurationError(
            f"{name}: found JSON in a file whose name ends as that of a plain text; expected a "
            f"name in .jsonl, or --input-format {JSON} (or {TEXT})"
        )
    if named is not None:
        if named not in INPUT_FORMATS:
            raise ConfigurationError(
                f"{name}: found the format {named}; expected one of {', '.join(INPUT_FORMATS)}"
            )
        return named
    found = format_of_content(begin.decode("utf-8-sig", "replace").splitlines())
    return JSON if is_json else found if found in CORPORA else plain


def is_name(argument: str) -> bool:
    """Whether an argument is one word that ends like the name of a file with sentences."""
    is_word = len(argument.split()) == 1
    return is_word and format_of_name(argument, _ENDINGS) is not None


def is_annotated(path: str, input_format: Optional[str] = None) -> bool:
    """
    Whether a file, or a folder of `gold_conll` files, has annotated sentences: columns, or JSON
    lines or Parquet whose first row is an answer.
    """
    named = input_format or format_of_name(path, _ENDINGS)
    if os.path.isdir(path) or named not in (*INPUT_FORMATS, None):
        return True
    with open_source(path, input_format) as source:
        if source.format == PARQUET:
            return SENTENCES in parquet.answer_columns(path)
        # Whoever labels a bad line says what is wrong with it.
        with suppress(ConfigurationError):
            for _, content in source.inputs() if source.format == JSON else ():
                return is_answer(content)
        return source.format in CORPORA


def is_answer(content: Any) -> bool:
    """Whether an input is an object of `lisa predict`, or of its form: with its words."""
    return isinstance(content, Mapping) and not {"words", SENTENCES}.isdisjoint(content)


def read_sentences(path: str) -> List[Sentence]:
    """Reads the sentences of a file, with their labels if they are annotated."""
    if is_annotated(path):
        return read_annotated(path, parses=True).bare_sentences
    reader, found = RequestReader("en"), []
    with open_source(path) as source:
        for place, content in source.inputs():
            with located(place):
                read = reader.read_document if is_document(content) else reader.read
                found += [request.sentence for request in requests_of(read(content))]
    return found


@contextmanager
def located(place: str) -> Iterator[None]:
    """Adds the place of an input to errors."""
    try:
        yield
    except ConfigurationError as error:
        raise ConfigurationError(f"{place}: {error.message}") from error


def too_long() -> str:
    return f"found {lines_of_files.too_long()}; expected shorter ones"


class _SentenceLines(NamedTuple):
    """
    The lines of a sentence in columns, with its comments: where they begin, their first line from
    1, and the last line before them that names a document. A line that is too long is `None`.
    """

    offset: int
    number: int
    lines: List[Optional[bytes]]
    document: Optional[bytes]

    def has_tokens(self) -> bool:
        return any(
            line is None or not (line.startswith(b"#") or line.isspace()) for line in self.lines
        )


_NO_LINES = _SentenceLines(0, 0, [], None)
_DOCUMENT_MARKERS = (b"#begin document", b"#end document")
_NEW_DOCUMENT = b"# newdoc"


def _sentence_lines(lines: Iterable[Tuple[int, Optional[bytes]]]) -> Iterator[_SentenceLines]:
    """
    Groups lines, which come with their offsets, into sentences: what blank lines and the marks of
    documents separate, if it has more than comments.
    """
    document, block = None, _NO_LINES
    for number, (offset, line) in enumerate(lines, start=1):
        is_mark = line is not None and line.startswith(_DOCUMENT_MARKERS)
        if is_mark or (line is not None and line.isspace() and block.has_tokens()):
            if block.has_tokens():
                yield block
            block = _NO_LINES
            document = line if is_mark else document
            continue
        if not block.lines:
            if line is not None and line.isspace():
                continue
            block = _SentenceLines(offset, number, [], document)
        # A blank line below comments counts as a line of the sentence.
        block.lines.append(line)
        if line is not None and line.startswith(_NEW_DOCUMENT):
            document = line
    if block.has_tokens():
        yield block


def _read_sentence(block: _SentenceLines, input_format: str) -> Sentence:
    """The annotated sentence in its lines."""
    # A line for the mark of the document comes first.
    first = block.number - (input_format != CONLLU)
    lines = [decoded(line or b"") for line in block.lines]
    try:
        if input_format == CONLLU:
            before = document_of([decoded(block.document)]) if block.document else None
            ((sentence, _),) = parse_conllu_roles(lines, "", before)
            return sentence
        begin, end = conll12.document_markers(conll12.UNNAMED)
        (located_sentence,) = conll12.parse_conll12([begin, *lines, end], "")
        return with_known_pos(located_sentence).sentence
    except CorpusFormatError as error:
        line = first + (error.line or 1) - 1
        raise ConfigurationError(
            f"found {error.found} in line {line}; expected {error.expected}"
        ) from error
