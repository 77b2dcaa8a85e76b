"""`lisa predict`: what it writes, and where it ends, when lines are bad or a run is interrupted."""

import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.commands import predict as command
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.loading import load_labeller
from tests.commands.in_process import execute, in_process  # noqa: F401

GOOD, REFUSED, BROKEN, BLANK = b'{"tokens": ["Go"]}', b'{"token": ["Go"]}', b'{"tokens":,', b" "
NOT_UTF8 = '{"tokens": ["é"]}'.encode("latin-1")
ANSWER = {"words": ["Go"], "supertags": ["N"]}


def predict(
    model: object, folder: Path, *options: object, lines: bytes = b'{"tokens": ["Stop", "."]}'
) -> List[Any]:
    """The answers to the lines of a file."""
    (folder / "in.jsonl").write_bytes(lines)
    output = folder / "out.jsonl"
    if "--resume" not in options:
        output.unlink(missing_ok=True)
    execute("predict", model, folder / "in.jsonl", "--output-file", output, "--silent", *options)
    return answers(folder)


def answers(folder: Path) -> List[Any]:
    return [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def supertagger(archives: Dict[str, Path]) -> Labeller:
    return load_labeller(archives["ccg_supertagger"])


@pytest.fixture
def opened(supertagger: Labeller, monkeypatch: pytest.MonkeyPatch) -> str:
    """A name under which the command finds the supertagger opened."""
    monkeypatch.setattr(command.options, "open_labeller", lambda *args, **_: supertagger)
    return "model.tar.gz"


@pytest.mark.medium
@settings(max_examples=40, deadline=None)
@given(
    lines=st.lists(st.sampled_from([GOOD, GOOD, REFUSED, BROKEN, BLANK, NOT_UTF8]), max_size=12),
    batch_size=st.integers(1, 13),
    processes=st.sampled_from([1, 1, 1, 2]),
)
def test_all_good_lines_are_answered_in_their_places(
    supertagger: Labeller,
    tmp_path_factory: pytest.TempPathFactory,
    lines: List[bytes],
    batch_size: int,
    processes: int,
) -> None:
    folder = tmp_path_factory.mktemp("predict")
    numbered = [(i, line) for i, line in enumerate(lines, start=1) if line != BLANK]
    bad = [i for i, line in numbered if line != GOOD]
    arguments = ["model", folder, "--batch-size", batch_size, "--processes", processes]

    def error(*options: str) -> Optional[str]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(command.options, "open_labeller", lambda *args, **_: supertagger)
            try:
                predict(*arguments, *options, lines=b"\n".join(lines))
            except ConfigurationError as raised:
                return raised.message
        return None

    found = error("--skip-bad-lines")
    assert [answer.get("line", "good") for answer in answers(folder)] == [
        i if i in bad else "good" for i, _ in numbered
    ]
    assert (found is not None) == bool(bad) and (not bad or f": found {len(bad)} bad line" in found)

    found = error()
    assert answers(folder) == [ANSWER] * len([i for i, _ in numbered if not bad or i < bad[0]])
    assert (found is not None) == bool(bad) and (not bad or f"in.jsonl:{bad[0]}: " in found)


def test_answers_are_there_before_the_next_line_is_given(
    opened: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    output, written = tmp_path / "out.jsonl", []

    class Lines(io.BytesIO):
        def readline(self, size: Optional[int] = -1) -> bytes:
            written.append(output.read_text().count("\n"))
            return super().readline(size)

    standard_input = io.TextIOWrapper(Lines(b"\n".join([GOOD, GOOD, GOOD, BROKEN])))
    monkeypatch.setattr(sys, "stdin", standard_input)
    with pytest.raises(ConfigurationError, match="^<stdin>:4: cannot read"):
        execute("predict", opened, "-", "--output-file", output, "--batch-size", "1")
    assert written == [0, 1, 2, 3]
    # Without --silent, they are printed too.
    assert capsys.readouterr().out == output.read_text() == f"{json.dumps(ANSWER)}\n" * 3


def test_standard_output(opened: str, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    (tmp_path / "in.jsonl.gz").write_bytes(gzip.compress(b"\xef\xbb\xbf" + GOOD + b"\r\n" + GOOD))
    for options in ([], ["--output-file", "-"], ["--output-file", "-", "--silent"]):
        execute("predict", opened, tmp_path / "in.jsonl.gz", *options)
        assert capsys.readouterr() == (f"{json.dumps(ANSWER)}\n" * 2, "")


def test_given_roles(archives: Dict[str, Path], tmp_path: Path) -> None:
    known = {"tokens": ["She", "saw", "him"], "given_roles": [{"index": 1, "sense": "see.01"}]}
    spans = [{"index": 2, "spans": [["ARG1", 0, 1]]}, {"index": 1, "spans": [["O", 0, 0]]}]
    lines = [json.dumps(line) for line in (known, {**known, "given_roles": spans})]
    bad = b'{"tokens": ["Go"], "given_roles": [{"index": 0, "spans": [["A9", 0, 0]]}]}'
    options = [archives["lisa"], tmp_path, "--processes", 2, "--batch-size", 1]
    first, second = predict(*options, lines="\n".join(lines).encode())
    (frame,) = [verb for verb in first["verbs"] if verb["index"] == 1]
    assert (frame["sense"], frame["lemma"]) == ("see.01", "see")
    frames = {verb["index"]: verb for verb in second["verbs"]}
    assert ["ARG1", 0, 1] in frames[2]["spans"] and frames[1]["tags"][0] == "O"
    with pytest.raises(ConfigurationError, match="jsonl:1: `given_roles` of predicate 0: found"):
        predict(*options, lines=bad)


@pytest.mark.medium
def test_sentences_of_a_corpus_before_a_malformed_one(
    archives: Dict[str, Path], tmp_path: Path
) -> None:
    source, output = tmp_path / "corpus.auto", tmp_path / "out.jsonl"
    leaf = "ID=a.{0} PARSER=GOLD NUMPARSE=1\n(<L N NN NN w{0} N>)\n"
    source.write_text("".join(leaf.format(n) for n in range(3)) + "ID=a.3\n(<L N")
    arguments = [archives["ccg_supertagger"], source, "--use-dataset-reader", "--silent"]
    with pytest.raises(ConfigurationError, match=f"^{source}:8: found "):
        execute("predict", *arguments, "--output-file", output, "--batch-size", 2)
    assert [answer["words"] for answer in answers(tmp_path)] == [["w0"], ["w1"], ["w2"]]


LINES = b"\n\n".join(
    json.dumps(line).encode()
    for line in [
        {"id": 1, "tokens": ["Go"]},
        {"token": ["a", "bad", "line"]},
        {"tokens": ["Stop", "."], "note": [0.5, None]},
        {"id": 4, "text": "One. And two."},
        {"tokens": []},
    ]
)


def test_an_interrupted_run_is_continued(opened: str, tmp_path: Path) -> None:
    options = ["--skip-bad-lines", "--batch-size", 2]
    output = tmp_path / "out.jsonl"
    with pytest.raises(ConfigurationError, match="found 1 bad line;"):
        predict(opened, tmp_path, *options, lines=LINES)
    whole = output.read_bytes()
    for length in (0, 10, whole.index(b"\n") + 1, len(whole) // 2, len(whole)):
        output.write_bytes(whole[:length])
        try:
            predict(opened, tmp_path, *options, "--resume", lines=LINES)
        except ConfigurationError:
            # The bad line comes again.
            assert whole[:length].count(b"\n") < 2
        assert output.read_bytes() == whole
    output.unlink()
    with pytest.raises(ConfigurationError, match="found 1 bad line;"):
        predict(opened, tmp_path, *options, "--resume", lines=LINES)
    assert output.read_bytes() == whole


@pytest.mark.parametrize(
    "options, message",
    [
        (["--predictor-args", '{"max_token": 3}'], "max_token: found an option that the labeller "),
        (["--predictor-args", '{"device": 1}'], "--predictor-args: found `device`; expected it as"),
        (["--predictor-args", '{"output_format": []}'], r"output_format is '\[\]'; expected one"),
        (
            ["--skip-bad-lines", "--predictor-args", '{"output_format": "conllu"}'],
            "--skip-bad-lines: found the output_format 'conllu'; expected 'json'",
        ),
        (["--resume", "--output-file", "-"], "--resume: found no --output-file"),
    ],
)
def test_options_that_cannot_be(
    archives: Dict[str, Path], tmp_path: Path, options: List[str], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        predict(archives["lisa"], tmp_path, *options)


@pytest.mark.parametrize(
    "name, options, expected",
    [
        ("in.txt", [], [["Go", "On"]]),
        ("in.txt", ["--input-format", "lines"], [["Go"], ["On"]]),
        ("in", ["--input-format", "text"], [["Go", "On"]]),
    ],
)
def test_plain_text(
    opened: str, tmp_path: Path, name: str, options: List[str], expected: List
) -> None:
    source, output = tmp_path / name, tmp_path / "out.jsonl"
    source.write_text("Go\n\nOn\n")
    execute("predict", opened, source, "--silent", "--output-file", output, *options)
    documents = answers(tmp_path)
    found = [[s["words"][0] for s in document["sentences"]] for document in documents]
    assert found == expected


def test_json_is_not_labelled_as_text(opened: str, tmp_path: Path) -> None:
    source = tmp_path / "in.txt"
    source.write_bytes(GOOD)
    with pytest.raises(ConfigurationError, match="in.txt: found JSON in a file .* --input-format"):
        execute("predict", opened, source)
