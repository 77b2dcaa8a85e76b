"""Progress on a terminal and elsewhere."""

import io

import pytest

from lisa_allennlp.annotation import progress
from lisa_allennlp.annotation.progress import SECONDS_BETWEEN_LINES, Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_has_one_short_line() -> None:
    terminal = Terminal()
    with Progress(12_000_000, 2_000_000, terminal) as shown:
        shown.show(3_000_000)
    lines = terminal.getvalue().split("\r")
    assert "\n" not in terminal.getvalue().rstrip("\n")
    assert any("2,000,000 of 12,000,000 rows" in line for line in lines)
    assert max(map(len, lines)) <= 80


def test_other_outputs_have_lines_from_time_to_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(progress.time, "monotonic", lambda: now)
    file = io.StringIO()
    with Progress(1000, 100, file) as shown:
        for rows in range(200, 1001, 100):
            now += SECONDS_BETWEEN_LINES / 2
            shown.show(rows)
    # 100 rows in 15 seconds, and none of the rows that were done before.
    assert file.getvalue().splitlines() == [
        f"annotate: {rows:,} of 1,000 rows ({rows / 10:.1f}%), 7 rows/s, {left} left"
        for rows, left in [(200, "0:02:00"), (400, "0:01:30"), (600, "0:01:00")]
        + [(800, "0:00:30"), (1000, "0:00:00")]
    ]
