"""
Reads the inputs of all commands: sentences in arguments, files, and standard input.

    >>> with open_source("It rained.", sentence="sentence 1") as source:
    ...     source.format, list(source.inputs())
    ('text', [('sentence 1', {'text': 'It rained.'})])
    >>> with open_source("fixtures/sample/dev.conllu") as source:
    ...     place, sentence = next(source.inputs())
    >>> place, sentence.words[:2]
    ('fixtures/sample/dev.conllu:1', ['A', 'lawyer'])
"""

import csv
import io
import os
import re
import sys
from codecs import BOM_UTF8
from collections import Counter
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import (
    TYPE_CHECKING,
    Any,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Tuple,
)

from lisa_allennlp.common.compression import decompressed
from lisa_allennlp.common.corpus_errors import UTF8, CorpusFormatError, shortened
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.json_values import bad_value, is_unicode
from lisa_allennlp.common.user_errors import DAMAGED
from lisa_allennlp.formats import annotated_files, parquet
from lisa_allennlp.formats import columns as lines_of_files
from lisa_allennlp.formats.annotated_files import format_of_name
from lisa_allennlp.formats.conllu import GLOBAL_COLUMNS, document_of, parse_conllu_roles
from lisa_allennlp.formats.json_lines import read_answer
from lisa_allennlp.formats.recognition import MOST_LINES, recognised
from lisa_allennlp.formats.vertical import BOUNDARY
from lisa_allennlp.labelling import input_formats as formats
from lisa_allennlp.labelling import requests
from lisa_allennlp.labelling.groups import Item, size_of_text
from lisa_allennlp.labelling.input_formats import (
    ANNOTATED,
    CORPORA,
    JSON,
    LINES,
    PARQUET,
    TABLES,
    TEXT,
    VERTICAL,
)
from lisa_allennlp.labelling.requests import DOCUMENT_KEY, decoded
from lisa_allennlp.models_on_disk import pretrained
from lisa_allennlp.sentence.document import CONLLU as CONLLU_RECORD
from lisa_allennlp.sentence.document import SENTENCES
from lisa_allennlp.sentence.sentence import Sentence

if TYPE_CHECKING:
    from lisa_allennlp.labelling.labeller import Labeller

STANDARD_INPUT = "-"

_TEXT_KEYS = (DOCUMENT_KEY, *requests.WORD_KEYS)

_ENDINGS = {**annotated_files.ENDINGS, ".txt": TEXT, ".csv": formats.CSV, ".tsv": formats.TSV}
_MOST_BYTES_PER_CHARACTER = 4

_Found = Tuple[int, int, Any]


