"""Turns errors that users can fix into one line with the name of the file."""

import codecs
import errno
import gzip
import io
import itertools
import json
import lzma
import os
import pickle
import re
import tarfile
import traceback
import zlib
from typing import Optional

from lisa_allennlp.common.complete_files import PARTIAL

DAMAGED = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile, tarfile.ReadError)
"""The errors that truncated or corrupt compressed files raise."""

_JSONNET_ERRORS = ("RUNTIME ERROR: ", "STATIC ERROR: ")

NOT_WRITTEN = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""The errors of a full or broken disk."""

HDF5_FILES = os.path.join("h5py", "_hl", "files.py")
"""The module of h5py that opens files."""


def user_message(error: Exception) -> Optional[str]:
    """
    One line for an error that the user can fix; `None` for an error in the program.

    >>> user_message(FileNotFoundError(2, "No such file or directory", "dev.conllu"))
    'dev.conllu: No such file or directory'
    """
    from allennlp.common.checks import ConfigurationError
    from allennlp.data.data_loaders.multiprocess_data_loader import WorkerError

    if isinstance(error, (ConfigurationError, ValueError, StopIteration, RuntimeError)):
        message = _word_vectors_message(error)
        if message is not None:
            return message
    if isinstance(error, ConfigurationError):
        return _one_line(error.message)
    if isinstance(error, WorkerError):
        return _worker_message(str(error))
    if isinstance(error, json.JSONDecodeError):
        return _one_line(f"not JSON: {error.doc[:80]!r} ({error})")
    if isinstance(error, DAMAGED):
        return _damage_message(error)
    if isinstance(error, UnicodeDecodeError):
        return _encoding_message(error)
    if isinstance(error, OSError) and error.filename is not None:
        return _one_line(f"{str(error.filename).removesuffix(PARTIAL)}: {error.strerror}")
    if isinstance(error, OSError) and error.errno in NOT_WRITTEN:
        return _disk_message(error)
    if isinstance(error, FileNotFoundError):
        return _one_line(str(error))
    if isinstance(error, OSError) and error.errno is None:
        # bz2 and HDF5 raise a bare OSError for damaged data.
        return _damage_message(error)
    if isinstance(error, pickle.UnpicklingError) or str(error).startswith("PytorchStreamReader"):
        return _damage_message(error)
    # Jsonnet reports errors in a config as RuntimeError.
    if isinstance(error, RuntimeError) and str(error).startswith(_JSONNET_ERRORS):
        return _jsonnet_message(str(error))
    return None


def _jsonnet_message(report: str) -> str:
    """
    The message of an `error` expression in a config; for other errors, such as a syntax error, also
    the place. The other lines are Jsonnet's traceback.
    """
    message, *places = report.splitlines()
    if places and _is_error_expression(places[0]):
        return _one_line(message.partition(": ")[2])
    return _one_line(" ".join([message, *places[:1]]))


def _is_error_expression(place: str) -> bool:
    """Whether a line of a traceback, such as `lib/a.libsonnet:(1:9)-(2:3)`, is of `error`."""
    found = re.match(r"\s*(.+?):\(?(\d+):(\d+)", place)
    if found is None or not os.path.isfile(found[1]):
        return False
    with open(found[1], encoding="utf-8") as file:
        line = next(itertools.islice(file, int(found[2]) - 1, None), "")
    return line[int(found[3]) - 1 :].startswith("error")


def _disk_message(error: OSError) -> str:
    """
    The message for a file that cannot be written. Such errors lack its name, which is found in the
    frames of the traceback.
    """
    for frame, _ in reversed(list(traceback.walk_tb(error.__traceback__))):
        for value in frame.f_locals.values():
            is_file = isinstance(value, (io.IOBase, codecs.StreamReaderWriter))
            if is_file and set("wax+") & set(str(getattr(value, "mode", ""))):
                name = str(getattr(value, "name", ""))
                return _one_line(f"{name.removesuffix(PARTIAL)}: {error.strerror}")
    return str(error.strerror)


def _word_vectors_message(error: Exception) -> Optional[str]:
    """The message for word vectors that AllenNLP cannot read; its errors lack the file's name."""
    from allennlp.common.checks import ConfigurationError
    from allennlp.modules.token_embedders.embedding import _read_embeddings_from_text_file

    for frame, _ in traceback.walk_tb(error.__traceback__):
        if frame.f_code is _read_embeddings_from_text_file.__code__:
            values = frame.f_locals
            place, expected = values["file_uri"], f"{values['embedding_dim']} numbers per word"
            if isinstance(error, StopIteration):
                return _one_line(f"{place}: found no line; expected {expected}")
            if isinstance(error, ConfigurationError):
                return _one_line(f"{place}: {error.message}")
            if isinstance(error, RuntimeError):
                # Of their mean and standard deviation, from which AllenNLP draws other vectors.
                return _one_line(f"{place}: found vectors that are not finite; expected {expected}")
            if "token" in values and not isinstance(error, UnicodeDecodeError):
                found = f"the word '{values['token'][:80]}' ({str(error)[:80]})"
                return _one_line(f"{place}: found {found}; expected {expected}")
    return None


