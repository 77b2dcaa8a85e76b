"""`lisa predict`: what it writes, and where it ends, when lines are bad or a run is interrupted."""

import bz2
import gzip
import io
import json
import re
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
    (folder / "in.jsonl").write_bytes(lines)
    output = folder / "out.jsonl"
    if "--resume" not in options:
        output.unlink(missing_ok=True)
    execute("predict", model, folder / "in.jsonl", "--output-file", output, *options)
    return answers(folder)


def answers(folder: Path) -> List[Any]:
    if not (folder / "out.jsonl").exists():
        return []
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
@settings(max_examples=10)
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
            written.append(output.read_text().count("\n") if output.exists() else 0)
            return super().readline(size)

        def peek(self, size: int) -> bytes:
            return GOOD

    standard_input = io.TextIOWrapper(Lines(b"\n".join([GOOD, GOOD, GOOD, BROKEN])))
    monkeypatch.setattr(sys, "stdin", standard_input)
    with pytest.raises(ConfigurationError, match="^<stdin>:4: cannot read"):
        execute("predict", opened, "-", "--output-file", output, "--batch-size", "1")
    assert written == [0, 1, 2, 3]
    assert output.read_text() == f"{json.dumps(ANSWER)}\n" * 3
    assert capsys.readouterr().out == ""


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


CONLLU = """\
# newdoc id = d
# sent_id = d-1
1-2	Don't	_	_	_	_	_	_	_	_
1	Do	do	AUX	VB	Mood=Imp	3	aux	_	_
2	n't	not	PART	RB	_	3	advmod	_	_
3	go	go	VERB	VB	_	0	root	_	SpaceAfter=No
4	.	.	PUNCT	.	_	3	punct	_	_

# sent_id = d-2
1	She	she	PRON	PRP	Case=Nom	2	nsubj	_	_
2	slept	sleep	VERB	VBD	_	0	root	_	UP:PRED=sleep.99

"""


def test_a_treebank_gets_roles_and_stays_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    source, output = tmp_path / "in.conllu", tmp_path / "out.conllu"
    source.write_text(CONLLU)
    for processes in (1, 2):
        arguments = [source, "--output-file", output, "--force", "--processes", processes]
        execute("predict", "english-fast", *arguments)
        assert capsys.readouterr() == ("", "")
        found = output.read_text()
        assert re.sub(r"(_|\|?UP:\S+)$", "", found, flags=re.M) == re.sub(
            r"(_|\|?UP:\S+)$", "", CONLLU, flags=re.M
        )
        assert "SpaceAfter=No|UP:PRED=go." in found and "UP:PRED=sleep.01" in found
    # The content tells the format, and JSON has it all, too.
    (tmp_path / "in.jsonl").write_text("")
    (tmp_path / "copy").write_text(CONLLU)
    execute("predict", "english-fast", tmp_path / "copy", "--output-file", tmp_path / "o.jsonl")
    capsys.readouterr()
    execute("convert", tmp_path / "o.jsonl", "-", "--to", "conllu")
    assert capsys.readouterr().out == found


def test_a_run_that_fails_at_once_leaves_the_output_as_it_is(opened: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="in.jsonl:1: "):
        predict(opened, tmp_path, lines=BROKEN)
    assert not (tmp_path / "out.jsonl").exists()
    (tmp_path / "out.jsonl").write_text("older")
    arguments = [tmp_path / "in.jsonl", "--output-file", tmp_path / "out.jsonl"]
    with pytest.raises(ConfigurationError, match="in.jsonl:1: "):
        execute("predict", opened, *arguments, "--force")
    assert (tmp_path / "out.jsonl").read_text() == "older"
    # No input is no fault.
    assert predict(opened, tmp_path, lines=b"") == [] and (tmp_path / "out.jsonl").exists()


def test_an_output_is_compressed_if_its_name_says_so(tmp_path: Path) -> None:
    plain, zipped = tmp_path / "a.jsonl", tmp_path / "b.jsonl.gz"
    for path in (plain, zipped):
        execute("predict", "english-fast", "She left. He stayed.", "--output-file", path)
    assert gzip.decompress(zipped.read_bytes()) == plain.read_bytes()
    execute("convert", zipped, tmp_path / "e.conllu.bz2")
    with bz2.open(tmp_path / "e.conllu.bz2", "rt") as file:
        assert "1\tShe\t" in file.read()


def test_events_are_those_of_python(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    asked = {"text": "Acme grew. It did not sell us.", "clusters": [[[0, 4], [11, 13]]]}
    (tmp_path / "in.jsonl").write_text(json.dumps(asked))
    execute("predict", "english-fast", tmp_path / "in.jsonl", "--events")
    answer = json.loads(capsys.readouterr().out)
    (document,) = load_labeller("english-fast").documents([asked])
    expected = json.loads(json.dumps([event.to_dict() for event in document.events]))
    assert [event for s in answer["sentences"] for event in s["events"]] == expected
    assert (expected[1]["who"], expected[1]["factuality"]) == ("Acme", "denied")
