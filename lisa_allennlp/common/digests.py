"""
SHA-256 digests of files and folders.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = Path(folder.name) / "model.json"
    >>> _ = path.write_text("{}")
    >>> digest_of_file(path)[:8]
    '44136fa3'
    >>> before = digest_of_path(folder.name)
    >>> _ = path.write_text("[]")
    >>> digest_of_path(folder.name) == before
    False
    >>> folder.cleanup()
"""

import hashlib
from pathlib import Path
from typing import Union


def digest_of_file(path: Union[str, Path]) -> str:
    """The SHA-256 of a file's content, in hexadecimal."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def digest_of_path(path: Union[str, Path]) -> str:
    """The digest of a file, or of a folder with the names and contents of all files below it."""
    path = Path(path)
    if not path.is_dir():
        return digest_of_file(path)
    files = sorted(file for file in path.rglob("*") if file.is_file())
    lines = (f"{digest_of_file(file)} {file.relative_to(path).as_posix()}\n" for file in files)
    return hashlib.sha256("".join(lines).encode()).hexdigest()
