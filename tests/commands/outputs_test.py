"""What may be an output, and how outputs are written."""

import errno
import os
import threading
from pathlib import Path
from typing import Callable, List

import pytest
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.commands.inputs import files_of_corpus, files_of_options
from lisa_allennlp.commands.outputs import (
    check_output,
    complete_output,
    is_stream,
    open_output,
    write_output,
)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "data" / "in.jsonl"
    path.parent.mkdir()
    path.write_text("{}\n")
    return path


def symbolic_link(source: Path) -> Path:
    path = source.with_name("link")
    path.symlink_to(source)
    return path


def hard_link(source: Path) -> Path:
    path = source.with_name("same")
    path.hardlink_to(source)
    return path


NAMES: List[Callable[[Path], Path]] = [
    lambda source: source,
    lambda source: source.parent / ".." / "data" / "in.jsonl",
    lambda source: Path(os.path.relpath(source)),
    symbolic_link,
    hard_link,
]


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_an_input_is_refused_under_every_name(
    source: Path, name: Callable[[Path], Path], force: bool
) -> None:
    with pytest.raises(ConfigurationError, match=f"^--out: found the input, {source}; expected"):
        check_output("--out", str(name(source)), None, "no/file", str(source), force=force)


def test_a_file_in_a_folder_that_is_read_is_refused(source: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "data.jsonl").touch()
    link = tmp_path / "other" / "link"
    link.hardlink_to(source)
    folder = str(source.parent)
    for output in (source.parent / "new", tmp_path / "other" / ".." / "data" / "x" / "..", link):
        with pytest.raises(ConfigurationError, match="in the folder .*, which is read; expected"):
            check_output("--out", str(output), folder, force=True)
    for path in (tmp_path / "new", tmp_path / "data.jsonl", tmp_path / "other" / "new"):
        check_output("--out", str(path), folder, force=True)


def test_an_existing_file_needs_force(source: Path, tmp_path: Path) -> None:
    found = f"^--out: found the existing file {source}; expected a new one, or --force to replace"
    with pytest.raises(ConfigurationError, match=f"{found} it$"):
        check_output("--out", str(source))
    with pytest.raises(ConfigurationError, match=f"{found} it or --resume to continue it$"):
        check_output("--out", str(source), can_resume=True)
    check_output("--out", str(source), force=True)
    check_output("--out", str(tmp_path / "new"))


def test_pipes_and_devices_exist_anyway(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    streams = ["/dev/null", "/dev/stdout", "/dev/fd/1", "/dev/stderr", str(tmp_path / "pipe")]
    for path in streams:
        assert is_stream(path)
        check_output("--out", path, "/dev/null", "/dev/stdin")
    assert not is_stream(tmp_path / "new")


def test_an_open_file_continues(tmp_path: Path) -> None:
    with open(tmp_path / "log", "w") as log:
        log.write("before\n")
        log.flush()
        name = f"/dev/fd/{log.fileno()}"
        with open_output(name) as file:
            assert file.name == name
            file.write("within\n")
        write_output(name, "whole\n")
        log.write("after\n")
    assert (tmp_path / "log").read_text() == "before\nwithin\nwhole\nafter\n"
    with pytest.raises(OSError, match="/dev/fd/987"):
        open_output("/dev/fd/987")


def test_a_pipe_gets_a_complete_output(tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    write_output(str(pipe), "é\n")
    reader.join()
    assert read == ["é\n"] and pipe.is_fifo()


def test_a_link_to_an_output_stays(source: Path) -> None:
    link = symbolic_link(source)
    write_output(str(link), "new\n")
    assert link.is_symlink() and source.read_text() == "new\n"


def test_an_error_keeps_the_older_output(source: Path) -> None:
    with pytest.raises(KeyboardInterrupt), complete_output(source) as partial:
        partial.write_text("ne")
        raise KeyboardInterrupt
    assert source.read_text() == "{}\n"
    assert os.listdir(source.parent) == ["in.jsonl"]


def test_a_full_disk_at_the_end_of_a_file() -> None:
    with pytest.raises(OSError) as error:
        write_output("/dev/full", "text")
    assert error.value.errno == errno.ENOSPC


def test_files_beside_a_corpus() -> None:
    config = {"model": {"x": [1, {"path": "no"}]}, "dataset_reader": {"pos_suffix": ".tags"}}
    overrides = {
        "dataset_reader.injected_parses_suffix": ".dm.conllu",
        "dataset_reader": {"injected_parses_path": "trees"},
    }
    assert set(files_of_corpus("a/dev.gold_conll", config, overrides)) >= {
        "a/dev.gold_conll",
        "a/dev.conllu",
        "a/dev.tags",
        "a/dev.dm.conllu",
        "trees",
    }
    options = {"parser": {"type": "archive", "path": "p.tar.gz"}, "frames": "f", "max_tokens": 3}
    assert list(files_of_options(options)) == ["p.tar.gz", "f"]