class Row(NamedTuple):
    """A line or text in bytes, the lines of a sentence, or a row without its copied columns."""

    format: str
    content: Any
    text_column: Optional[str] = None
    kept: Optional[Dict[str, Any]] = None

    def read(self) -> Any:
        """Returns an annotated sentence, or JSON values with the text under its own key."""
        content = self.content
        if self.format in CORPORA:
            sentence = _read_sentence(content, self.format)
            return {"tokens": sentence.words} if self.format == VERTICAL else sentence
        if self.format in (TEXT, LINES):
            requests.check_document_length(len(content) // _MOST_BYTES_PER_CHARACTER)
            return {DOCUMENT_KEY: decoded(content).rstrip("\r\n")}
        if self.format == formats.SENTENCE_LINES:
            return {"sentence": decoded(content).rstrip("\r\n")}
        if self.format == JSON:
            content = requests.read_json_line(content)
        elif self.format == PARQUET:
            content = parquet.input_of(content)
        if self.text_column is None or not isinstance(content, Mapping):
            return content
        if self.text_column not in content:
            raise bad_value("the row", content, f"the column `{self.text_column}`")
        texts = {self.text_column, *_TEXT_KEYS}
        if self.text_column != "words" and not isinstance(content.get("words"), list):
            # It is their number.
            texts.remove("words")
        others = {key: value for key, value in content.items() if key not in texts}
        return {**others, DOCUMENT_KEY: content[self.text_column]}


@dataclass
class Source:
    """
    The inputs of an open file, perhaps a single one. Tables have `columns`; the text is in the
    chosen one, in `text`, or in the only one.
    """

    file: Any
    name: str
    format: str
    text_column: Optional[str] = None
    is_one: bool = False
    columns: List[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.format == PARQUET:
            if not os.path.isfile(self.name):
                raise ConfigurationError(f"{self.name}: found a pipe; expected a file of Parquet")
            self.columns = parquet.column_names(self.name)
        elif self.format in TABLES:
            first = self.file.readline(lines_of_files.MOST_BYTES)
            semicolons = b"," not in first and b";" in first
            self._delimiter = "\t" if self.format == formats.TSV else ";" if semicolons else ","
            self._rest = self._records(0, 1, first)
            no_line: _Found = 0, 1, "found an empty file; expected a line with the names of columns"
            *_, self.columns = next(self._rest, no_line)
            if isinstance(self.columns, str):
                raise ConfigurationError(f"{self.name}:1: {self.columns}")
        if self.format in TABLES:
            self.text_column = self._column(self.text_column)

    def _column(self, chosen: Optional[str]) -> Optional[str]:
        names = self.columns
        if chosen is None and self.format == PARQUET and {SENTENCES, *_TEXT_KEYS} & {*names}:
            return None
        column = chosen or (names[0] if len(names) == 1 else DOCUMENT_KEY)
        if column not in names or len({*names}) < len(names):
            advice = ", or --text-column NAME" if chosen is None else ""
            raise ConfigurationError(
                f"{self.name}: found the columns {', '.join(names)}; expected different ones and "
                f"`{column}` among them{advice}"
            )
        return column

    def inputs(self) -> Iterator[Tuple[str, Any]]:
        for item in self.items():
            with located(item.place):
                if item.error:
                    raise ConfigurationError(item.error)
                content = item.content.read()
            yield item.place, content

    def items(
        self, offset: int = 0, number: int = 1, columns: Optional[parquet.Columns] = None
    ) -> Iterator[Item]:
        """
        Yields inputs from an offset on, at which a line or row has this number. Offsets are bytes
        after decompression, or rows of Parquet. Of tables, reads all columns or these `columns`.
        """
        with _naming_damage(self.name):
            for start, position, content in self._found(offset, number, columns):
                place = self.name if self.is_one else f"{self.name}:{position}"
                if isinstance(content, str):
                    yield Item(None, place, position, content, offset=start)
                    continue
                kept, values = None, content
                if self.format in TABLES:
                    content, kept = content
                    values = "".join(v for v in content.values() if isinstance(v, str))
                size = 1 if self.format in CORPORA else size_of_text(len(values))
                row = Row(self.format, content, self.text_column, kept)
                yield Item(row, place, position, size=size, offset=start)

    def _found(
        self, offset: int, number: int, columns: Optional[parquet.Columns]
    ) -> Iterator[_Found]:
        if self.format == PARQUET:
            chosen = columns or parquet.Columns(self.columns, [])
            for start, row in enumerate(parquet.read_rows(self.name, offset, chosen), start=offset):
                yield start, start + 1, row if columns else (row[0], None)
        elif self.format in CORPORA:
            # The lines before an offset may name the document.
            lines = lines_of_files.byte_lines(self.file)
            for block in _sentence_lines(lines, _MARKS.get(self.format, _DOCUMENT_MARK)):
                if block.offset >= offset:
                    is_long = None in block.lines
                    yield block.offset, block.number, _too_long() if is_long else block
        elif self.is_one:
            yield 0, 1, self.file.read(_MOST_BYTES_PER_CHARACTER * (requests.MOST_CHARACTERS + 1))
        else:
            if offset:
                self.file.seek(offset)
            if self.format in TABLES:
                rest = self._records(offset, number) if offset else self._rest
                for start, number, values in rest:
                    yield start, number, self._row_of_csv(values, columns)
                return
            lines = lines_of_files.byte_lines(self.file, offset)
            for position, (start, line) in enumerate(lines, start=number):
                if line is None or not line.isspace():
                    yield start, position, _too_long() if line is None else line

    def _records(self, offset: int, number: int, first: bytes = b"") -> Iterator[_Found]:
        end = [offset, number]

        def lines() -> Iterator[str]:
            if first:
                end[:] = len(first), number + 1
                yield first.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
            for start, line in lines_of_files.byte_lines(self.file, end[0]):
                if line is None:
                    raise ConfigurationError(f"{self.name}:{end[1]}: {_too_long()}")
                end[:] = start + len(line), end[1] + 1
                yield line.decode("utf-8", "surrogateescape")

        # For the whole process: others may have raised it further.
        csv.field_size_limit(max(csv.field_size_limit(), lines_of_files.MOST_BYTES))
        reader = csv.reader(lines(), delimiter=self._delimiter, strict=True)
        while True:
            start, number = end
            try:
                values: Any = next(reader)
                bad = [value for value in values if not is_unicode(value)]
            except StopIteration:
                return
            except csv.Error as error:
                values = f"found a row that cannot be read ({error}); expected CSV as in RFC 4180"
            else:
                if bad:
                    found = bad[0].encode("utf-8", "surrogateescape")
                    values = f"found {shortened(str(found))}; expected {UTF8}"
            if values:
                yield start, number, values

    def _row_of_csv(self, values: Any, columns: Optional[parquet.Columns]) -> Any:
        names = self.columns
        if isinstance(values, str):
            return values
        if len(values) != len(names):
            return f"found {len(values)} values; expected {len(names)}, as in the first line"
        row = dict(zip(names, values, strict=True))
        if columns is None:
            return row, None
        return tuple({n: row[n] for n in chosen if n in row} for chosen in columns)


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
        with _naming_damage(name):
            file = raw if is_sentence else decompressed(raw, name)
            found = input_format or _recognised(file, name, named, plain, is_sentence)
            is_one = found == TEXT or (found == JSON and is_sentence)
            source = Source(file, name, found, text_column, is_one)
        yield source


def _recognised(file: Any, name: str, named: Optional[str], plain: str, is_sentence: bool) -> str:
    """Returns the format by content or else by name; `plain` if neither has one."""
    if named in TABLES:
        return str(named)
    begin = file.peek(1 << 16)
    lines = begin.decode("utf-8-sig", "replace").splitlines()[:MOST_LINES]
    prose = named in (None, TEXT) and not is_sentence
    found = recognised(name, lines, named or plain, prose)
    if named == TEXT and found == JSON:
        raise ConfigurationError(
            f"{name}: found JSON in a file whose name ends as that of a plain text; expected a "
            f"name in .jsonl, or --input-format {JSON} (or {TEXT})"
        )
    if found not in formats.INPUT_FORMATS:
        expected = f"one of {', '.join(formats.INPUT_FORMATS)}"
        raise ConfigurationError(f"{name}: found the format {found}; expected {expected}")
    return found


def is_name(argument: str) -> bool:
    return format_of_name(argument, _ENDINGS) is not None


def is_annotated(path: str, input_format: Optional[str] = None) -> bool:
    """
    Whether a path has annotated sentences: in columns, in `gold_conll` files of a folder, or in
    JSON lines or Parquet whose first row is an answer.
    """
    named = input_format or format_of_name(path, _ENDINGS)
    if not os.path.isfile(path):
        is_model = pretrained.is_model_file(path) or pretrained.is_exported(path)
        return os.path.isdir(path) and not is_model
    if named not in (*formats.INPUT_FORMATS, None):
        return True
    with open_source(path, input_format) as source:
        if source.format == PARQUET:
            return SENTENCES in parquet.answer_columns(path)
        # Whoever labels a bad line says what is wrong with it.
        with suppress(ConfigurationError):
            for _, content in source.inputs() if source.format == JSON else ():
                return _is_answer(content)
        return source.format in ANNOTATED


def _is_answer(content: Any) -> bool:
    return isinstance(content, Mapping) and not {"words", SENTENCES}.isdisjoint(content)


def annotated_sentences(place: str, content: Any) -> List[Sentence]:
    if isinstance(content, Sentence):
        return [content]
    located_sentences = read_answer(place, 1, content) if _is_answer(content) else []
    return [sentence for sentence, _ in located_sentences]


def read_sentences(path: str) -> List[Sentence]:
    if "://" in path or is_annotated(path):
        return annotated_files.read_annotated(path, parses=True).bare_sentences
    reader, found = requests.RequestReader("en"), []
    with open_source(path) as source:
        for place, content in source.inputs():
            with located(place):
                if known := annotated_sentences(place, content):
                    found += known
                elif requests.is_document(content):
                    found += reader.read_document(content).with_ids()
                else:
                    found.append(reader.read(content).sentence)
    return found


def label(labeller: "Labeller", place: str, content: Any) -> List[Sentence]:
    with located(place):
        if requests.is_document(content):
            return labeller.document(content).sentences or [Sentence([])]
        return [labeller(content)]


@contextmanager
def located(place: str) -> Iterator[None]:
    try:
        yield
    except ConfigurationError as error:
        raise ConfigurationError(f"{place}: {error.message}") from error


def _too_long() -> str:
    return f"found a line of more than {lines_of_files.MOST_BYTES:,} bytes; expected shorter ones"


@contextmanager
def _naming_damage(name: str) -> Iterator[None]:
    try:
        yield
    except (*DAMAGED, OSError) as error:
        raise ConfigurationError(
            f"{name}: found damaged data ({error}); expected a whole file"
        ) from error


class _SentenceLines(NamedTuple):
    """
    The lines of a sentence in columns, with comments: their offset, the number of the first (from
    1), and the last lines before them that name a document, and the columns of CoNLL-U Plus. A line
    that is too long is `None`.
    """

    offset: int
    number: int
    lines: List[Optional[bytes]]
    document: Optional[bytes]
    columns: Optional[bytes]

    def has_tokens(self) -> bool:
        return any(
            line is None or not (line.startswith(b"#") or line.isspace()) for line in self.lines
        )


_NO_LINES = _SentenceLines(0, 0, [], None, None)
_DOCUMENT_MARK = re.compile(rb"#(begin|end) document")
_MARKS = {VERTICAL: re.compile(BOUNDARY.pattern.encode())}

_NEW_DOCUMENT = b"# newdoc"
_GLOBAL_COLUMNS = re.compile(GLOBAL_COLUMNS.pattern.encode())


def _sentence_lines(
    lines: Iterable[Tuple[int, Optional[bytes]]], mark: "re.Pattern[bytes]"
) -> Iterator[_SentenceLines]:
    document, columns, block = None, None, _NO_LINES
    for number, (offset, line) in enumerate(lines, start=1):
        # Files that begin with a byte order mark may have been joined.
        line = line and line.removeprefix(BOM_UTF8)
        is_mark = line is not None and mark.match(line) is not None
        if is_mark or (line is not None and line.isspace() and block.has_tokens()):
            if block.has_tokens():
                yield block
            block = _NO_LINES
            document = line if is_mark else document
            continue
        if not block.lines:
            if line is not None and line.isspace():
                continue
            block = _SentenceLines(offset, number, [], document, columns)
        # A blank line below comments counts as a line of the sentence.
        block.lines.append(line)
        if line is not None and line.startswith(_NEW_DOCUMENT):
            document = line
        if line is not None and _GLOBAL_COLUMNS.match(line):
            columns = line
    if block.has_tokens():
        yield block


def _read_sentence(block: _SentenceLines, input_format: str) -> Sentence:
    lines = [decoded(line or b"") for line in block.lines]
    columns = [decoded(block.columns)] if block.columns else []
    # A line that names the columns comes first.
    first = block.number - bool(columns)
    try:
        if input_format == formats.CONLLU:
            before = document_of([decoded(block.document)]) if block.document else None
            rows = parse_conllu_roles([*columns, *lines], "", before, mended=Counter())
            ((sentence, _),) = rows
            # The roles are predicted.
            sentence.extra.get(CONLLU_RECORD, {}).pop("arguments", None)
            return sentence
        (located_sentence,) = annotated_files.PARSERS[input_format](lines, "")
        return annotated_files.with_known_pos(located_sentence).sentence
    except CorpusFormatError as error:
        line = first + (error.line or 1) - 1
        raise ConfigurationError(
            f"found {error.found} in line {line}; expected {error.expected}"
        ) from error
