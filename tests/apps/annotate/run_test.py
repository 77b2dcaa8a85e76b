"""Whole runs: rows in are rows out and errors, whatever is killed, and whoever continues."""

import errno
import fcntl
import gzip
import json
import multiprocessing
import os
import shutil
import signal
import threading
import time
from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest

from lisa_allennlp.apps.annotate.plan import Options
from lisa_allennlp.common import complete_files
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.user_errors import user_message
from lisa_allennlp.labelling.loading import load_labeller
from tests.apps.annotate.corpora import annotate, errors, rows, shards, write_corpus

pytestmark = pytest.mark.medium

BAD = (0, 11, 30)
Command = Callable[..., Path]
Shards = Dict[str, bytes]


@pytest.fixture
def command(archives: Dict[str, Path], tmp_path: Path) -> Command:
    return make_command(archives["ccg_supertagger"], tmp_path)


@pytest.fixture(scope="module")
def expected(archives: Dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Shards:
    """The shards of an uninterrupted run. Errors name the corpus, which each test has by itself."""
    folder = tmp_path_factory.mktemp("expected")
    return labelled(make_command(archives["ccg_supertagger"], folder)("out"))


def labelled(folder: Path) -> Shards:
    """The shards without the errors, which must have all three rows."""
    assert [row["id"] for row in errors(folder)] == list(BAD)
    return {n: content for n, content in shards(folder).items() if not n.startswith("errors")}


def make_command(model: Path, tmp_path: Path) -> Command:
    """Annotates a corpus of 33 rows in 7 shards, into the folder of this name."""
    corpus = write_corpus(tmp_path / "corpus.jsonl", 33, BAD)

    def run(name: str, *options: object, **changes: object) -> Path:
        given: Dict[str, Any] = {"--model": model, "--rows-per-shard": 5, "--processes": 2}
        given.update({f"--{key.replace('_', '-')}": value for key, value in changes.items()})
        pairs = [word for pair in given.items() for word in pair]
        annotate(corpus, "--output", tmp_path / name, *pairs, *options)
        return tmp_path / name

    return run


def test_every_row_is_labelled_or_an_error(
    command: Command,
    capsys: pytest.CaptureFixture,
    archives: Dict[str, Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = command("out")
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == (
        f"annotate: complete: 33 rows in 7 shards; 30 rows labelled, 3 in {folder}/errors"
    )
    assert [row["id"] for row in rows(folder)] == [n for n in range(33) if n not in BAD]
    assert [(row["id"], row["row"]) for row in errors(folder)] == [(n, n + 1) for n in BAD]
    assert all("expected one of `sentence`, `tok" in row["reason"] for row in errors(folder))
    labeller = load_labeller(archives["ccg_supertagger"])
    for row in rows(folder):
        own = {"id": row["id"], "tokens": row["words"], "n": row["n"]}
        assert row == labeller(own).to_dict()
    summary = json.loads((folder / "summary.json").read_text())
    assert summary == {"rows": 33, "shards": 7, "labelled": 30, "errors": 3}
    assert not list(folder.rglob("*.partial"))
    monkeypatch.setattr(Options, "open", None)
    command("out")
    assert "labelled 0 of 7 shards" in capsys.readouterr().out


def kill_at(moment: int, after: bool, the_driver: bool, counter: Path) -> Callable[..., None]:
    """
    An `os.replace` that, at one of the moments at which a file gets its name, kills the process or
    its driver, before or after.
    """
    replace = os.replace

    def killing(source: Any, target: Any) -> None:
        with counter.open("ab", buffering=0) as file:
            # Two workers may get here at once.
            fcntl.flock(file, fcntl.LOCK_EX)
            file.write(b".")
            is_moment = os.fstat(file.fileno()).st_size == moment
        if is_moment and after:
            replace(source, target)
        if is_moment:
            os.kill(os.getppid() if the_driver else os.getpid(), signal.SIGKILL)
            time.sleep(60)
        replace(source, target)

    return killing


@pytest.mark.parametrize(
    "moment, after, the_driver",
    [(2, False, True), (5, True, True), (7, False, False)],
)
def test_a_killed_run_continues(
    command: Command,
    expected: Shards,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    moment: int,
    after: bool,
    the_driver: bool,
) -> None:
    with monkeypatch.context() as patch:
        killing = kill_at(moment, after, the_driver, tmp_path / "counter")
        patch.setattr(complete_files.os, "replace", killing)
        driver = multiprocessing.get_context("fork").Process(target=command, args=("out",))
        driver.start()
        driver.join()
    assert driver.exitcode == (-signal.SIGKILL if the_driver else 0)
    if the_driver:
        found = shards(tmp_path / "out")
        assert not set(expected) <= set(found)
        for name in set(expected) & set(found):
            assert found[name] == expected[name]
    assert labelled(command("out")) == expected


def test_a_resume_refuses_what_changes_answers(
    command: Command, archives: Dict[str, Path], tmp_path: Path
) -> None:
    folder = command("out")
    before = shards(folder)
    changes: Dict[str, Dict[str, Any]] = {
        "the model": {"model": archives["lisa"]},
        "max_tokens": {"predictor_args": '{"max_tokens": 50}'},
        "engine": {"engine": "onnx"},
        "precision": {"precision": "float32"},
    }
    for name, change in changes.items():
        with pytest.raises(ConfigurationError, match=f"manifest.json: found {name} .*; expected "):
            command("out", **change)
    os.utime(tmp_path / "corpus.jsonl", ns=(1, 1))
    with pytest.raises(ConfigurationError, match="corpus.jsonl with the size and time of change "):
        command("out")
    shards_of_six = shards(command("out", "--force", rows_per_shard=6))
    assert set(shards_of_six) & set(before) == set()
    assert [row["id"] for row in rows(folder)] == [n for n in range(33) if n not in BAD]


def test_parts_on_machines_without_a_shared_disk(
    expected: Shards,
    archives: Dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
) -> None:
    """Each has a copy of the corpus and labels a part; the shards come together on the last."""
    given = ["corpus.jsonl", "--output", "out", "--model", archives["ccg_supertagger"]]
    given += ["--rows-per-shard", 5, "--processes", 1]
    source = write_corpus(tmp_path / "corpus.jsonl", 33, BAD)
    for part in (1, 2):
        (tmp_path / str(part)).mkdir()
        # As scp -p and rsync -a do.
        shutil.copy2(source, tmp_path / str(part))
        monkeypatch.chdir(tmp_path / str(part))
        annotate(*given, "--plan")
        assert "33 rows in 7 shards planned" in capsys.readouterr().out
        assert shards(Path("out")) == {}
        annotate(*given, "--shard", f"{part}/2")
    with pytest.raises(ConfigurationError, match=".*: found no file, or an empty one"):
        annotate(*given, "--check")
    assert "4 of 7 shards are unfinished" in capsys.readouterr().out
    first = tmp_path / "1/out"
    for path in [*first.glob("shard-*"), *first.glob("errors/shard-*")]:
        shutil.copy2(path, Path("out", path.relative_to(first)))
    annotate(*given, "--check")
    assert "complete: 33 rows" in capsys.readouterr().out
    assert labelled(Path("out")) == expected
    shard = Path("out/shard-00002-of-00007.jsonl")
    shard.write_bytes(shard.read_bytes() + b"\n")
    with pytest.raises(ConfigurationError, match=f"{shard}: found 6 rows; expected 5"):
        annotate(*given, "--check")


def test_each_gpu_has_a_process_and_a_model(
    expected: Shards, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, archives: Dict[str, Path]
) -> None:
    opened = tmp_path / "opened"
    opened.mkdir()

    def open_on(options: Options, device: int = -1) -> Any:
        (opened / f"{device} {os.getpid()}").touch()
        return load_labeller(options.model["model"])

    monkeypatch.setattr(Options, "open", open_on)
    corpus = write_corpus(tmp_path / "corpus.jsonl", 33, BAD)
    options = ("--model", archives["ccg_supertagger"], "--rows-per-shard", 5)
    annotate(corpus, "--output", tmp_path / "out", *options, "--cuda-device", "0,1")
    assert labelled(tmp_path / "out") == expected
    devices, processes = zip(*(path.name.split() for path in opened.iterdir()), strict=True)
    assert sorted(devices) == ["0", "1"]
    assert len({*processes, str(os.getpid())}) == 3


def test_options_that_change_no_row(command: Command, expected: Shards) -> None:
    compressed = labelled(command("gz", format="jsonl.gz", processes=1))
    found = {name[:-3]: gzip.decompress(content) for name, content in compressed.items()}
    assert found == expected


def workers_of(folder: Path) -> List[int]:
    names = (path.name for path in folder.glob(".shard-*.partial"))
    return [int(name.rpartition(".jsonl.")[2].partition("-")[0]) for name in names]


@pytest.mark.slow
def test_a_killed_worker_loses_no_row(archives: Dict[str, Path], tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="ray is missing: pip install '.[large]'")
    corpus = write_corpus(tmp_path / "corpus.jsonl", 2000, BAD)
    options = ("--model", archives["ccg_supertagger"], "--rows-per-shard", 100, "--processes", 2)
    annotate(corpus, "--output", tmp_path / "here", *options)
    killed: List[int] = []

    def kill_one() -> None:
        while not killed:
            for process in workers_of(tmp_path / "ray"):
                os.kill(process, signal.SIGKILL)
                killed.append(process)
                return
            time.sleep(0.001)

    thread = threading.Thread(target=kill_one, daemon=True)
    thread.start()
    annotate(corpus, "--output", tmp_path / "ray", *options, "--address", "local")
    assert killed and killed[0] != os.getpid()
    assert shards(tmp_path / "ray") == shards(tmp_path / "here")
    assert [row["id"] for row in errors(tmp_path / "ray")] == list(BAD)


def test_a_second_run_that_is_killed_loses_no_error(
    command: Command, expected: Shards, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both find the same shards to do. One is done before the other begins, and is killed."""
    context = multiprocessing.get_context("fork")
    has_begun, first_is_done = context.Event(), context.Event()
    open_model = Options.open

    def open_late(options: Options, device: int = -1) -> Any:
        has_begun.set()
        first_is_done.wait()
        return open_model(options, device)

    def run_second() -> None:
        os.setsid()
        monkeypatch.setattr(Options, "open", open_late)
        monkeypatch.setattr(complete_files.os, "replace", lambda *_: os.killpg(0, signal.SIGKILL))
        command("out")

    command("out", "--plan")
    second = context.Process(target=run_second)
    second.start()
    has_begun.wait()
    command("out")
    first_is_done.set()
    second.join()
    assert second.exitcode == -signal.SIGKILL
    assert labelled(tmp_path / "out") == expected


def test_a_full_disk_is_said_and_the_run_continues(
    command: Command, expected: Shards, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flush = complete_files._flush

    def full(path: Path) -> None:
        if "shard-00004-of-00007.jsonl" in path.name:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        flush(path)

    with monkeypatch.context() as patch:
        patch.setattr(complete_files, "_flush", full)
        with pytest.raises(OSError) as raised:
            command("out", processes=1)
    path = tmp_path / "out" / "shard-00004-of-00007.jsonl"
    assert user_message(raised.value) == f"{path}: No space left on device"
    kept = [file.name for file in sorted((tmp_path / "out").glob("shard-*"))]
    assert kept == sorted(expected)[:3]
    before = path.with_name("shard-00001-of-00007.jsonl").stat().st_mtime_ns
    assert labelled(command("out")) == expected
    assert path.with_name("shard-00001-of-00007.jsonl").stat().st_mtime_ns == before
