import bz2
import gzip
import io
import lzma
from pathlib import Path
from typing import Any, List, Optional

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.labelling import input_files
from lisa_allennlp.labelling.groups import Item
from lisa_allennlp.labelling.input_files import (
    check_is_not_json,
    format_of_input,
    items_of_file,
    open_input,
    read_content,
)


def items(content: bytes, input_format: str) -> List[Item]:
    return list(items_of_file(io.BytesIO(content), "in", input_format))


@pytest.mark.parametrize(
    "name, chosen, expected",
    [
        ("a.txt", None, "text"),
        ("a.txt.gz", None, "text"),
        ("a.jsonl", None, "json"),
        ("<stdin>", None, "json"),
        ("a.txt", "json", "json"),
        ("a.jsonl", "lines", "lines"),
    ],
)
def test_formats(name: str, chosen: Optional[str], expected: str) -> None:
    assert format_of_input(name, chosen) == expected


def test_lines_and_texts() -> None:
    content = b"One.\r\n \n\xc3\xa9 two"
    lines = items(content, "lines")
    assert [(item.place, item.position) for item in lines] == [("in:1", 1), ("in:3", 3)]
    assert [read_content(item.content, "lines") for item in lines] == [
        {"text": "One."},
        {"text": "é two"},
    ]
    (whole,) = items(b"\xef\xbb\xbf" + content, "text")
    assert (whole.place, read_content(whole.content, "text")) == (
        "in",
        {"text": "One.\r\n \né two"},
    )
    assert read_content(b'{"tokens": []}', "json") == {"tokens": []}
    assert read_content(items(b"", "text")[0].content, "text") == {"text": ""}


def test_long_lines_count_as_several_sentences() -> None:
    short, long = items(b"short\n" + b"long " * 300, "lines")
    assert (short.size, long.size) == (1, 4)


@pytest.mark.parametrize("length", [8, 9, 15, 16, 17, 40])
def test_lines_that_are_too_long(monkeypatch: pytest.MonkeyPatch, length: int) -> None:
    monkeypatch.setattr(input_files, "MOST_BYTES", 8)
    long = b"a" * (length - 1) + b"\n"
    one, middle, two, last = items(b"One.\n" + long + b"Two.\n" + long[:-1], "lines")
    assert [(item.place, item.content) for item in (one, two)] == [
        ("in:1", b"One.\n"),
        ("in:3", b"Two.\n"),
    ]
    for item, size in ((middle, length), (last, length - 1)):
        assert bool(item.error) == (item.content is None) == (size > 8)
    if length > 8:
        assert middle.error == "found a line of more than 8 bytes; expected shorter ones"
        assert middle.place == "in:2"


def test_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigurationError, match="found byte 0xe9 at byte 3; expected UTF-8"):
        read_content(b"a \xe9", "text")
    with pytest.raises(ConfigurationError, match="expected --input-format json"):
        check_is_not_json(b'\n{"sentence": "a"}')
    check_is_not_json(b"{a set}")
    monkeypatch.setattr(input_files, "MOST_CHARACTERS", 5)
    (item,) = items(b"a" * 100, "text")
    assert len(item.content) == 21
    monkeypatch.setattr("lisa_allennlp.labelling.requests.MOST_CHARACTERS", 5)
    with pytest.raises(ConfigurationError, match="found a document of more than 5 characters"):
        read_content(item.content, "text")


@pytest.mark.parametrize("opener", [open, gzip.open, bz2.open, lzma.open])
def test_compressed_files(tmp_path: Path, opener: Any) -> None:
    ending = {gzip.open: "gz", bz2.open: "bz2", lzma.open: "xz"}.get(opener, "jsonl")
    path = tmp_path / f"in.{ending}"
    with opener(path, "wb") as file:
        file.write(b"One.\nTwo.\n" * 10_000)
    with open_input(str(path)) as file:
        assert len(list(items_of_file(file, "in", "lines"))) == 20_000
    if ending == "gz":
        path.write_bytes(path.read_bytes()[:-20])
        with open_input(str(path)) as file:
            *good, last = items_of_file(file, "in", "lines")
        assert good[0].content == b"One.\n" and last.content is None and last.error
