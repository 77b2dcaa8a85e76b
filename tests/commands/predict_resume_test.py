"""`predict --resume`: the output of an interrupted run becomes that of an uninterrupted one."""

import json
import multiprocessing
import os
import signal
import time
from pathlib import Path
from typing import Any, Dict, List

import pytest
from allennlp.common.checks import ConfigurationError
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.commands.predict import LisaPredict, Prediction, Writer
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.loading import load_labeller
from lisa_allennlp.labelling.writing import to_json
from tests.commands.predict_test import parse

LINES = [
    {"id": 1, "tokens": ["Go"]},
    {"sentence": "They've said no more than that."},
    {"token": ["a", "bad", "line"]},
    {"tokens": ["Stop", ",", "please", "."], "note": [0.5, None]},
    {"id": 5, "text": "One. And two."},
    {"tokens": []},
    {"id": 7, "tokens": ["Go", "on"]},
]


@pytest.fixture(scope="module")
def lisa(archives: Dict[str, Path]) -> Labeller:
    return load_labeller(archives["lisa"])


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("resume") / "in.jsonl"
    path.write_text("\n\n".join(map(json.dumps, LINES)))
    return path


def predict(labeller: Labeller, source: Path, output: Path, *options: str) -> int:
    files = ("model.tar.gz", str(source), "--silent", "--output-file", str(output))
    args = parse(LisaPredict(), *files, *options)
    return Prediction(args, labeller, Writer(to_json, True)).run()


OPTIONS = ("--skip-bad-lines", "--batch-size", "3")


@pytest.fixture(scope="module")
def whole(lisa: Labeller, source: Path) -> bytes:
    output = source.with_name("whole.jsonl")
    assert predict(lisa, source, output, *OPTIONS) == 1
    return output.read_bytes()


@pytest.fixture(scope="module")
def whole_of_two(lisa: Labeller, source: Path) -> bytes:
    """Of two processes, whose numbers may differ in the last digits from those of two threads."""
    output = source.with_name("whole_of_two.jsonl")
    assert predict(lisa, source, output, *OPTIONS, "--processes", "2") == 1
    return output.read_bytes()


@pytest.mark.medium
@settings(max_examples=30, deadline=None)
@given(data=st.data(), processes=st.sampled_from([1, 1, 1, 2]))
def test_a_part_of_any_length_is_completed(
    lisa: Labeller, source: Path, whole: bytes, whole_of_two: bytes, data: Any, processes: int
) -> None:
    whole = whole_of_two if processes == 2 else whole
    # At the ends of lines and anywhere in them.
    ends = [0, *(n + 1 for n, byte in enumerate(whole) if byte == ord("\n"))]
    length = data.draw(st.one_of(st.sampled_from(ends), st.integers(0, len(whole))))
    output = source.with_name("part.jsonl")
    output.write_bytes(whole[:length])
    bad = predict(lisa, source, output, *OPTIONS, "--resume", "--processes", str(processes))
    assert bad == 1
    assert output.read_bytes() == whole


def test_there_may_be_no_output_yet(lisa: Labeller, source: Path, whole: bytes) -> None:
    output = source.with_name("new.jsonl")
    predict(lisa, source, output, *OPTIONS, "--resume")
    assert output.read_bytes() == whole


def test_after_a_bad_line_its_record_and_the_others_follow(
    lisa: Labeller, source: Path, whole: bytes
) -> None:
    output = source.with_name("stopped.jsonl")
    with pytest.raises(ConfigurationError, match="in.jsonl:5: the input: found"):
        predict(lisa, source, output, "--batch-size", "3")
    assert output.read_bytes().count(b"\n") == 2
    predict(lisa, source, output, *OPTIONS, "--resume")
    assert output.read_bytes() == whole


