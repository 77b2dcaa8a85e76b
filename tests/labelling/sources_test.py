import bz2
import csv
import gzip
import io
import json
import lzma
import sys
from pathlib import Path
from typing import Any, List, Optional

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lisa_allennlp
from lisa_allennlp.apps.serve.corpus import read_corpus
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.formats.columns import read_lines
from lisa_allennlp.formats.conllu import parse_conllu_roles
from lisa_allennlp.labelling.groups import Item
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.loading import load_labeller
from lisa_allennlp.labelling.sources import Source, open_source, read_sentences
from tests import FIXTURES
from tests.apps.annotate.corpora import rows as annotated_rows
from tests.commands.in_process import execute, in_process  # noqa: F401

MOST_BYTES = "lisa_allennlp.formats.columns.MOST_BYTES"


def items(content: bytes, input_format: str, text_column: Optional[str] = None) -> List[Item]:
    file = io.BytesIO(content)
    return [*Source(file, "in", input_format, text_column, input_format == "text").items()]


def contents(path: Path, *options: Optional[str]) -> List[Any]:
    with open_source(str(path), *options) as source:
        return [content for _, content in source.inputs()]


@pytest.mark.parametrize(
    "name, content, expected",
    [
        ("a.txt.gz", b"# 1", "text"),
        ("a.conllu.xz", b"", "conllu"),
        ("a.csv", b"text\n", "csv"),
        ("a.json", b"not read", "json"),
        ("a", b'\xef\xbb\xbf { "sentence": "# 1"}\n', "json"),
        ("a", b"{\n", "json"),
        ("a", b"# 1\n", "text"),
        ("a", b"1\tGo\n", "text"),
        ("-", b"One.\n", "lines"),
        ("-", gzip.compress(b'{"text": ""}', mtime=0), "json"),
    ],
)
def test_the_name_or_the_content_tells_the_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes, expected: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with open(tmp_path / name) as file:
        monkeypatch.setattr(sys, "stdin", file)
        path = name if name == "-" else str(tmp_path / name)
        with open_source(path) as source:
            assert source.format == expected
        with open_source(path, "lines") as source:
            assert source.format == "lines"


def test_sentences_as_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    for argument, expected in (
        ("One.\n\nTwo.", {"text": "One.\n\nTwo."}),
        ("", {"text": ""}),
        ("docs", {"text": "docs"}),
        ("I read a.txt.", {"text": "I read a.txt."}),
        ('{"tokens":\n["Go"]}', {"tokens": ["Go"]}),
    ):
        with open_source(argument, sentence="sentence 7") as source:
            assert list(source.inputs()) == [("sentence 7", expected)]
    with pytest.raises(ConfigurationError, match="^found no file my a.txt; expected a file or a s"):
        with open_source("my a.txt", sentence="sentence 1"):
            pass


def test_lines_and_texts() -> None:
    content = b"One.\r\n \n\xc3\xa9 two"
    lines = items(content, "lines")
    assert [(item.place, item.position) for item in lines] == [("in:1", 1), ("in:3", 3)]
    assert [item.content.read() for item in lines] == [{"text": "One."}, {"text": "é two"}]
    read = [item.content.read() for item in items(content, "sentences")]
    assert read == [{"sentence": "One."}, {"sentence": "é two"}]
    (whole,) = items(b"\xef\xbb\xbf" + content, "text")
    assert (whole.place, whole.content.read()) == ("in", {"text": "One.\r\n \né two"})
    assert items(b'{"tokens": []}', "json")[0].content.read() == {"tokens": []}
    assert items(b"", "text")[0].content.read() == {"text": ""}


