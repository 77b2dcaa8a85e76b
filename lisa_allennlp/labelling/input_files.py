"""
Reads the inputs to label from a file of JSON lines, plain text, sentences in columns, or Parquet.

    >>> import io
    >>> file = io.BytesIO(b"It rained.\\n\\nIt snowed.\\n")
    >>> [(item.place, item.content) for item in items_of_file(file, "notes.txt", "lines")]
    [('notes.txt:1', b'It rained.\\n'), ('notes.txt:3', b'It snowed.\\n')]
    >>> read_content(b"It rained.\\n", "lines")
    {'text': 'It rained.'}
"""

import bz2
import gzip
import lzma
import os
import sys
from functools import partial
from typing import Any, BinaryIO, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.user_errors import DAMAGED
from lisa_allennlp.data.annotated_files import (
    ENDINGS,
    format_of_content,
    format_of_name,
    with_known_pos,
)
from lisa_allennlp.data.formats import conll12, parquet
from lisa_allennlp.data.formats.columns import MOST_BYTES
from lisa_allennlp.data.formats.conllu import document_of, parse_conllu_roles
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.groups import Item, size_of_text
from lisa_allennlp.labelling.input_formats import CONLLU, CORPORA, JSON, PARQUET, TEXT
from lisa_allennlp.labelling.requests import (
    DOCUMENT_KEY,
    MOST_CHARACTERS,
    check_document_length,
    decoded,
    read_json_line,
)

STANDARD_INPUT = "-"

_OPENERS: Dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
_TEXT_ENDINGS = (".txt", ".txt.gz")
_MOST_BYTES_PER_CHARACTER = 4


def open_input(path: str) -> BinaryIO:
    """Opens a file to read its bytes, compressed or not, or standard input for `-`."""
    if path == STANDARD_INPUT:
        return sys.stdin.buffer
    file: BinaryIO = _OPENERS.get(os.path.splitext(path)[1], open)(path, "rb")
    return file


def decompressed_name(name: str) -> str:
    """Returns the name of a file without the ending of its compression."""
    bare, ending = os.path.splitext(name)
    return bare if ending in _OPENERS else name


def is_recognised(name: str) -> bool:
    """Whether the name of a file tells the format of inputs."""
    return _format_of_name(name) is not None


def _format_of_name(name: str) -> Optional[str]:
    if name.endswith(_TEXT_ENDINGS):
        return TEXT
    found = format_of_name(decompressed_name(name), ENDINGS)
    return found if found in (JSON, PARQUET, *CORPORA) else None


def recognised(file: Any, name: str, chosen: Optional[str] = None) -> str:
    """
    Returns the format of an open input: the chosen one, or that of its name or else of its
    beginning, which is not read.
    """
    known = chosen or _format_of_name(name)
    if known is not None or not hasattr(file, "peek"):
        return known or JSON
    begin = file.peek(1 << 16).decode("utf-8-sig", "replace").splitlines()
    found = format_of_content(begin)
    return found if found in CORPORA else JSON


def items_of_file(file: BinaryIO, name: str, input_format: str) -> Iterator[Item]:
    """
    Yields the inputs of a file for `read_content`: lines that are not blank or, for the format
    `text`, the whole file, as bytes; the lines of each sentence; the rows of Parquet. If the file
    is damaged, the last item has the error.
    """
    if input_format == PARQUET:
        yield from _items_of_parquet(name)
        return
    number = 0
    try:
        if input_format == TEXT:
            content = file.read(_MOST_BYTES_PER_CHARACTER * MOST_CHARACTERS + 1)
            yield Item(content, name, 1, size=size_of_text(len(content)))
            return
        if input_format in CORPORA:
            for block in sentence_lines((0, line) for line in lines_of(file)):
                number = block.number
                yield item_of_sentence(block, name)
            return
        for item in items_of_lines(file, name):
            number = item.position
            if item.error or not item.content.isspace():
                yield item
    except DAMAGED as error:
        message = f"damaged data ({error}); expected a complete file"
        yield Item(None, name, number + 1, message)


def _items_of_parquet(name: str) -> Iterator[Item]:
    if not os.path.isfile(name):
        raise ConfigurationError(f"{name}: found a pipe; expected a file of Parquet")
    for number, row in enumerate(parquet.read_inputs(name), start=1):
        length = sum(len(value) for value in row.values() if isinstance(value, str))
        yield Item(row, f"{name}:{number}", number, size=size_of_text(length))


