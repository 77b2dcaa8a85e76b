"""
Standard output that names itself in errors, such as that of a full disk, and remembers the first:
`argparse` hides errors of its help texts, and the interpreter would print a traceback at its end.

    >>> file = StandardOutput(open("/dev/full", "wb"), encoding="utf-8")
    >>> _ = file.write("a text in the buffer")
    >>> file.last_flush()
    OSError(28, 'No space left on device')
"""

import io
import os
import sys
from contextlib import contextmanager
from typing import Iterator, Optional

NAME = "<stdout>"


class StandardOutput(io.TextIOWrapper):
    """As described in the module. Takes the arguments of `io.TextIOWrapper`."""

    first_error: Optional[OSError] = None

    def write(self, text: str) -> int:
        """As in the base class."""
        with self._remembering():
            return super().write(text)

    def flush(self) -> None:
        """As in the base class."""
        with self._remembering():
            super().flush()

    def last_flush(self) -> Optional[OSError]:
        """Flushes, drops what cannot be written, and returns the first error, if there was one."""
        try:
            self.flush()
        except OSError:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, self.fileno())
            os.close(null)
        return self.first_error

    @contextmanager
    def _remembering(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            error.filename = NAME
            self.first_error = self.first_error or error
            raise


def name_standard_output() -> None:
    """
    Makes standard output a `StandardOutput`, unless it is closed or something else has taken its
    place already.
    """
    old = sys.stdout
    if not isinstance(old, io.TextIOWrapper) or old is not sys.__stdout__:
        return
    old.flush()
    # Without buffer, if the user has chosen that for Python.
    size = 0 if isinstance(old.buffer, io.RawIOBase) else -1
    sys.stdout = StandardOutput(
        open(old.fileno(), "wb", buffering=size, closefd=False),
        encoding=old.encoding,
        errors=old.errors,
        line_buffering=old.line_buffering,
        write_through=old.write_through,
    )