def _damage_message(error: Exception) -> Optional[str]:
    """
    The message for a damaged file. Such errors lack its name, which is found in the frames of the
    traceback.
    """
    file = _file_being_read(error)
    if isinstance(error, tarfile.ReadError):
        return _one_line(f"{file or 'the archive'}: not a model archive, or damaged: {error}")
    if file is None:
        return None
    # The other sentences are advice to whoever wrote the file.
    reason, _, _ = str(error).partition(". ")
    return _one_line(f"{file}: damaged data ({reason}); expected a complete file")


def _encoding_message(error: UnicodeDecodeError) -> Optional[str]:
    """The message for a file that is not UTF-8, if the traceback has its name."""
    file = _file_being_read(error)
    if file is None:
        return None
    found = f"found the byte 0x{error.object[error.start]:02x}"
    return _one_line(f"{file}: {found}; expected text encoded in UTF-8")


def _file_being_read(error: Exception) -> Optional[str]:
    """The name of the file of data, word vectors or weights that was being read."""
    import torch

    for frame, _ in reversed(list(traceback.walk_tb(error.__traceback__))):
        # These functions reject a file before they have an object with its name.
        if frame.f_code is tarfile.TarFile.open.__func__.__code__:  # type: ignore[attr-defined]
            return str(frame.f_locals["name"])
        if frame.f_code is torch.load.__code__ and isinstance(
            frame.f_locals["f"], (str, os.PathLike)
        ):
            return os.fspath(frame.f_locals["f"])
        if frame.f_code.co_filename.endswith(HDF5_FILES) and "name" in frame.f_locals:
            return os.fsdecode(frame.f_locals["name"])
        for name in map(_file_name, frame.f_locals.values()):
            if name is not None:
                return name
    return None


def _file_name(value: object) -> Optional[str]:
    """The name of the file that an object reads, if it reads one."""
    from allennlp.modules.token_embedders.embedding import EmbeddingsTextFile

    if isinstance(value, EmbeddingsTextFile):
        return value.uri
    if isinstance(value, (gzip.GzipFile, tarfile.TarFile)) and value.name:
        return str(value.name)
    return None


def _worker_message(report: str) -> Optional[str]:
    """The message of a `ConfigurationError` from the traceback that a data worker reports."""
    last = report.strip().splitlines()[-1].strip()
    name, _, message = last.partition(": ")
    return message if name.endswith(("ConfigurationError", "CorpusFormatError")) else None


def _one_line(message: str) -> str:
    """The message without line breaks, and with escapes for what cannot be printed."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in " ".join(message.split())
    )
