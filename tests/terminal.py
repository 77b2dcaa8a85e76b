"""A terminal for tests: what a person would see of an output with control sequences."""

import io
import re
from typing import List

import pytest
import rich
from rich.console import Console

_TOKENS = re.compile(r"\x1b\[(?P<number>\??\d*)(?P<command>[A-Za-z])|(?P<text>[\r\n]|[^\r\n\x1b]+)")


class Terminal:
    """
    The lines of a terminal of some width that shows what is written to it. `states` has the last
    line whenever it was complete.
    """

    def __init__(self, width: int = 80) -> None:
        self.width = width
        self.lines = [""]
        self.states: List[str] = []
        self._row = self._column = 0

    def show(self, output: str) -> None:
        for token in _TOKENS.finditer(output):
            if token["text"] == "\r":
                self._column = 0
            elif token["text"] == "\n":
                self._row, self._column = self._row + 1, 0
                self.lines.extend([""] * (self._row + 1 - len(self.lines)))
            elif token["text"]:
                self._write(token["text"])
            elif token["command"] == "A":
                self._row -= int(token["number"] or 1)
            elif token["command"] == "K":
                assert token["number"] == "2"
                self.lines[self._row] = ""
            else:
                assert token["command"] in "hlm", token[0]

    def _write(self, text: str) -> None:
        line = self.lines[self._row].ljust(self._column)
        self.lines[self._row] = line[: self._column] + text + line[self._column + len(text) :]
        self._column += len(text)
        assert self._column <= self.width, f"wider than {self.width}: {text}"
        self.states.append(self.lines[self._row].rstrip())

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.lines).rstrip()


def use_terminal(monkeypatch: pytest.MonkeyPatch, width: int = 80) -> io.StringIO:
    """Makes Rich believe in a terminal, and returns what is written to it."""
    output = io.StringIO()
    console = Console(file=output, force_terminal=True, width=width, color_system=None)
    monkeypatch.setattr(rich, "get_console", lambda: console)
    monkeypatch.setenv("TERM", "xterm")
    return output
