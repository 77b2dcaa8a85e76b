import bz2
import gzip
import io
import lzma
from pathlib import Path
from typing import Any, List

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.annotated_files import read_annotated
from lisa_allennlp.data.formats.columns import read_lines
from lisa_allennlp.data.formats.conllu import parse_conllu_roles
from lisa_allennlp.labelling import input_files
from lisa_allennlp.labelling.groups import Item
from lisa_allennlp.labelling.input_files import (
    check_is_not_json,
    items_of_file,
    open_input,
    read_content,
    recognised,
)
from tests import FIXTURES


def items(content: bytes, input_format: str) -> List[Item]:
    return list(items_of_file(io.BytesIO(content), "in", input_format))


@pytest.mark.parametrize(
    "name, expected",
    [
        ("a.txt.gz", "text"),
        ("<stdin>", "json"),
        ("a.conllu.xz", "conllu"),
        ("a.v4_gold_conll", "gold_conll"),
        ("a.parquet", "parquet"),
        ("a.props", "json"),
    ],
)
def test_the_name_tells_the_format(name: str, expected: str) -> None:
    assert recognised(io.BytesIO(), name) == expected
    assert recognised(io.BytesIO(), name, "lines") == "lines"


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


@pytest.mark.parametrize("length", [8, 9, 16, 17])
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
    with pytest.raises(ConfigurationError, match="--input-format json"):
        check_is_not_json(b'\n{"sentence": "a"}')
    check_is_not_json(b"{a set}")
    monkeypatch.setattr(input_files, "MOST_CHARACTERS", 5)
    (item,) = items(b"a" * 100, "text")
    assert len(item.content) == 21
    monkeypatch.setattr("lisa_allennlp.labelling.requests.MOST_CHARACTERS", 5)
    with pytest.raises(ConfigurationError, match="found a document of more than 5 characters"):
        read_content(item.content, "text")


@pytest.mark.parametrize("ending, module", [("gz", gzip), ("bz2", bz2), ("xz", lzma)])
def test_compressed_files(tmp_path: Path, ending: str, module: Any) -> None:
    path = tmp_path / f"in.{ending}"
    path.write_bytes(module.compress(b"One.\nTwo.\n" * 1000))
    with open_input(str(path)) as file:
        assert len(list(items_of_file(file, "in", "lines"))) == 2000
    path.write_bytes(path.read_bytes()[:-20])
    with open_input(str(path)) as file:
        *_, last = items_of_file(file, "in", "lines")
    assert last.content is None and last.error.startswith("damaged data")


CORPORA = pytest.mark.parametrize(
    "path",
    [FIXTURES / "formats/conllu/sample.conllu", FIXTURES / "formats/conll12/sample.gold_conll"],
    ids=lambda path: path.name,
)


@CORPORA
def test_the_content_tells_the_format(path: Path, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(path.read_bytes())
    (tmp_path / "a.gz").write_bytes(gzip.compress(path.read_bytes()))
    for name in ("a", "a.gz"):
        with open_input(str(tmp_path / name)) as file:
            assert recognised(file, name) == path.suffix[1:]
            # Nothing of it is gone.
            assert file.read() == path.read_bytes()
    for content in (b'{"sentence": "# 1"}\n', b"# 1\n", b"", b"1\tGo\n"):
        (tmp_path / "a").write_bytes(content)
        with open_input(str(tmp_path / "a")) as file:
            assert recognised(file, "a") == "json"


@CORPORA
def test_sentences_are_those_of_the_whole_file(path: Path) -> None:
    ending = path.suffix[1:]
    with path.open("rb") as file:
        found = list(items_of_file(file, "in", ending))
    expected = read_annotated(path)
    whole = expected.bare_sentences
    if ending == "conllu":
        whole = [sentence for sentence, _ in parse_conllu_roles(read_lines(path), path)]
    assert [read_content(item.content, ending) for item in found] == whole
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


def test_a_long_line_of_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_files, "MOST_BYTES", 10)
    first, second = items(b"1\n" + b"2" * 20 + b"\n\n3\n", "conllu")
    assert "more than 10 bytes" in first.error and not second.error
    assert (first.position, second.position) == (1, 4)
