"""What counts as an answer, an error and a lost line."""

from typing import List

import pytest

from benchmarks.hostile_inputs import HEADER, Line, Run, counts, is_answered

GOOD = Line("good", b'{"id": 3, "tokens": ["Go"]}')
BAD = Line("bad", b'{"tokens": 3}')
ODD = Line("odd", b'{"id": "\xe2\x80\xa9", "sentence": "Go"}')
ANSWER = b'{"id": 3, "words": ["Go"]}'
ERROR = b'{"line": 2, "error": "MemoryError"}'


@pytest.mark.parametrize(
    "line, record, expected",
    [
        (GOOD, ANSWER, (True, False)),
        (GOOD, b'{"id": 4, "words": ["Go"]}', (False, False)),
        (GOOD, b'{"id": 3, "words": ["Stop"]}', (False, False)),
        (GOOD, ERROR, (False, True)),
        (GOOD, ANSWER[:-1], (False, False)),
        (GOOD, b'{"id": 3, "words": ["Go"], "x": NaN}', (False, False)),
        (BAD, ERROR, (True, True)),
        (BAD, ERROR.replace(b"2", b"3"), (False, True)),
        (BAD, b'{"words": []}', (False, False)),
        (ODD, ERROR, (True, True)),
        (ODD, '{"id": "\u2029", "words": ["Go"]}'.encode(), (True, False)),
        (ODD, b'{"id": " ", "words": ["Go"]}', (False, False)),
    ],
)
def test_records(line: Line, record: bytes, expected: List[bool]) -> None:
    assert is_answered(line, 2, record) == expected


def test_lines_without_a_record_are_lost() -> None:
    run = Run([ANSWER, ERROR], "Traceback (most recent call last):", 2_000_000, 0)
    found = dict(zip(HEADER[1:], counts([GOOD, BAD, GOOD, BAD], run), strict=True))
    assert found == {
        "lines": 4,
        "bad": 2,
        "answers": 1,
        "errors": 1,
        "out of memory": 1,
        "lost": 2,
        "tracebacks": 1,
        "peak memory, MB": 2,
    }
