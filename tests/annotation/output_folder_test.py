"""Which shards are finished, and which files are removed."""

import os
import socket
from pathlib import Path

import pytest

from lisa_allennlp.annotation.output_folder import Counts, OutputFolder, writing

COUNTS = Counts("plan", rows=3, labelled=2, errors=1, bytes=4, error_bytes=5)


@pytest.fixture
def folder(tmp_path: Path) -> OutputFolder:
    """With a finished shard."""
    folder = OutputFolder(str(tmp_path / "out"))
    folder.create()
    folder.shard(0, 2, "jsonl").write_bytes(b"rows")
    folder.error_file(0, 2).write_bytes(b"error")
    folder.write_counts(COUNTS, 0, 2)
    return folder


def test_finished_shards(folder: OutputFolder) -> None:
    assert folder.counts("plan", 0, 2, "jsonl") == COUNTS
    assert folder.counts("other", 0, 2, "jsonl") is None
    assert folder.counts("plan", 1, 2, "jsonl") is None
    assert folder.counts("plan", 0, 2, "parquet") is None


@pytest.mark.parametrize(
    "name", ["shard-00001-of-00002.jsonl", "errors/shard-00001-of-00002.jsonl"]
)
def test_shards_that_were_changed(folder: OutputFolder, name: str) -> None:
    path = folder.path / name
    path.write_bytes(b"x")
    assert folder.counts("plan", 0, 2, "jsonl") is None
    path.unlink()
    assert folder.counts("plan", 0, 2, "jsonl") is None


def test_clear_removes_own_files_only(folder: OutputFolder) -> None:
    (folder.path / "shard-1.jsonl").touch()
    (folder.path / "shard-00001-of-00002.jsonl.node-7.partial").touch()
    folder.clear()
    files = [path for path in folder.path.rglob("*") if path.is_file()]
    assert [path.name for path in files] == ["shard-1.jsonl"]


def test_partial_files_of_the_dead_are_removed(folder: OutputFolder) -> None:
    host, dead = socket.gethostname(), 2**22 + 1
    names = [f"{host}-{os.getpid()}", f"x{host}-{dead}", f"node-{dead}", f"{host}-{dead}"]
    own, strange, other, left = (folder.path / f"manifest.json.{n}.partial" for n in names)
    for path in (own, strange, other, left):
        path.touch()
    folder.remove_partial_files(everywhere=False)
    assert [path.exists() for path in (own, strange, other, left)] == [True, True, True, False]
    folder.remove_partial_files(everywhere=True)
    assert not any(path.exists() for path in (own, strange, other))


def test_processes_write_under_different_names(tmp_path: Path) -> None:
    with writing(tmp_path / "a") as partial:
        assert partial.name == f"a.{socket.gethostname()}-{os.getpid()}.partial"
        partial.write_text("b")
    assert (tmp_path / "a").read_text() == "b"


def test_errors_without_a_name_get_one(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"No space left on device: '.*/a'"), writing(tmp_path / "a"):
        raise OSError(28, "No space left on device")
