"""The last line of the terminal, which shows what is being done."""

import time
from typing import Optional

import rich
from allennlp.common import logging as common_logging
from rich.live import Live
from rich.text import Text

FILE_FRIENDLY_INTERVAL = 10.0
"""The least number of seconds between lines with `--file-friendly-logging`."""

INTERVAL = 0.2
"""The least number of seconds between changes of the line."""


class ProgressLine:
    """
    One line that is replaced by the next. What else is printed appears above it. Without a terminal
    nothing is shown. With AllenNLP's `--file-friendly-logging`, each text is a line of its own.
    """

    def __init__(self) -> None:
        self._live: Optional[Live] = None
        self._next = 0.0

    def is_due(self) -> bool:
        """Returns whether it is time for another text, so that others need not be composed."""
        return time.monotonic() >= self._next

    def show(self, text: str) -> None:
        console = rich.get_console()
        if common_logging.FILE_FRIENDLY_LOGGING:
            self._next = time.monotonic() + FILE_FRIENDLY_INTERVAL
            console.print(text, markup=False, highlight=False, soft_wrap=True)
            return
        self._next = time.monotonic() + INTERVAL
        if not console.is_terminal or console.is_dumb_terminal:
            return
        if self._live is None:
            self._live = Live(console=console, auto_refresh=False, transient=True)
            self._live.start()
            # A program that is killed cannot show it again.
            console.show_cursor(True)
        self._live.update(Text(text, no_wrap=True, overflow="ellipsis"), refresh=True)

    def clear(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None


LINE = ProgressLine()
"""The line of this process's terminal."""
