"""Records: what is written is read again, and what cannot be used is named."""

import subprocess
from pathlib import Path
from typing import List

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.records import (
    FOLDER,
    Figure,
    Record,
    Row,
    command_of,
    current_commit,
    readable,
    rounded,
)

runs = st.lists(st.floats(-1e6, 1e6), min_size=1)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    row = Row(
        "LISA",
        {"a": Figure([1.5]), "b": Figure([2, 3]), "c": Figure([2.5], 1.0, 4.0, 8)},
        bars={"a": (">=", 1)},
        paper={"a": 2.0},
        commands=["measure"],
        conditions={"commit": "abc1234"},
        notes="twice",
    )
    record = Record("T", "D", {"measure": "m"}, [row], {"seed": "2"}, "Table 1", ["a note"])
    record.write(tmp_path / "record.json")
    assert Record.read(tmp_path / "record.json") == record


@given(st.lists(runs, min_size=1, max_size=4))
def test_pooled_figures_have_the_runs_of_all(groups: List[List[float]]) -> None:
    merged = Figure.pooled([Figure(group) for group in groups])
    flat = sorted(value for group in groups for value in group)
    assert merged.num_runs == len(flat) and merged.extremes() == (flat[0], flat[-1])
    middle = len(flat) // 2
    assert merged.median() == (flat[middle] if len(flat) % 2 else sum(flat[middle - 1 :][:2]) / 2)


@given(st.floats(1e-3, 1e8) | st.integers(-(10**8), 10**8))
def test_rounding_keeps_four_digits(value: float) -> None:
    assert rounded(value) == pytest.approx(value, rel=5e-4)
    assert float(readable(value).replace(",", "")) == rounded(value)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--corpus", "folders/ewt", "--runs", "5", "--json", "folders/x.json", "--check"],
        ["--corpus=folders/ewt", "--runs", "5", "--json=x"],
    ],
)
def test_commands_name_no_path_of_this_machine(arguments: List[str]) -> None:
    assert command_of("speed", arguments) == "python -m benchmarks.speed --corpus DIR --runs 5"


def test_the_commit_and_changes_to_the_code(tmp_path: Path) -> None:
    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        command = ["git", "-C", str(tmp_path), *identity, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    assert current_commit(tmp_path) is None
    git("init")
    (tmp_path / FOLDER).mkdir(parents=True)
    (tmp_path / "benchmarks" / "a.py").write_text("a")
    git("add", ".")
    git("commit", "-m", "a")
    commit = git("rev-parse", "--short", "HEAD")
    (tmp_path / FOLDER / "results.json").write_text("{}")
    assert current_commit(tmp_path) == commit
    (tmp_path / "benchmarks" / "a.py").write_text("b")
    assert current_commit(tmp_path) == f"{commit} with uncommitted changes"