@pytest.mark.parametrize("length", [8, 9, 16, 17])
def test_lines_that_are_too_long(monkeypatch: pytest.MonkeyPatch, length: int) -> None:
    monkeypatch.setattr(MOST_BYTES, 8)
    long = b"a" * (length - 1) + b"\n"
    one, middle, two, last = items(b"One.\n" + long + b"Two.\n" + long[:-1], "lines")
    assert [(item.place, item.content.content) for item in (one, two)] == [
        ("in:1", b"One.\n"),
        ("in:3", b"Two.\n"),
    ]
    for item, size in ((middle, length), (last, length - 1)):
        assert bool(item.error) == (item.content is None) == (size > 8)
    if length > 8:
        assert middle.error == "found a line of more than 8 bytes; expected shorter ones"
        assert middle.place == "in:2"


def test_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"a \xe9")
    with pytest.raises(ConfigurationError, match="a.txt: found byte 0xe9 at byte 3; expected UTF"):
        contents(path)
    path.write_bytes(b'\n{"sentence": "a"}')
    with pytest.raises(ConfigurationError, match="a.txt: found JSON .*--input-format json"):
        contents(path)
    assert contents(path, "text") == [{"text": '\n{"sentence": "a"}'}]
    path = path.rename(tmp_path / "a.props")
    path.write_text("- (A0*)\nsold (V*)\n")
    with pytest.raises(ConfigurationError, match="a.props: found the format props; expected one"):
        contents(path)
    monkeypatch.setattr("lisa_allennlp.labelling.requests.MOST_CHARACTERS", 5)
    (item,) = items(b"a" * 100, "text")
    assert len(item.content.content) == 24
    with pytest.raises(ConfigurationError, match="found a document of more than 5 characters"):
        item.content.read()


@pytest.mark.parametrize("ending, module", [("gz", gzip), ("bz2", bz2), ("xz", lzma)])
def test_compressed_files(tmp_path: Path, ending: str, module: Any) -> None:
    path = tmp_path / f"in.{ending}"
    for content, expected in ((b"", 0), (b"One.\nTwo.\n" * 1000, 2000)):
        path.write_bytes(module.compress(content))
        assert len(contents(path, "lines")) == expected
    whole = path.read_bytes()
    for damaged in (whole[:-20], whole[:20] + bytes(20) + whole[40:]):
        path.write_bytes(damaged)
        with pytest.raises(ConfigurationError, match=f"in.{ending}: found damaged data"):
            contents(path, "lines")
        with pytest.raises(ConfigurationError, match=rf"in.{ending}:\d+: found damaged data"):
            list(read_lines(path))


CORPORA = pytest.mark.parametrize(
    "path",
    [
        FIXTURES / "formats/conllu/sample.conllu",
        FIXTURES / "formats/conll12/sample.gold_conll",
        FIXTURES / "formats/conll05/sample.conll",
    ],
    ids=lambda path: path.name,
)


@CORPORA
def test_sentences_are_those_of_the_whole_file(path: Path, tmp_path: Path) -> None:
    ending = {".conll": "conll05"}.get(path.suffix, path.suffix[1:])
    expected = read_annotated(path)
    whole = expected.bare_sentences
    if ending == "conllu":
        whole = [sentence for sentence, _ in parse_conllu_roles(read_lines(path), path)]
    found = items(path.read_bytes(), ending)
    assert [item.content.read() for item in found] == whole
    # The content tells the format.
    for name, content in (("a", path.read_bytes()), ("b.gz", gzip.compress(path.read_bytes()))):
        (tmp_path / name).write_bytes(content)
        assert contents(tmp_path / name) == whole
    lines = path.read_bytes().splitlines()
    for item, located in zip(found, expected.sentences, strict=True):
        # Comments and multiword tokens are parts of the sentence.
        between = lines[item.position - 1 : located.line_numbers[0] - 1]
        assert item.place == f"in:{item.position}"
        assert all(line.startswith((b"#", b"1-")) for line in between)


