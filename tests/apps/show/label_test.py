"""`lisa label`: sentences in, tables out."""

import io
import re
import sys
from pathlib import Path
from typing import Dict, List

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from tests.commands.in_process import execute, in_process  # noqa: F401


def run(*arguments: object) -> None:
    execute("label", *arguments)


@pytest.mark.parametrize(
    "given, piped",
    [(["One. Tw\u00f6!"], b""), ([], b"\xef\xbb\xbfOne .\r\n\n Tw\xc3\xb6 .\n")],
)
def test_every_sentence_has_a_table(
    given: List[str],
    piped: bytes,
    archives: Dict[str, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(piped))))
    run(archives["ccg_supertagger"], *given)
    printed = capsys.readouterr().out
    assert re.findall(r"^1 +(\S+)", printed, re.MULTILINE) == ["One", "Tw\u00f6"]


def test_an_empty_input_has_a_note(
    archives: Dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    (tmp_path / "none.jsonl").touch()
    run(archives["ccg_supertagger"], tmp_path / "none.jsonl", "Go .")
    printed = capsys.readouterr()
    assert printed.err == f"note: {tmp_path}/none.jsonl: found no sentences\n"
    assert "Go" in printed.out


def test_errors_name_the_sentence(archives: Dict[str, Path]) -> None:
    with pytest.raises(ConfigurationError, match="^sentence 2: `tokens`: found 3"):
        run(archives["lisa"], "She left .", '{"tokens": 3}')


def test_a_text_in_another_language_gets_a_note(capsys: pytest.CaptureFixture) -> None:
    run("english-fast", "Sie hat ihm gestern das Auto verkauft.")
    printed = capsys.readouterr()
    assert "3 of 5 words" in printed.err and "note" not in printed.out
    run("english-fast", "She sold him the car.")
    assert capsys.readouterr().err == ""
