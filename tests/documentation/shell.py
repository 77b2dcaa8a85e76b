"""
What a shell would execute. Bash runs the documented commands with stand-ins for the programs, which
only write down how they were called, so that quotes, variables, comments and loops mean what they
mean to a user.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional

STAND_INS = ("allennlp", "git", "lisa", "make", "perl", "pip", "python", "rsync", "sbatch", "ssh")

_STAND_IN = """\
#!{python} -IS
import json, os, sys
def file_of(number):
    path = os.readlink(f"/proc/self/fd/{{number}}")
    return path if path.startswith("/") and not path.startswith("/dev/") else None
variables = {{name: value for name, value in os.environ.items() if name.startswith({prefixes})}}
call = {{
    "arguments": [os.path.basename(sys.argv[0]), *sys.argv[1:]],
    "variables": variables,
    "input": file_of(0),
    "output": file_of(1),
}}
with open({calls!r}, "a") as file:
    file.write(json.dumps(call) + "\\n")
"""

PREFIXES = ("GOMP_", "LISA_", "OMP_")
"""Of the variables that the documented commands may set."""


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
    programs, written = folder / ".stand_ins", folder / ".calls.jsonl"
    programs.mkdir(exist_ok=True)
    text = _STAND_IN.format(python=sys.executable, prefixes=PREFIXES, calls=str(written))
    for name in STAND_INS:
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    written.write_text("")
    variables = {name: value for name, value in os.environ.items() if not name.startswith(PREFIXES)}
    variables["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(
        ["bash", "-eu", "-o", "pipefail", "-c", commands],
        cwd=folder,
        env=variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    return [Call(**json.loads(line)) for line in written.read_text().splitlines()]
