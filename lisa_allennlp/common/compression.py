"""Files that gzip, bzip2 or xz has compressed: their first bytes and their names tell."""

import bz2
import gzip
import lzma
import os
import re
from typing import IO, Any, BinaryIO, Dict

_MODULES: Dict[str, Any] = {".gz": gzip, ".bz2": bz2, ".xz": lzma}
_BEGINNINGS = {".gz": rb"\x1f\x8b", ".bz2": rb"BZh[1-9][1\x17]", ".xz": rb"\xfd7zXZ\x00"}


def decompressed(file: Any) -> BinaryIO:
    """Returns what reads the content of an open file, which has `peek`, from its beginning."""
    begin = file.peek(8)
    for ending, pattern in _BEGINNINGS.items():
        if re.match(pattern, begin):
            content: BinaryIO = _MODULES[ending].open(file)
            return content
    opened: BinaryIO = file
    return opened


def bare_name(name: str) -> str:
    """Returns the name of a file without the ending of its compression."""
    bare, ending = os.path.splitext(name)
    return bare if ending in _MODULES else name


def compressed(content: bytes, name: str) -> bytes:
    """Compresses the content of a file, if its name says so."""
    module = _MODULES.get(os.path.splitext(name)[1])
    return content if module is None else bytes(module.compress(content))


def open_to_write(name: str, mode: str = "w") -> IO[str]:
    """Opens a file to write text into it, compressed if its name says so."""
    module = _MODULES.get(os.path.splitext(name)[1])
    opener = open if module is None else module.open
    file: IO[str] = opener(name, f"{mode}t", encoding="utf-8")
    return file