def test_a_word_per_line(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"<s>\nShe\nleft\n.\n</s>\n\n\xef\xbb\xbfHe\nstayed")
    expected = [{"tokens": ["She", "left", "."]}, {"tokens": ["He", "stayed"]}]
    assert contents(path) == contents(path, "vertical") == expected
    assert [s.words for s in read_sentences(str(path))] == [e["tokens"] for e in expected]
    path.write_text("EU NNP B-ORG\nrejects VBZ O\n")
    with pytest.raises(ConfigurationError, match="a.txt: found a table of words"):
        contents(path)
    assert contents(path, "vertical") == [{"tokens": ["EU", "rejects"]}]


def test_documents_go_on_and_comments_have_a_sentence() -> None:
    token = b"1\tGo\t_\t_\t_\t_\t_\t_\t_\t_\n"
    content = (
        b"# newdoc id = a\n" + token + b"\n# b\n \n\n" + token + b"\n# newdoc\n" + token + b"# c"
    )
    found = items(content.removesuffix(b"# c"), "conllu")
    read = [item.content.read().extra for item in found]
    assert [item.position for item in found] == [1, 4, 9]
    assert [extra.get("document") for extra in read] == ["a", "a", None]
    assert read[1]["conllu"] == {"comments": ["# b"]}
    (*_, last) = items(content, "conllu")
    with pytest.raises(ConfigurationError, match="found the comment '# c' within .* in line 11; e"):
        last.content.read()


def test_a_long_line_of_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MOST_BYTES, 10)
    first, second = items(b"1\n" + b"2" * 20 + b"\n\n3\n", "conllu")
    assert "more than 10 bytes" in first.error and not second.error
    assert (first.position, second.position) == (1, 4)


CELLS = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(",;\t\"'\r\n #é"))


@given(
    table=st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(CELLS, min_size=n, max_size=n))),
    delimiter=st.sampled_from(",;\t"),
    # With other line ends, older versions of Python leave carriage returns without quotes.
    style=st.sampled_from([(csv.QUOTE_MINIMAL, "\r\n"), (csv.QUOTE_ALL, "\n")]),
    mark=st.sampled_from(["", "\ufeff"]),
    data=st.data(),
)
def test_what_csv_writes_is_read(
    table: Any, delimiter: str, style: Any, mark: str, data: st.DataObject
) -> None:
    names = ["text", "a b", "é", "id"][: len(table[0]) if table else 2]
    file = io.StringIO()
    quoting, end = style
    writer = csv.writer(file, delimiter=delimiter, quoting=quoting, lineterminator=end)
    writer.writerows([names, *table])
    content = (mark + file.getvalue()).encode()
    input_format = "tsv" if delimiter == "\t" else "csv"
    if len(names) == 1 and delimiter == ";":
        # Its first line does not tell.
        return

    def source() -> Source:
        return Source(io.BytesIO(content), "in", input_format, None, False)

    expected = [dict(zip(names, row, strict=True)) for row in table]
    found = list(source().items())
    assert [item.content.read() for item in found] == expected
    for item in found:
        assert content[: item.offset].count(b"\n") == item.position - 1
    # From any row on, too.
    if found:
        start = data.draw(st.integers(0, len(found) - 1))
        offset, number = found[start].offset, found[start].position
        assert list(source().items(offset, number)) == found[start:]


