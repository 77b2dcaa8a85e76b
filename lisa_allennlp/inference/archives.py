"""Reads what `lisa train` writes, a `model.tar.gz` or its folder, without PyTorch."""

import gzip
import os
import tarfile
import zlib
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Dict, Iterator, Union

import numpy

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.inference.torch_weights import read_torch_weights
from lisa_allennlp.model_files.model_info import parse_json, read_json
from lisa_allennlp.pretrained import CONFIG_NAME

WEIGHTS_NAMES = ("weights.th", "best.th")
"""The weights in an archive, and the best ones so far in the folder of a training."""

ARCHIVE_FORMAT = 2
"""As in `lisa_allennlp.models.archive_format`."""

_FORMAT_NAME = "_archive_format.number"


@contextmanager
def training_folder(path: Union[str, "os.PathLike[str]"]) -> Iterator[Path]:
    """
    The folder of a training, or a temporary one with the files of an archive.

    # Raises

    `ConfigurationError`
        If the archive is damaged or has a file outside of its folder.
    """
    if os.path.isdir(path):
        yield Path(path)
        return
    with TemporaryDirectory() as folder:
        with _opened(path) as archive:
            archive.extractall(folder, filter="data")
            # The checksum is at the end of the stream.
            while archive.fileobj is not None and archive.fileobj.read(1 << 20):
                pass
        yield Path(folder)


def read_training_config(path: Union[str, "os.PathLike[str]"]) -> Dict[str, Any]:
    """
    The config of a training, from its folder or archive.

    # Raises

    `ConfigurationError`
        If there is none, or the archive is damaged.
    """
    if os.path.isdir(path):
        return read_json(Path(path) / CONFIG_NAME)
    if not os.path.isfile(path):
        raise ConfigurationError(f"{os.fspath(path)}: found no such file; expected a trained model")
    with _opened(path) as archive:
        for member in archive:
            if os.path.normpath(member.name) == CONFIG_NAME and member.isfile():
                content: Any = archive.extractfile(member)
                return parse_json(content.read(), f"{os.fspath(path)}: {CONFIG_NAME}")
    raise ConfigurationError(
        f"{os.fspath(path)}: found no {CONFIG_NAME}; expected a model that `lisa train` trained"
    )


@contextmanager
def _opened(path: Union[str, "os.PathLike[str]"]) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(path, "r:gz") as archive:
            yield archive
    except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ConfigurationError(
            f"{os.fspath(path)}: found {error}; expected an undamaged model.tar.gz that `lisa "
            "train` wrote"
        ) from error


def read_weights(folder: Path, source: str) -> Dict[str, numpy.ndarray]:
    """
    The weights of a training, by their PyTorch names.

    # Raises

    `ConfigurationError`
        If there are none, or they are of another archive format.
    """
    found = [folder / name for name in WEIGHTS_NAMES if (folder / name).is_file()]
    if not found:
        raise ConfigurationError(f"{source}: found no {WEIGHTS_NAMES[0]}; expected a trained model")
    with open(found[0], "rb") as file:
        weights = read_torch_weights(file, f"{source}: {found[0].name}")
    number = int(weights.get(_FORMAT_NAME, numpy.array(1)))
    if number != ARCHIVE_FORMAT:
        raise ConfigurationError(
            f"{source}: {found[0].name}: found a model of archive format {number}; expected "
            f"{ARCHIVE_FORMAT}: train it again"
        )
    return weights
