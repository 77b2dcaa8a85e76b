"""What may be an output, and how outputs are written."""

import os
import threading
from pathlib import Path

import pytest

from lisa_allennlp.commands.files import check_output, write_output
from lisa_allennlp.common.errors import ConfigurationError


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.jsonl"
    path.write_text("{}\n")
    return path


def test_an_input_is_refused_under_every_name(source: Path, tmp_path: Path) -> None:
    (tmp_path / "symbolic").symlink_to(source)
    (tmp_path / "hard").hardlink_to(source)
    for name in (source, tmp_path / "symbolic", tmp_path / "hard", os.path.relpath(source)):
        with pytest.raises(ConfigurationError, match=f"^--out: found the input, {source}"):
            check_output("--out", str(name), None, "no/file", str(source), force=True)


def test_an_existing_file_needs_force(source: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=f"^--out: found the existing file {source}"):
        check_output("--out", str(source))
    with pytest.raises(ConfigurationError, match="^--out: found no folder .*none"):
        check_output("--out", str(tmp_path / "none" / "new"))
    check_output("--out", str(source), force=True)
    for path in (str(tmp_path / "new"), "-", "/dev/null", None):
        check_output("--out", path)


def test_an_output_is_complete_or_absent(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnicodeEncodeError):
        write_output(str(source), "\udcff")
    assert source.read_text() == "{}\n" and os.listdir(source.parent) == [source.name]
    link = source.with_name("link")
    link.symlink_to(source)
    write_output(str(link), "new\n")
    assert link.is_symlink() and source.read_text() == "new\n"


def test_a_pipe_gets_an_output(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    write_output(str(pipe), "é\n")
    reader.join()
    assert read == ["é\n"] and pipe.is_fifo()
    write_output("-", "é\n")
    assert capsys.readouterr().out == "é\n"
