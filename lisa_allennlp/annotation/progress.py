"""
Shows how far a run is: as one line on a terminal, and otherwise as a line from time to time.

    >>> import io
    >>> file = io.StringIO()
    >>> with Progress(100, 40, file) as progress:
    ...     progress.show(50)
    >>> print(file.getvalue().split(",")[0])
    annotate: 50 of 100 rows (50.0%)
"""

import datetime
import sys
import time
from typing import Any, Optional, TextIO

from allennlp.common.tqdm import Tqdm

SECONDS_BETWEEN_LINES = 30.0

_BAR = "annotate: {n:,} of {total:,} rows, {rate_fmt}, {remaining} left"


class Progress:
    """
    # Parameters

    rows : `int`
        The number of rows of the run.
    done : `int`
        How many were done before.
    file : `TextIO`, optional (default = standard error)
    """

    def __init__(self, rows: int, done: int, file: Optional[TextIO] = None) -> None:
        self._rows, self._before, self._done = rows, done, done
        self._file = sys.stderr if file is None else file
        self._began = time.monotonic()
        self._last_line = float("-inf")
        self._bar: Any = None

    def __enter__(self) -> "Progress":
        if self._file.isatty():
            self._bar = Tqdm.tqdm(
                total=self._rows,
                initial=self._done,
                unit=" rows",
                file=self._file,
                bar_format=_BAR,
                dynamic_ncols=True,
            )
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def show(self, done: int) -> None:
        """Shows the number of rows that are done."""
        self._done = done
        if self._bar is not None:
            self._bar.update(done - self._bar.n)
        elif time.monotonic() - self._last_line >= SECONDS_BETWEEN_LINES:
            self._last_line = time.monotonic()
            print(self._line(), file=self._file, flush=True)

    def rate(self) -> float:
        """The rows per second of this run."""
        return (self._done - self._before) / max(time.monotonic() - self._began, 1e-9)

    def _line(self) -> str:
        left = "?"
        if self.rate() > 0:
            seconds = round((self._rows - self._done) / self.rate())
            left = str(datetime.timedelta(seconds=seconds))
        percent = 100 * self._done / max(self._rows, 1)
        return (
            f"annotate: {self._done:,} of {self._rows:,} rows ({percent:.1f}%), "
            f"{self.rate():,.0f} rows/s, {left} left"
        )
