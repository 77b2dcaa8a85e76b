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
    [
        (["One .", "Tw\u00f6 ."], b""),
        (["One. Tw\u00f6!"], b""),
        (['{"text": "One. Tw\u00f6!"}'], b""),
        ([], b"\xef\xbb\xbfOne .\r\n\n Tw\xc3\xb6 .\n"),
    ],
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


def test_files_and_sentences(
    archives: Dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    file = tmp_path / "my sentences"
    file.write_text("She left .")
    run(archives["ccg_supertagger"], "No .", "", str(file))
    printed = capsys.readouterr().out
    assert re.findall(r"^1 +(\S+)|(an empty sentence)", printed, re.MULTILINE) == [
        ("No", ""),
        ("", "an empty sentence"),
        ("She", ""),
    ]


def test_a_broken_archive_is_a_model(tmp_path: Path) -> None:
    file = tmp_path / "model.tar.gz"
    file.write_text("<html>Not found</html>")
    with pytest.raises(ConfigurationError, match="model.tar.gz: cannot be unpacked"):
        run(file, "She left .")


def test_auxiliaries_have_no_column(capsys: pytest.CaptureFixture) -> None:
    for option, rolesets in (([], ["be.03", "sell.01"]), (["--no-auxiliaries"], ["sell.01"])):
        run("english-fast", "It was sold .", *option)
        assert re.findall(r"\w+\.\d\d", capsys.readouterr().out) == rolesets


@pytest.mark.parametrize("command", ["label", "show"])
def test_a_text_in_another_language_gets_a_note(
    command: str, capsys: pytest.CaptureFixture
) -> None:
    execute(command, "english-fast", "Sie hat ihm gestern das Auto verkauft.")
    printed = capsys.readouterr()
    assert printed.err == "note: This model reads English; 3 of 5 words are unknown to it.\n"
    assert "note" not in printed.out
    execute(command, "english-fast", "She sold him the car.")
    assert capsys.readouterr().err == ""
