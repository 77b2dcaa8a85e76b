"""Unpacks archives that someone else may have made."""

import gzip
import tarfile
import tempfile
import zlib
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any, Dict, Iterator

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.model_files.model_info import parse_json, read_json
from lisa_allennlp.pretrained import CONFIG_NAME


@contextmanager
def unpacked(archive_file: str) -> Iterator[Path]:
    """
    Yields a temporary folder with the files of a `model.tar.gz`, which is deleted afterwards.

    # Raises

    `ConfigurationError`
        If the file is no archive, is damaged, or has anything but files and folders below its own.
    """
    with tempfile.TemporaryDirectory(prefix="lisa-model-") as folder:
        with _opened(archive_file) as (stream, archive):
            archive.extractall(folder, filter=_files_only)
            # The checksum is at the end.
            while stream.read(2**20):
                pass
        yield Path(folder)


def read_config(path: str) -> Dict[str, Any]:
    """
    Reads the config of a model. Of an archive, nothing else is read.

    # Parameters

    path : `str`
        An archive, or the folder of a training or of `lisa export`.

    # Raises

    `ConfigurationError`
        If there is no model, or it is damaged.
    """
    if Path(path).is_dir():
        return read_json(Path(path) / CONFIG_NAME)
    with _opened(path) as (_, archive):
        for member in archive:
            if member.isreg() and PurePosixPath(member.name) == PurePosixPath(CONFIG_NAME):
                return parse_json(archive.extractfile(member).read(), f"{path}: {CONFIG_NAME}")
    raise ConfigurationError(f"{path}: found no {CONFIG_NAME}; expected that of a model")


@contextmanager
def _opened(path: str) -> Iterator[Any]:
    if not hasattr(tarfile, "data_filter"):
        raise ConfigurationError(
            f"{path}: found an archive; expected an exported folder, since this version of Python "
            "has no safe way to unpack. Python 3.10.12, 3.11.4 and later ones have"
        )
    try:
        with gzip.open(path) as stream, tarfile.open(fileobj=stream, mode="r:") as archive:
            yield stream, archive
    except (tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise ConfigurationError(
            f"{path}: cannot be unpacked ({error}); expected a model archive (model.tar.gz), a "
            "folder with a model, or the name of a model in the package"
        ) from error


def _files_only(member: tarfile.TarInfo, folder: str) -> tarfile.TarInfo:
    """As Python's filter `data`, but without links, with which some versions can be deceived."""
    if not (member.isreg() or member.isdir()):
        raise tarfile.SpecialFileError(member)
    filtered = tarfile.data_filter(member, folder)
    assert filtered is not None
    return filtered
