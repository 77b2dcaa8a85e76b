"""Rows of files, from any place in them, against a plain reading."""

import gzip
import io
import os
from pathlib import Path
from typing import List

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.apps.annotate.inputs import find_inputs, read_rows, row_starts
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats.conllu import parse_conllu_roles

LINES = st.lists(st.sampled_from([b"Rain.", b"", b" ", "Grüße".encode(), b"\xff", b"Snow\r"]))


@given(LINES, st.booleans(), st.booleans(), st.data())
def test_rows_from_any_place(
    tmp_path_factory: pytest.TempPathFactory,
    lines: List[bytes],
    compressed: bool,
    ends: bool,
    data: st.DataObject,
) -> None:
    path = tmp_path_factory.mktemp("rows") / ("a.jsonl.gz" if compressed else "a.jsonl")
    content = b"\n".join(lines) + b"\n" * ends
    path.write_bytes(gzip.compress(content) if compressed else content)
    (file,) = find_inputs([str(path)])
    expected = [(n, line) for n, line in enumerate(lines, start=1) if line.strip()]
    starts = list(row_starts(file))
    assert [number for _, number in starts] == [n for n, _ in expected]
    if not starts:
        return
    first = data.draw(st.integers(0, len(starts) - 1))
    number = data.draw(st.integers(1, len(starts) - first))
    found = read_rows(file, *starts[first], number)
    chosen = expected[first : first + number]
    assert [(i.position, i.content.content.rstrip(b"\n")) for i in found] == chosen


TOKEN = "1\tGo\t_\t_\t_\t_\t_\t_\t_\t_"
GOLD = "d 0 0 Go VB * - - - - * -"


@given(
    st.lists(st.sampled_from([TOKEN, "", "", "# newdoc id = a", "# b"]), min_size=1),
    st.booleans(),
    st.data(),
)
def test_sentences_from_any_place(
    tmp_path_factory: pytest.TempPathFactory,
    lines: List[str],
    compressed: bool,
    data: st.DataObject,
) -> None:
    # A sentence has one token, and its comments are above it.
    text = "".join(f"{line}\n" + "\n" * (line == TOKEN) for line in lines)
    path = tmp_path_factory.mktemp("rows") / ("a.conllu.gz" if compressed else "a.conllu")
    path.write_bytes(gzip.compress(text.encode()) if compressed else text.encode())
    (file,) = find_inputs([str(path)])
    starts = list(row_starts(file))
    assert len(starts) == lines.count(TOKEN)
    if not starts:
        return
    expected = [sentence for sentence, _ in parse_conllu_roles(io.StringIO(text), path)]
    first = data.draw(st.integers(0, len(starts) - 1))
    number = data.draw(st.integers(1, len(starts) - first))
    found = list(read_rows(file, *starts[first], number))
    assert [item.position for item in found] == [n for _, n in starts[first : first + number]]
    read = [item.content.read() for item in found]
    assert read == expected[first : first + number]


def test_documents_of_gold_conll(tmp_path: Path) -> None:
    document = f"#begin document (d); part 000\n{GOLD}\n\n{GOLD}\n#end document\n"
    (tmp_path / "a.gold_conll").write_text(2 * document)
    (file,) = find_inputs([str(tmp_path / "a.gold_conll")])
    starts = list(row_starts(file))
    assert [number for _, number in starts] == [2, 4, 7, 9]
    (item,) = read_rows(file, *starts[2], 1)
    sentence = item.content.read()
    assert (sentence.words, sentence.extra) == (["Go"], {"document": "d"})


def test_folders_and_formats(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    with pytest.raises(ConfigurationError, match="found no file in the folder"):
        find_inputs([str(tmp_path / "b")])
    for name in ("b/2.txt.gz", "b/1.jsonl", "a.conllu"):
        (tmp_path / name).touch()
    found = find_inputs([str(tmp_path / "b"), str(tmp_path / "a.conllu")])
    names = [str(Path(file.path).relative_to(tmp_path)) for file in found]
    assert names == ["b/1.jsonl", "b/2.txt.gz", "a.conllu"]
    assert [file.format for file in found] == ["json", "text", "conllu"]
    (tmp_path / "c.txt").write_text("Rain.\nSnow.\n")
    for chosen, starts in ((None, [(0, 1)]), ("lines", [(0, 1), (6, 2)])):
        assert list(row_starts(find_inputs([str(tmp_path / "c.txt")], chosen)[0])) == starts


def test_a_file_that_changes_in_place_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("1\n2\n3\n")
    (file,) = find_inputs([str(path)])
    rows = read_rows(file, 0, 1, 3)
    assert next(rows).content.content == b"1\n"
    os.utime(path, ns=(1, 1))
    with pytest.raises(ConfigurationError, match="a.jsonl: found a file that was changed"):
        list(rows)
    with pytest.raises(ConfigurationError, match="a.jsonl: found a file that was changed"):
        list(read_rows(file, 0, 1, 1))
