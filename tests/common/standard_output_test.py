"""A standard output that cannot be written."""

import os
import subprocess
import sys
from typing import Tuple

import pytest

from tests import ROOT

FULL = "lisa: error: <stdout>: No space left on device\n"


def help_to(descriptor: int, unbuffered: str) -> Tuple[int, str]:
    """The status and the standard error of `lisa --help`, which `argparse` prints."""
    result = subprocess.run(
        [sys.executable, "-m", "lisa_allennlp", "--help"],
        stdout=descriptor,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )
    return result.returncode, result.stderr


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_one_line(unbuffered: str) -> None:
    with open("/dev/full", "wb") as full:
        assert help_to(full.fileno(), unbuffered) == (1, FULL)


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_closed_pipe_is_quiet(unbuffered: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    assert help_to(writer, unbuffered) == (1, "")
    os.close(writer)
