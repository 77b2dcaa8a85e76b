"""
SHA-256 digests of files and folders.

    >>> digest_of_file(__file__) == digest_of_path(__file__)
    True
"""

import hashlib
from pathlib import Path
from typing import Union


def digest_of_file(path: Union[str, Path]) -> str:
    """Returns the SHA-256 of a file's content, in hexadecimal."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def digest_of_path(path: Union[str, Path]) -> str:
    """Digests a file, or a folder with the names and contents of all files below it."""
    path = Path(path)
    if not path.is_dir():
        return digest_of_file(path)
    files = sorted(file for file in path.rglob("*") if file.is_file())
    lines = (f"{digest_of_file(file)} {file.relative_to(path).as_posix()}\n" for file in files)
    return hashlib.sha256("".join(lines).encode()).hexdigest()
