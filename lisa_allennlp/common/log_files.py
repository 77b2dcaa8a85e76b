"""
Logs that cannot be written. Python's `logging` prints a traceback for each line and goes on.

    >>> with raised_log_errors():
    ...     logging.getLogger("lisa_allennlp").debug("checked")
"""

import logging
import sys
from contextlib import contextmanager
from typing import Any, Iterator


@contextmanager
def raised_log_errors() -> Iterator[None]:
    """
    Raises errors of writing a log, such as that of a full disk, where the line is logged.

    # Raises

    `OSError`
        With the name of the log.
    """
    logging.StreamHandler.handleError = _raise  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        # Uncovers the method of `logging.Handler`.
        del logging.StreamHandler.handleError


def _raise(handler: Any, record: logging.LogRecord) -> None:
    error = sys.exc_info()[1]
    if isinstance(error, OSError) and error.errno is not None:
        raise OSError(error.errno, error.strerror, handler.stream.name) from error
    logging.Handler.handleError(handler, record)
