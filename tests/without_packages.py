"""Runs code in a process of its own, in which some packages cannot be imported."""

import json
import subprocess
import sys
from typing import Sequence

from tests import ROOT

BLOCK = """
import json
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in json.loads(sys.argv[1]):
            raise ModuleNotFoundError(f"found the import of {name}", name=name)

sys.meta_path.insert(0, Blocked())
"""

COMMANDS = """
from lisa_allennlp.__main__ import main
sys.exit(any([main(arguments) for arguments in json.loads(sys.argv[2])]))
"""


def run_python(
    without: Sequence[str], code: str, *arguments: str
) -> "subprocess.CompletedProcess[str]":
    """Runs Python's code, which finds `json` and `sys` imported."""
    command = [sys.executable, "-c", BLOCK + code, json.dumps(without), *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


def run_commands(
    without: Sequence[str], *commands: Sequence[object]
) -> "subprocess.CompletedProcess[str]":
    """Runs `lisa` with the arguments of each command."""
    arguments = json.dumps([list(map(str, command)) for command in commands])
    return run_python(without, COMMANDS, arguments)
