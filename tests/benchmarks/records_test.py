"""What records say about the command and the code."""

import subprocess
from pathlib import Path
from typing import List

import pytest

from benchmarks.records import FOLDER, command_of, current_commit


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
