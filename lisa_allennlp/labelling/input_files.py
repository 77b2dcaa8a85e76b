"""
Reads the inputs to label from a file of JSON lines or plain text.

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
from typing import Any, BinaryIO, Dict, Iterator, Optional

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.user_errors import DAMAGED
from lisa_allennlp.labelling.groups import Item, size_of_text
from lisa_allennlp.labelling.input_formats import JSON, TEXT
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

MOST_BYTES = 100_000_000
"""Longer lines are refused. JSON takes at most 12 bytes for a character of a document."""


def open_input(path: str) -> BinaryIO:
    """Opens a file to read its bytes, compressed or not, or standard input for `-`."""
    if path == STANDARD_INPUT:
        return sys.stdin.buffer
    file: BinaryIO = _OPENERS.get(os.path.splitext(path)[1], open)(path, "rb")
    return file


def format_of_input(name: str, chosen: Optional[str]) -> str:
    """Returns the chosen format, or `text` for names in `.txt` and `.txt.gz`, `json` for others."""
    return chosen or (TEXT if name.endswith(_TEXT_ENDINGS) else JSON)


def items_of_file(file: BinaryIO, name: str, input_format: str) -> Iterator[Item]:
    """
    Yields the inputs of a file as bytes, for `read_content`: lines that are not blank or, for the
    format `text`, the whole file. If the file is damaged, the last item has the error.
    """
    number = 0
    try:
        if input_format == TEXT:
            content = file.read(_MOST_BYTES_PER_CHARACTER * MOST_CHARACTERS + 1)
            yield Item(content, name, 1, size=size_of_text(len(content)))
            return
        for item in items_of_lines(file, name):
            number = item.position
            if item.error or not item.content.isspace():
                yield item
    except DAMAGED as error:
        message = f"damaged data ({error}); expected a complete file"
        yield Item(None, name, number + 1, message)


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


def read_content(content: bytes, input_format: str) -> Any:
    """Decodes the bytes of an item: UTF-8, which holds JSON if this is the format."""
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
            f"--input-format {JSON}, or {TEXT} if it is one"
        )
