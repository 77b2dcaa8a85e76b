"""
Files of weights and training states that are complete or absent.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> save_state({"step": 3}, os.path.join(folder.name, "state.th"))
    >>> load_state(os.path.join(folder.name, "state.th"))
    {'step': 3}
    >>> folder.cleanup()
"""

import errno
import os
import pickle
from typing import Any, Union

import torch

from lisa_allennlp.common.complete_files import complete_file

DAMAGED = (EOFError, KeyError, OSError, RuntimeError, ValueError, pickle.UnpicklingError)
"""The errors that `torch.load` raises for truncated or corrupt files."""


def save_state(state: Any, path: Union[str, os.PathLike]) -> None:
    """
    Saves as `torch.save` does, under a temporary name until the file is complete.

    # Parameters

    state : `Any`
        Tensors, numbers and strings, in dictionaries, lists and tuples.

    # Raises

    `OSError`
        With the name of the file, if the disk is full or the file cannot be written.
    """
    try:
        with complete_file(path) as partial, open(partial, "wb") as file:
            torch.save(state, file)
    except OSError as error:
        raise _named(error, path) from error
    except RuntimeError as error:
        # PyTorch's writer of zip files reports a failed write as an inconsistency of its own.
        cause = error.__context__
        if not isinstance(cause, OSError):
            cause = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if "PytorchStreamWriter" in str(error) or "unexpected pos" in str(error):
            raise _named(cause, path) from error
        raise


def load_state(path: Union[str, os.PathLike]) -> Any:
    """
    Loads what `save_state` has saved, on the CPU. The file cannot run code.

    # Raises

    one of `DAMAGED`
        If the file is not complete.
    """
    return torch.load(path, map_location="cpu", weights_only=True)


def _named(error: OSError, path: Union[str, os.PathLike]) -> OSError:
    return OSError(error.errno, error.strerror, os.fspath(path))