@pytest.mark.medium
@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_killed_run_is_continued(lisa: Labeller, tmp_path: Path, processes: str) -> None:
    words = "Stop , please , and tell them that we have said no more".split()
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    lines = (json.dumps({"tokens": words[: 1 + n % len(words)], "id": n}) for n in range(400))
    source.write_text("\n".join(lines))
    options = ("--batch-size", "8", "--processes", processes)
    # A fork of this process is a run that needs no time to begin.
    run = multiprocessing.get_context("fork").Process(
        target=predict, args=(lisa, source, output, *options)
    )
    run.start()
    deadline = time.monotonic() + 60
    while not (output.exists() and output.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.005)
    assert run.pid is not None
    os.kill(run.pid, signal.SIGKILL)
    run.join()
    part = output.read_bytes()
    predict(lisa, source, output, *options, "--resume")
    predict(lisa, source, tmp_path / "whole.jsonl", *options)
    expected = (tmp_path / "whole.jsonl").read_bytes()
    assert 0 < len(part) < len(expected)
    assert output.read_bytes() == expected


def changed(whole: bytes, number: int, **changes: Any) -> bytes:
    lines = whole.splitlines(keepends=True)
    lines[number] = json.dumps({**json.loads(lines[number]), **changes}).encode() + b"\n"
    return b"".join(lines)


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda whole: b"notes\n", "1: found b'notes\\\\n'; expected the answer to .*in.jsonl:1$"),
        (lambda whole: b"[]\n", "1: found b'\\[\\]"),
        (lambda whole: changed(whole, 0, id=2), "1: found .*; expected the answer to .*:1$"),
        (lambda whole: changed(whole, 1, words=["No"]), "2: found .*; expected the answer to .*:3"),
        (lambda whole: changed(whole, 2, line=4), "3: found .*; expected the answer to .*:5$"),
        (lambda whole: whole[whole.index(b"\n") + 1 :], "1: found .*; expected the answer to"),
        (lambda whole: whole * 2, " found more than 7 answers; expected one per input"),
        (lambda whole: changed(whole, 6, pos=["XX", "XX"]), "7: found another answer than this"),
    ],
)
def test_other_answers_are_refused_and_kept(
    lisa: Labeller, source: Path, whole: bytes, change: Any, message: str
) -> None:
    output = source.with_name("other.jsonl")
    output.write_bytes(change(whole))
    with pytest.raises(ConfigurationError, match=f"^--resume: {output}:{message}"):
        predict(lisa, source, output, *OPTIONS, "--resume")
    assert output.read_bytes() == change(whole)


@pytest.mark.medium
def test_sentences_of_a_corpus(archives: Dict[str, Path], tmp_path: Path) -> None:
    source, output = tmp_path / "corpus.auto", tmp_path / "out.jsonl"
    leaf = "ID=a.{0} PARSER=GOLD NUMPARSE=1\n(<L N NN NN w{0} N>)\n"
    source.write_text("".join(leaf.format(n) for n in range(9)))
    files = [str(archives["ccg_supertagger"]), str(source), "--output-file", str(output)]
    files += ["--use-dataset-reader", "--silent", "--batch-size", "2"]
    args = parse(LisaPredict(), *files)
    args.func(args)
    whole = output.read_bytes()
    output.write_bytes(whole[: len(whole) // 2])
    args = parse(LisaPredict(), *files, "--resume")
    args.func(args)
    assert output.read_bytes() == whole
    output.write_bytes(whole.replace(b"w0", b"v0"))
    with pytest.raises(ConfigurationError, match="out.jsonl:1: .* answer to .*: sentence 1$"):
        args.func(args)


@pytest.mark.parametrize(
    "options, message",
    [
        (["--force"], "--resume: found --force too; expected one of them"),
        (["--output-file", "/dev/stdout"], "--resume: found /dev/stdout; expected a file to"),
        (["--output-file", ""], "--resume: found no --output-file; expected a file to continue"),
        (
            ["--predictor-args", '{"output_format": "conllu"}'],
            "--resume: found another output_format; expected 'json', which has an answer per line",
        ),
    ],
)
def test_what_cannot_be_resumed(
    archives: Dict[str, Path], source: Path, options: List[str], message: str
) -> None:
    output = str(source.with_name("out.jsonl"))
    files = [str(archives["lisa"]), str(source), "--output-file", output, "--resume"]
    args = parse(LisaPredict(), *files, *options)
    with pytest.raises(ConfigurationError, match=message):
        args.func(args)
