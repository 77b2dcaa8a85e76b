"""Files compressed by gzip, bzip2 or xz, and files of other programs, by first bytes and names."""

import bz2
import gzip
import lzma
import os
import re
from typing import IO, Any, BinaryIO, Dict

from lisa_allennlp.common.errors import ConfigurationError

_MODULES: Dict[str, Any] = {".gz": gzip, ".bz2": bz2, ".xz": lzma}
_AS_TEXT = "expected text, in UTF-8: save it as such"
_NO_TEXT = {
    rb"PK\x03\x04(?s:.*)xl/": "an Excel workbook (.xlsx); expected CSV: save it as CSV UTF-8",
    rb"PK\x03\x04(?s:.*)word/": f"a Word document (.docx); {_AS_TEXT}",
    rb"PK\x03\x04": f"a ZIP archive, as .xlsx, .docx and .odt are; {_AS_TEXT}",
    rb"\xd0\xcf\x11\xe0": f"a file of Excel or Word (.xls, .doc); {_AS_TEXT}",
    rb"%PDF-": "a PDF; expected text, such as that of pdftotext",
    rb"\{\\rtf": f"rich text (.rtf); {_AS_TEXT}",
    rb"\xff\xfe|\xfe\xff|[^\0]\0[^\0]\0|\0[^\0]\0[^\0]": "UTF-16, which Windows calls Unicode; "
    "expected UTF-8 (iconv -f utf-16 -t utf-8 FILE > NEW)",
}
"""Files that begin like this, with the expected format."""

_BEGINNINGS = {".gz": rb"\x1f\x8b", ".bz2": rb"BZh[1-9][1\x17]", ".xz": rb"\xfd7zXZ\x00"}


def decompressed(file: Any, name: str) -> BinaryIO:
    """
    Returns a reader of the content, from its beginning, of an open file, which has `peek`. A file
    of Excel or Word, or in UTF-16, is a `ConfigurationError` with its name.
    """
    begin, content = file.peek(8), file
    for ending, pattern in _BEGINNINGS.items():
        if re.match(pattern, begin):
            content = _MODULES[ending].open(file)
            begin = content.peek(8)
    for pattern, described in _NO_TEXT.items():
        if re.match(pattern, begin):
            raise ConfigurationError(f"{name}: found {described}")
    opened: BinaryIO = content
    return opened


def bare_name(name: str) -> str:
    bare, ending = os.path.splitext(name)
    return bare if ending in _MODULES else name


def compressed(content: bytes, name: str) -> bytes:
    module = _MODULES.get(os.path.splitext(name)[1])
    return content if module is None else bytes(module.compress(content))


def open_to_write(name: str, mode: str = "w") -> IO[str]:
    module = _MODULES.get(os.path.splitext(name)[1])
    opener = open if module is None else module.open
    file: IO[str] = opener(name, f"{mode}t", encoding="utf-8")
    return file
