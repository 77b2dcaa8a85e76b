import bz2
import gzip
import io
import lzma
from pathlib import Path
from typing import Any, List, Optional

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.annotated_files import read_annotated
from lisa_allennlp.data.formats.columns import read_lines
from lisa_allennlp.data.formats.conllu import parse_conllu_roles
from lisa_allennlp.labelling import input_files
from lisa_allennlp.labelling.groups import Item
from lisa_allennlp.labelling.input_files import (
    check_is_not_json,
    format_of_input,
    items_of_file,
    open_input,
    read_content,
    recognised,
)
from tests import FIXTURES


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
        ("a.conllu", None, "conllu"),
        ("a.conllu.xz", None, "conllu"),
        ("a.v4_gold_conll", None, "gold_conll"),
        ("a.parquet", None, "parquet"),
        ("a.props", None, "json"),
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


@pytest.mark.parametrize("ending", ["conllu", "gold_conll"])
def test_the_content_tells_the_format(ending: str, tmp_path: Path) -> None:
    folder = {"conllu": "conllu", "gold_conll": "conll12"}[ending]
    path = FIXTURES / "formats" / folder / f"sample.{ending}"
    (tmp_path / "a").write_bytes(path.read_bytes())
    (tmp_path / "a.gz").write_bytes(gzip.compress(path.read_bytes()))
    for name in ("a", "a.gz"):
        with open_input(str(tmp_path / name)) as file:
            assert recognised(file, name) == ending
            # Nothing of it is gone.
            assert file.read() == path.read_bytes()
            assert recognised(file, name, "lines") == "lines"
    for content in (b'{"sentence": "# 1"}\n', b"# 1\n", b"", b"1\tGo\n"):
        (tmp_path / "a").write_bytes(content)
        with open_input(str(tmp_path / "a")) as file:
            assert recognised(file, "a") == "json"


@pytest.mark.parametrize("ending", ["conllu", "gold_conll"])
def test_sentences_are_those_of_the_whole_file(ending: str) -> None:
    folder = {"conllu": "conllu", "gold_conll": "conll12"}[ending]
    path = FIXTURES / "formats" / folder / f"sample.{ending}"
    with path.open("rb") as file:
        found = list(items_of_file(file, "in", ending))
    expected = read_annotated(path)
    sentences = [read_content(item.content, ending) for item in found]
    if ending == "conllu":
        expected_sentences = [s for s, _ in parse_conllu_roles(read_lines(path), path)]
    else:
        expected_sentences = expected.bare_sentences
    assert sentences == expected_sentences
    lines = path.read_bytes().splitlines()
    for item, located in zip(found, expected.sentences, strict=True):
        # Comments and multiword tokens are parts of the sentence.
        between = lines[item.position - 1 : located.line_numbers[0] - 1]
        assert item.place == f"in:{item.position}"
        assert all(line.startswith((b"#", b"1-")) for line in between)


def test_documents_go_on_and_comments_have_a_sentence() -> None:
    token = b"1\tGo\t_\t_\t_\t_\t_\t_\t_\t_\n"
    content = (
        b"# newdoc id = a\n" + token + b"\n# b\n \n\n" + token + b"\n# newdoc\n" + token + b"# c"
    )
    found = items(content.removesuffix(b"# c"), "conllu")
    read = [read_content(item.content, "conllu").extra for item in found]
    assert [item.position for item in found] == [1, 4, 9]
    assert [extra.get("document") for extra in read] == ["a", "a", None]
    assert read[1]["conllu"] == {"comments": ["# b"]}
    (*_, last) = items(content, "conllu")
    with pytest.raises(ConfigurationError, match="found the comment '# c' within .* in line 11; e"):
        read_content(last.content, "conllu")


@pytest.mark.parametrize(
    "content, ending, message",
    [
        (b"\n# a\n1\tGo\n", "conllu", "found 2 columns in line 3; expected 10 separated by tabs"),
        (
            b"#begin document (a); part 000\na 0 0 Go\n",
            "gold_conll",
            "found 4 columns in line 2; e",
        ),
    ],
)
def test_malformed_sentences_name_the_line(content: bytes, ending: str, message: str) -> None:
    (item,) = items(content, ending)
    with pytest.raises(ConfigurationError, match=f"^{message}"):
        read_content(item.content, ending)


def test_a_long_line_of_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_files, "MOST_BYTES", 10)
    first, second = items(b"1\n" + b"2" * 20 + b"\n\n3\n", "conllu")
    assert "more than 10 bytes" in first.error and not second.error
    assert (first.position, second.position) == (1, 4)
