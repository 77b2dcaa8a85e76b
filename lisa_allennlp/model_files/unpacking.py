"""
Unpacks archives that someone else may have made.

Every member is checked before anything of it is written. Only regular files and folders are
unpacked, only below a temporary folder, and only up to `MAX_SIZE` bytes.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     archive = Path(folder) / "model.tar.gz"
    ...     with tarfile.open(archive, "w:gz") as file:
    ...         file.add("setup.cfg", "../config.json")
    ...     with unpacked(archive) as files:
    ...         pass
    Traceback (most recent call last):
    ...
    allennlp.common.checks.ConfigurationError: .../model.tar.gz: found the member '../config.json...
"""

import gzip
import io
import os
import shutil
import tarfile
import tempfile
import zlib
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Any, Iterator, Optional, Tuple, Union

from allennlp.common.checks import ConfigurationError

MAX_SIZE = 32 * 2**30
"""The largest sum of the sizes of an archive's members, in bytes."""

MAX_MEMBERS = 1_000
"""The largest number of an archive's members."""

MAX_CONFIG = 2**24
"""The largest size of a config, in bytes."""

_MAX_READ = 2**20
_DAMAGE = (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile)
_EXPECTED = "expected a model archive (model.tar.gz) or the folder of a model"
_BEGINNINGS = (
    (b"PK", "a ZIP file"),
    (b"\x80", "a pickle"),
    (b"<", "a web page (HTML or XML)"),
    (b"{", "a JSON file"),
    (b"\x89HDF", "an HDF5 file"),
    (b"BZh", "a bzip2 file"),
    (b"\xfd7zXZ", "an xz file"),
)


class _SmallReads:
    """A file for `tarfile`, which would read a header of any size into memory."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.seek, self.tell = file.seek, file.tell

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= _MAX_READ:
            raise tarfile.ReadError(f"a header of {size:,} bytes")
        return self._file.read(size)


@contextmanager
def unpacked(archive_file: Union[str, os.PathLike]) -> Iterator[Path]:
    """
    Yields a temporary folder with the members of an archive, which is deleted afterwards. The
    first of several members of one name counts, as in `read_member`.

    # Parameters

    archive_file : `Union[str, PathLike]`
        A `model.tar.gz`.

    # Raises

    `ConfigurationError`
        If the file is no archive or damaged, or a member is not a regular file below the folder,
        or too large. The message names the member.
    """
    with tempfile.TemporaryDirectory(prefix="lisa-model-") as folder:
        with _damage_reported(archive_file):
            _unpack(archive_file, Path(folder))
        yield Path(folder)


def _unpack(archive_file: Union[str, os.PathLike], folder: Path) -> None:
    left = min(MAX_SIZE, shutil.disk_usage(folder).free)
    for archive, member in _members(archive_file):
        if member.size > left:
            raise ConfigurationError(
                f"{archive_file}: found the member '{member.name}' of {member.size:,} bytes; "
                f"expected at most {left:,}: an archive may have {MAX_SIZE:,} in all, for which "
                f"there must be room in {tempfile.gettempdir()} (TMPDIR)"
            )
        left -= member.size
        target = Path(folder, *PurePosixPath(member.name).parts)
        if member.isdir():
            target.mkdir(parents=True, exist_ok=True)
        elif not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("wb") as file:
                _copy(archive, member, file)


def read_member(archive_file: Union[str, os.PathLike], name: str) -> Optional[bytes]:
    """
    Reads one member, up to `MAX_CONFIG` bytes. Reading stops there, so the first members are fast.

    # Returns

    `Optional[bytes]`
        `None` if there is no such file.

    # Raises

    `ConfigurationError`
        As in `unpacked`.
    """
    with _damage_reported(archive_file):
        for archive, member in _members(archive_file):
            if PurePosixPath(member.name) != PurePosixPath(name) or not member.isreg():
                continue
            if member.size > MAX_CONFIG:
                raise ConfigurationError(
                    f"{archive_file}: found the member '{member.name}' of {member.size:,} bytes; "
                    f"expected at most {MAX_CONFIG:,}"
                )
            content = io.BytesIO()
            _copy(archive, member, content)
            return content.getvalue()
    return None


def _copy(archive: tarfile.TarFile, member: tarfile.TarInfo, target: IO[bytes]) -> None:
    source = archive.extractfile(member)
    assert source is not None
    shutil.copyfileobj(source, target, _MAX_READ)


def _members(
    archive_file: Union[str, os.PathLike],
) -> Iterator[Tuple[tarfile.TarFile, tarfile.TarInfo]]:
    """The open archive and each of its members, checked."""
    _check_is_gzip(archive_file)
    with gzip.open(archive_file, "rb") as file:
        source: Any = _SmallReads(file)  # type: ignore[arg-type]
        with tarfile.open(fileobj=source, mode="r:") as archive:
            for number, member in enumerate(archive):
                _check_member(member, number, str(archive_file))
                yield archive, member


@contextmanager
def _damage_reported(archive_file: Union[str, os.PathLike]) -> Iterator[None]:
    try:
        yield
    except (*_DAMAGE, RecursionError) as error:
        raise ConfigurationError(
            f"{archive_file}: damaged data, or no archive ({error}); {_EXPECTED}"
        ) from error
    except OSError as error:
        if error.filename == os.fspath(archive_file):
            raise
        raise ConfigurationError(
            f"{archive_file}: cannot be unpacked to {tempfile.gettempdir()} (TMPDIR): "
            f"{error.strerror}"
        ) from error


def _check_is_gzip(archive_file: Union[str, os.PathLike]) -> None:
    with open(archive_file, "rb") as file:
        beginning = file.read(512)
    if beginning.startswith(b"\x1f\x8b"):
        return
    found = "other data than gzip's"
    if not beginning:
        found = "an empty file"
    elif beginning[257:262] == b"ustar":
        found = "a tar file that is not compressed"
    for start, name in _BEGINNINGS:
        if beginning.lstrip().startswith(start):
            found = name
    raise ConfigurationError(f"{archive_file}: found {found}; {_EXPECTED}")


def _check_member(member: tarfile.TarInfo, number: int, archive: str) -> None:
    path = PurePosixPath(member.name)
    if not (member.isreg() or member.isdir()):
        kinds = {
            member.issym(): f"a symbolic link to '{member.linkname}'",
            member.islnk(): f"a hard link to '{member.linkname}'",
            member.isfifo(): "a FIFO",
            member.ischr() or member.isblk(): "a device",
        }
        found = kinds.get(True, f"of the type {member.type!r}")
    elif path.is_absolute() or ".." in path.parts or "\\" in member.name or "\0" in member.name:
        found = "a path out of the folder"
    elif member.size < 0:
        found = f"of {member.size:,} bytes"
    elif number >= MAX_MEMBERS:
        found = f"member number {number + 1:,} of at most {MAX_MEMBERS:,}"
    else:
        return
    raise ConfigurationError(
        f"{archive}: found the member '{member.name}', {found}; expected files and folders with "
        "names below that of the archive. Nothing of this member was written"
    )
