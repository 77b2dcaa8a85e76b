"""
What a shell would execute. Bash runs the documented commands with functions for the programs, which
only write down how they were called, so that quotes, variables, comments and loops mean what they
mean to a user.
"""

import os
import subprocess
from itertools import islice
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Optional

STAND_INS = ("allennlp", "git", "lisa", "make", "perl", "pip", "python", "rsync", "sbatch", "ssh")

PREFIXES = ("GOMP_", "LISA_", "OMP_")
"""Of the variables that the documented commands may set."""

_STAND_IN = r"""
_call() {
    local shell=$BASHPID input output variables
    input=$(readlink "/proc/$shell/fd/0")
    output=$(readlink "/proc/$shell/fd/1")
    mapfile -t variables < <(compgen -e)
    printf '%s\0' "$#" "$@" "$input" "$output" "${#variables[@]}" >> "$CALLS"
    for name in "${variables[@]}"; do printf '%s\0' "$name=${!name}"; done >> "$CALLS"
}
"""
"""Writes the arguments, the files of input and output, and the variables, after their numbers."""


class Call(NamedTuple):
    # The name of the program and its arguments.
    arguments: List[str]
    # The variables that are set, of those with `PREFIXES`.
    variables: Dict[str, str]
    # The files to which standard input and output are redirected.
    input: Optional[str]
    output: Optional[str]


def calls(commands: str, folder: Path) -> List[Call]:
    """The calls of the programs in `STAND_INS`, in order."""
    functions = "".join(f'{name}() {{ _call {name} "$@"; }}\n' for name in STAND_INS)
    written = folder / ".calls"
    written.write_text("")
    variables = {name: value for name, value in os.environ.items() if not name.startswith(PREFIXES)}
    ran = subprocess.run(
        ["bash", "-eu", "-o", "pipefail", "-c", f"{_STAND_IN}{functions}{commands}"],
        cwd=folder,
        env={**variables, "CALLS": str(written)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    return list(_read_calls(iter(written.read_text().split("\0")[:-1])))


def _read_calls(values: Iterator[str]) -> Iterator[Call]:
    for number in values:
        arguments = list(islice(values, int(number)))
        files = [_file_of(path) for path in islice(values, 2)]
        set_ones = [text.partition("=") for text in islice(values, int(next(values)))]
        known = {name: value for name, _, value in set_ones if name.startswith(PREFIXES)}
        yield Call(arguments, known, *files)


def _file_of(path: str) -> Optional[str]:
    return path if path.startswith("/") and not path.startswith("/dev/") else None
