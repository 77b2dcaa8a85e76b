"""Turns errors that users can mend into one line."""

import gzip
import importlib.util
import lzma
import sys
import tarfile
import zlib
from typing import Optional

from lisa_allennlp.common.errors import ConfigurationError

DAMAGED = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile, tarfile.ReadError)

_EXTRAS = {
    "analysis": "matplotlib",
    "conll18": "udtools",
    "inception": "cassis",
    "large": "ray",
    "parquet": "pyarrow",
    "search": "duckdb",
    "serve": "fastapi fastapi_offline prometheus_client pydantic starlette uvicorn",
    "spacy": "spacy",
}
INSTALLED_BY = {
    **dict.fromkeys(("allennlp", "onnx", "torch"), "make setup, in a checkout"),
    "stanza": "pip install stanza",
    **{
        package: f"pip install '.[{extra}]', in a checkout"
        for extra, packages in _EXTRAS.items()
        for package in packages.split()
    },
}


def check_installed(package: str) -> None:
    if importlib.util.find_spec(package) is None:
        raise ConfigurationError(_not_installed(package))


def _not_installed(package: str) -> str:
    command = INSTALLED_BY[package]
    return f"found no package {package}; expected it to be installed: {command}"


_JSONNET_ERRORS = ("RUNTIME ERROR: ", "STATIC ERROR: ")


def user_message(error: Exception) -> Optional[str]:
    """Returns one line for an error that the user can mend, and `None` for other errors."""
    allennlp = sys.modules.get("allennlp.common.checks")
    if isinstance(error, (ConfigurationError, getattr(allennlp, "ConfigurationError", ()))):
        return _one_line(str(error))
    if isinstance(error, OSError):
        has_name = error.filename is not None
        return _one_line(f"{error.filename}: {error.strerror}" if has_name else str(error))
    if isinstance(error, ModuleNotFoundError) and error.name in INSTALLED_BY:
        return _not_installed(error.name)
    if isinstance(error, RuntimeError) and str(error).startswith(_JSONNET_ERRORS):
        # Its place in the config follows. Other lines are Jsonnet's traceback.
        message, place, *_ = [*str(error).splitlines(), ""]
        return _one_line(f"{message.removeprefix('RUNTIME ERROR: ')} {place}")
    return None


def is_fault(error: BaseException) -> bool:
    """Whether an error's cause may be a fault of the program, which its traceback shows."""
    while error.__cause__ is not None:
        error = error.__cause__
    is_value = isinstance(error, (ValueError, *DAMAGED))
    return not is_value and isinstance(error, Exception) and user_message(error) is None


def is_termination(error: Exception) -> bool:
    """Whether AllenNLP's handler of SIGTERM raised this error."""
    allennlp = sys.modules.get("allennlp.common.util")
    return allennlp is not None and isinstance(error, allennlp.SigTermReceived)


def _one_line(message: str) -> str:
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in " ".join(message.split())
    )