@pytest.mark.parametrize(
    "content, column, message",
    [
        (b"", None, "in:1: found an empty file; expected"),
        (b"a,b\n", None, "in: found the columns a, b; expected .*`text` among them, or --text"),
        (b"text,a,a\n", None, "in: found the columns text, a, a; expected different ones"),
        (b'text,a\n1,"\n"\n\nx\n', None, "in:5: found 1 values; expected 2, as in the first line"),
        (b'text\n"a"b\n', None, "in:2: found a row that cannot be read .*expected CSV as in RFC 4"),
        (b"text\na\xe9\n", None, r"in:2: found b'a\\xe9'; expected UTF-8"),
    ],
)
def test_errors_of_tables(content: bytes, column: Optional[str], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        list(Source(io.BytesIO(content), "in", "csv", column, False).inputs())


def test_rows_after_a_bad_one_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    found = items(b'text\n"a"b\n\xff\nc\n', "csv")
    assert [bool(item.error) for item in found] == [True, True, False]
    assert found[-1].content.read() == {"text": "c"}
    monkeypatch.setattr(MOST_BYTES, 8)
    with pytest.raises(ConfigurationError, match="in:2: found a line of more than 8 bytes"):
        items(b"text\n123456789\nc\n", "csv")


def test_the_column_of_the_text(tmp_path: Path) -> None:
    (only,) = items(b"body\nRain.\n", "csv")
    assert only.content.read() == {"text": "Rain."}
    (named,) = items(b"text,body,words\n1,Rain.,2\n", "csv", "body")
    assert named.content.read() == {"text": "Rain.", "words": "2"}
    good, bad = items(b'{"text": 3, "body": "Rain.", "k": 1}\n{"k": 1}', "json", "body")
    assert good.content.read() == {"text": "Rain.", "k": 1}
    with pytest.raises(ConfigurationError, match="expected the column `body`"):
        bad.content.read()


@pytest.fixture(scope="module")
def labeller() -> Labeller:
    return load_labeller("english-fast")


TEXTS = ["She sold him the car. He was glad.", 'It rained, and "we" left.']


@pytest.mark.medium
@pytest.mark.parametrize("name", ["a", "a.conllu", "a.parquet"])
def test_the_same_input_through_each_command(
    tmp_path: Path,
    capsys: pytest.CaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    labeller: Labeller,
    name: str,
) -> None:
    path = tmp_path / name
    write(path, labeller)
    execute("predict", "english-fast", path, "--output-file", tmp_path / "predicted.jsonl")
    answers = [json.loads(line) for line in (tmp_path / "predicted.jsonl").open()]
    expected = [s["words"] for answer in answers for s in answer.get("sentences", [answer])]
    assert expected == [s.words for text in TEXTS for s in labeller.document(text)]
    out = tmp_path / "out"
    execute("annotate", path, "--output", out, "--model", "english-fast", "--processes", 1)
    found = [s["words"] for row in annotated_rows(out) for s in row.get("sentences", [row])]
    assert found == expected
    assert [s.words for s in lisa_allennlp.read(path)] == expected
    assert [entry.start.words for entry in read_corpus([str(path)], labeller, 256)] == expected
    capsys.readouterr()
    for command in ("label", "show"):
        execute(command, "english-fast", path)
        lines = capsys.readouterr().out.splitlines()
        words = [line.split() for line in lines if line[:2] == "1 "]
        assert all(s[0] in line for s, line in zip(expected, words, strict=True))


def write(path: Path, labeller: Labeller) -> None:
    """Writes the texts as the name of the file says."""
    if path.suffix == ".conllu":
        path.write_text("".join(s.to_conllu() for text in TEXTS for s in labeller.document(text)))
    elif path.suffix == ".parquet":
        arrow = pytest.importorskip("pyarrow", reason="the extra parquet is missing")
        pytest.importorskip("pyarrow.parquet").write_table(arrow.table({"text": TEXTS}), path)
    else:
        path.write_text("\n\n".join(TEXTS))


def test_tables_are_read_as_pandas_reads_them(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    rows = {
        "text": ['It rained,\nand "we" left.', "", "Ünd"],
        "n": [1.5, 2.0, 3.0],
        "k": ["", "a;", "b\t"],
    }
    frame = pandas.DataFrame(rows)
    for name, options in (("a.csv", {}), ("b.csv", {"sep": ";"}), ("c.tsv", {"sep": "\t"})):
        frame.to_csv(tmp_path / name, index=False, **options)
        read = pandas.read_csv(tmp_path / name, dtype=str, keep_default_na=False, **options)
        assert contents(tmp_path / name) == read.to_dict("records")
