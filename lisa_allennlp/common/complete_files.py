"""
Files and folders that are complete or absent. They have a temporary name while they are written, so
that neither a crash nor a full disk leaves a part under the name or destroys an older file. Nobody
else can guess this name, so that no file of the user's is deleted and no link is followed. A
process that is killed leaves its temporary file behind.
"""

import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, Union

PARTIAL = ".partial"

REPLACED = ".replaced"


def _temporary(path: Path, ending: str) -> Path:
    # Hidden, so that readers of a whole folder skip it.
    return path.with_name(f".{path.name}.{os.getpid()}-{os.urandom(4).hex()}{ending}")


@contextmanager
def complete_file(path: Union[str, os.PathLike]) -> Iterator[Path]:
    """
    Yields a temporary path beside `path`, in an existing folder. After the block, the file is
    flushed to the disk and gets its name, replacing an older one; after an error, it is removed.
    """
    partial = _temporary(Path(path), PARTIAL)
    try:
        with _named(path, partial):
            yield partial
            _flush(partial)
            os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def complete_folder(path: Union[str, os.PathLike]) -> Iterator[Path]:
    """As `complete_file`, for a folder with new files. It replaces an older folder."""
    path = Path(path)
    partial, old = _temporary(path, PARTIAL), _temporary(path, REPLACED)
    try:
        with _named(path, partial):
            partial.mkdir(parents=True)
            yield partial
            for file in partial.rglob("*"):
                if file.is_file():
                    _flush(file)
            # Only an empty folder can be replaced in one step.
            if path.exists():
                os.replace(path, old)
            os.replace(partial, path)
        shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


@contextmanager
def _named(path: Union[str, os.PathLike], partial: Path) -> Iterator[None]:
    """Adds the path to the error of a full disk, or replaces the temporary name in it."""
    try:
        yield
    except OSError as error:
        if error.errno is not None and error.filename in (None, os.fspath(partial)):
            error.filename = os.fspath(path)
        raise


def _flush(path: Path) -> None:
    """Writes the file to the disk, where a full disk is an error."""
    with open(path, "rb+") as file:
        os.fsync(file.fileno())
