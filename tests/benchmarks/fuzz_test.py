"""The harness finds faults where there are some, and none in the package."""

import random
import sys
import time
from pathlib import Path
from typing import Any, Callable, Dict

import pytest
from allennlp.common.checks import ConfigurationError

from benchmarks import fuzz
from benchmarks.fuzz import FAULT, REFUSED, Fuzzer, outcome_of, outcome_of_message
from benchmarks.fuzz_commands import Call
from benchmarks.fuzz_counts import Size, blocks
from benchmarks.fuzz_seeds import Seed, corpus_parts
from benchmarks.fuzz_targets import Format, all_formats
from lisa_allennlp.data.annotated_files import AnnotatedFile


@pytest.fixture(scope="module")
def formats() -> Dict[str, Format]:
    return all_formats(corpus_parts(None, random.Random(0)))


def outcome(run: Callable[[], Any], folder: Path) -> fuzz.Outcome:
    path = folder / "dev.props"
    path.write_bytes(b"-\n-\n\n-\n")
    return outcome_of(Call("read", run), Format([], lambda *_: iter(()), blocks), path, folder)


def raising(error: BaseException) -> Callable[[], None]:
    def run() -> None:
        raise error

    return run


@pytest.mark.parametrize(
    "error, what",
    [
        (KeyError("x"), "KeyError at fuzz_test.py"),
        (SystemExit(2), "SystemExit at fuzz_test.py"),
        (OSError(5, "no file"), "OSError at fuzz_test.py"),
        (MemoryError(), "too much memory"),
        (ConfigurationError("found 3; expected 4"), "no file"),
        (ConfigurationError("x" * 3000), "long message"),
    ],
)
def test_exceptions(error: BaseException, what: str, tmp_path: Path) -> None:
    found = outcome(raising(error), tmp_path)
    assert found.kind == FAULT and found.what.startswith(what)


def test_messages(tmp_path: Path) -> None:
    path = tmp_path / "dev.props"
    assert outcome_of_message(f"{path}:3: found 1; expected 2", tmp_path).kind == REFUSED
    assert outcome_of_message(f"{path}: found no sentences", tmp_path).kind == REFUSED
    assert outcome_of_message(f"{path}: found 1; expected 2", tmp_path).what == "no line"
    assert outcome_of_message(f"{path}: found 1", tmp_path, needs_line=False).kind == REFUSED
    missing = FileNotFoundError(2, "No such file or directory", str(path))
    assert outcome(raising(missing), tmp_path).kind == REFUSED


def test_lost_sentences(tmp_path: Path) -> None:
    assert outcome(lambda: Size(2, 3), tmp_path).kind == fuzz.ANSWERED
    assert outcome(lambda: None, tmp_path).kind == fuzz.ANSWERED
    for lost in (Size(1, 3), Size(2, 2)):
        assert outcome(lambda size=lost: size, tmp_path).what == "silent loss"


def test_endless_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "CPU_SECONDS", 0.05)

    def run() -> None:
        while True:
            pass

    assert outcome(run, tmp_path).what == "too slow"


@pytest.mark.parametrize("is_dead", [True, False])
def test_processes_that_die_or_hang(
    is_dead: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzz, "WALL_SECONDS", 10 if is_dead else 0.2)

    def run() -> None:
        if is_dead:
            sys.stdout.flush()
            fuzz.os._exit(3)
        time.sleep(60)

    format = Format([Seed("a", b"a")], lambda *_: iter([Call("read", run)]))
    fine = Format([Seed("a", b"a")], lambda *_: iter([Call("read", lambda: None)]))
    worker = fuzz.Worker(Fuzzer({"bad": format, "fine": fine}, 0), tmp_path)
    try:
        ((_, found),) = worker.run(0).outcomes
        assert found.kind == FAULT
        assert found.what == ("the process died" if is_dead else "no answer within 0.2 seconds")
        ((_, found),) = worker.run(1).outcomes
        assert found.kind == fuzz.ANSWERED
    finally:
        worker.stop()


def test_the_counts_are_those_of_the_readers(formats: Dict[str, Format], tmp_path: Path) -> None:
    """Of files without damage, where nothing may be refused."""
    for name, format in formats.items():
        seed = format.seeds[0]
        folder = tmp_path / name
        for other, data in {**seed.others, seed.name: seed.data}.items():
            (folder / other).parent.mkdir(parents=True, exist_ok=True)
            (folder / other).write_bytes(data)
        call = next(format.calls(folder / seed.name, random.Random(0)))
        found = outcome_of(call, format, folder / seed.name, folder)
        assert found.kind == fuzz.ANSWERED, (name, found)


@pytest.mark.medium
def test_no_faults(formats: Dict[str, Format], capsys: pytest.CaptureFixture) -> None:
    fuzzer = Fuzzer(formats, seed=17)
    for number in range(50):
        result = fuzzer.run(number)
        assert result.outcomes
        assert not [found for found in result.outcomes if found[1].kind == FAULT], (number, result)


def test_parts_have_trees_and_roles() -> None:
    parts = corpus_parts(None, random.Random(1))
    assert all(isinstance(part, AnnotatedFile) and part.sentences for part in parts)
    assert all(s.parse and s.frames is not None for part in parts for s in part.bare_sentences)
