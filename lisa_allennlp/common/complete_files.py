"""
Files and folders that are either complete or absent. They have a temporary name while they are
written, so that neither a crash nor a full disk leaves a part of a file under its name or destroys
an older file.
"""

import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, Optional, Union

PARTIAL = ".partial"
"""The end of temporary names."""

REPLACED = ".replaced"
"""The end of the name of an older folder while it is replaced."""


def partial_path(path: Union[str, os.PathLike]) -> Path:
    """Returns the temporary name of a file or folder until it is complete."""
    path = Path(path)
    return path.with_name(path.name + PARTIAL)


@contextmanager
def complete_file(path: Union[str, os.PathLike], partial: Optional[Path] = None) -> Iterator[Path]:
    """
    Yields the temporary path of a file to write in a folder that exists. When the block ends, the
    file is flushed to the disk and takes its name, replacing an older file. If the block raises an
    error, the temporary file is removed. Processes that may write the same file at once need
    different temporary names `partial`, on the same file system.
    """
    partial = partial or partial_path(path)
    try:
        yield partial
        _flush(partial)
        os.replace(partial, path)
    except OSError as error:
        # The error of a full disk names no file.
        if error.errno is not None and error.filename is None:
            error.filename = os.fspath(path)
        raise
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def complete_folder(path: Union[str, os.PathLike]) -> Iterator[Path]:
    """
    As `complete_file`, for a folder with new files. It replaces an older folder with all its files.
    """
    path, partial = Path(path), partial_path(path)
    old = path.with_name(path.name + REPLACED)
    shutil.rmtree(partial, ignore_errors=True)
    try:
        partial.mkdir(parents=True)
        yield partial
        for file in partial.rglob("*"):
            if file.is_file():
                _flush(file)
        # Only an empty folder can be replaced in one step.
        shutil.rmtree(old, ignore_errors=True)
        if path.exists():
            os.replace(path, old)
        os.replace(partial, path)
        shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _flush(path: Path) -> None:
    """Writes a file's data from the system's memory to the disk, where a full disk is an error."""
    with open(path, "rb+") as file:
        os.fsync(file.fileno())