class SentenceLines(NamedTuple):
    """
    The lines of a sentence in columns, with its comments: where they begin, their first line from
    1, and the last line before them that names a document. A line that is too long is `None`.
    """

    offset: int
    number: int
    lines: List[Optional[bytes]]
    document: Optional[bytes]


_NO_LINES = SentenceLines(0, 0, [], None)
_DOCUMENT_MARKERS = (b"#begin document", b"#end document")
_NEW_DOCUMENT = b"# newdoc"


def sentence_lines(lines: Iterable[Tuple[int, Optional[bytes]]]) -> Iterator[SentenceLines]:
    """
    Groups lines, which come with their offsets, into sentences: what blank lines and the marks of
    documents separate, if it has more than comments.
    """
    document, block = None, _NO_LINES
    for number, (offset, line) in enumerate(lines, start=1):
        is_mark = line is not None and line.startswith(_DOCUMENT_MARKERS)
        if is_mark or (line is not None and line.isspace() and _has_tokens(block)):
            if _has_tokens(block):
                yield block
            block = _NO_LINES
            document = line if is_mark else document
            continue
        if not block.lines:
            if line is not None and line.isspace():
                continue
            block = SentenceLines(offset, number, [], document)
        # A blank line below comments counts as a line of the sentence.
        block.lines.append(line)
        if line is not None and line.startswith(_NEW_DOCUMENT):
            document = line
    if _has_tokens(block):
        yield block


def _has_tokens(block: SentenceLines) -> bool:
    return any(
        line is None or not (line.startswith(b"#") or line.isspace()) for line in block.lines
    )


def item_of_sentence(block: SentenceLines, name: str) -> Item:
    """Makes the item of a sentence."""
    if None in block.lines:
        error = f"found a line of more than {MOST_BYTES:,} bytes; expected shorter ones"
        return Item(None, f"{name}:{block.number}", block.number, error)
    return Item(block, f"{name}:{block.number}", block.number)


def _read_sentence(block: SentenceLines, input_format: str) -> Sentence:
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
        (located,) = conll12.parse_conll12([begin, *lines, end], "")
        return with_known_pos(located).sentence
    except CorpusFormatError as error:
        line = first + (error.line or 1) - 1
        raise ConfigurationError(
            f"found {error.found} in line {line}; expected {error.expected}"
        ) from error


def items_of_lines(file: BinaryIO, name: str) -> Iterator[Item]:
    """Yields all lines as bytes, blank ones too. A line that is too long is an error."""
    for number, line in enumerate(lines_of(file), start=1):
        place = f"{name}:{number}"
        if line is None:
            error = f"found a line of more than {MOST_BYTES:,} bytes; expected shorter ones"
            yield Item(None, place, number, error)
        else:
            yield Item(line, place, number, size=size_of_text(len(line)))


def lines_of(file: BinaryIO) -> Iterator[Optional[bytes]]:
    """Yields the lines of a file; `None` for those that are too long to be kept in memory."""
    for line in iter(partial(file.readline, MOST_BYTES + 1), b""):
        if len(line) <= MOST_BYTES:
            yield line
            continue
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = file.readline(MOST_BYTES)
        yield None


def read_content(content: Any, input_format: str) -> Any:
    """
    Reads the content of an item, as a labeller does: bytes of UTF-8, which may hold JSON, the lines
    of a sentence, or a row of Parquet.
    """
    if input_format == PARQUET:
        return content
    if input_format in CORPORA:
        return _read_sentence(content, input_format)
    if input_format == JSON:
        return read_json_line(content)
    if len(content) > _MOST_BYTES_PER_CHARACTER * MOST_CHARACTERS:
        check_document_length(len(content))
    return {DOCUMENT_KEY: decoded(content).rstrip("\r\n")}


def check_is_not_json(content: bytes) -> None:
    """Refuses a file that is read as text because of its name but seems to have JSON lines."""
    if content.lstrip().startswith(b'{"'):
        raise ConfigurationError(
            "found JSON in a file whose name ends as that of a plain text; expected "
            f"a name in .jsonl, or --input-format {JSON} (or {TEXT}) of lisa predict or annotate"
        )
