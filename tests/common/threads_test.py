"""How PyTorch's threads wait and how many there are, on this kernel and on imitated ones."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Dict

import pytest
import torch

from lisa_allennlp.common.threads import (
    THREAD_NUMBER_VARIABLES,
    WAITING_VARIABLES,
    available_cores,
    set_thread_numbers,
)
from tests import ROOT
from tests.tiny_transformer import make_tiny_transformer


@pytest.fixture(autouse=True)
def sixty_four_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without a limit, whose user has chosen nothing."""
    for name in (*WAITING_VARIABLES, *THREAD_NUMBER_VARIABLES):
        # Set first, so that what a test adds is taken back after it.
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(64)), raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 64)


def run_python(
    script: str, *arguments: str, **variables: str
) -> "subprocess.CompletedProcess[str]":
    """A fresh interpreter, whose environment has none of the variables but these."""
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        env={**os.environ, **variables},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )


def test_the_user_s_choices_are_kept() -> None:
    script = """
import os
from lisa_allennlp.common.threads import *

os.sched_getaffinity = lambda process: {0}
for names, function in (
    (WAITING_VARIABLES, set_passive_waiting),
    (THREAD_NUMBER_VARIABLES, set_thread_numbers),
):
    for name in names:
        os.environ[name] = "7"
        function()
        print(*(f"{n}={os.environ.pop(n)}" for n in names if n in os.environ))
"""
    names = (*WAITING_VARIABLES, *THREAD_NUMBER_VARIABLES)
    assert run_python(script).stdout.splitlines() == [f"{name}=7" for name in names]


@pytest.mark.parametrize(
    "cgroup, quotas, cores",
    [
        # Nothing: another system, or no rights.
        ("", {}, 64),
        # Version 2, in a container that sees its own cgroup as the root.
        ("0::/\n", {"cpu.max": "250000 100000\n"}, 3),
        # The tightest quota of a service and the slices that it is in.
        ("0::/a/b\n", {"a/b/cpu.max": "max 1000", "a/cpu.max": "6000 2000", "c/cpu.max": "1 1"}, 3),
        # More than the affinity.
        ("0::/\n", {"cpu.max": "9900000 100000\n"}, 64),
        # A process that was moved out of its namespace's root.
        ("0::/../other\n", {"cpu.max": "200000 100000\n"}, 2),
        # Version 1, in a container that is told its path outside.
        (
            "8:memory:/docker/f00\n4:cpu,cpuacct:/docker/f00\n0::/docker/f00\n",
            {"cpu/cpu.cfs_quota_us": "400000\n", "cpu/cpu.cfs_period_us": "100000\n"},
            4,
        ),
    ],
)
def test_quotas_of_cgroups_limit_the_cores(
    cgroup: str, quotas: Dict[str, str], cores: int, tmp_path: Path
) -> None:
    files = {f"sys/fs/cgroup/{name}": text for name, text in quotas.items()}
    for name, text in {**files, "proc/self/cgroup": cgroup}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert available_cores(tmp_path) == cores


def test_threads_of_a_loaded_pytorch_are_lowered_but_not_raised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(5)
        monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 1}, raising=False)
        set_thread_numbers()
        assert torch.get_num_threads() == min(2, available_cores())
        torch.set_num_threads(1)
        set_thread_numbers()
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(before)


NEW_PROCESS = """
import multiprocessing, os, sys
from lisa_allennlp.common.threads import *

os.sched_getaffinity, os.cpu_count = lambda process: {0, 1}, lambda: 64
assert set_passive_waiting()
set_thread_numbers()

import torch
from tokenizers import Tokenizer

assert torch.get_num_threads() == min(2, available_cores())
use_one_thread_in_forks()
tokenizer = Tokenizer.from_file(sys.argv[1] + "/tokenizer.json")
texts = ["It rained", "It snowed"] * 50
tokenizer.encode_batch(texts)
torch.set_num_threads(2)
# Starts the threads of OpenMP.
torch.rand(500, 500) @ torch.rand(500, 500)
torch.rand(10**6).sin()

def work(connection):
    tokenizer.encode_batch(texts)
    counts = torch.tensor([2, 0, 1])
    connection.send(torch.repeat_interleave(torch.arange(3), counts).tolist())

ours, theirs = multiprocessing.Pipe()
process = multiprocessing.get_context("fork").Process(target=work, args=(theirs,))
process.start()
assert ours.poll(60), "the fork waits for threads that it does not have"
assert ours.recv() == [0, 0, 2]
process.join()
"""


@pytest.mark.medium
@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
def test_threads_of_a_new_process_and_of_its_forks(tmp_path: Path) -> None:
    """As many as cores, which do not spin; forks do not wait for threads that they lack."""
    folder = make_tiny_transformer(tmp_path / "tiny")
    result = run_python(NEW_PROCESS, folder, OMP_DISPLAY_ENV="VERBOSE")
    assert "GOMP_SPINCOUNT = '0'" in result.stderr


@pytest.mark.medium
def test_threads_wait_passively_before_the_command_loads_pytorch() -> None:
    """In place of PyTorch something is loaded that prints what PyTorch would have found."""
    script = """
import os, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "torch":
            print(os.environ.get("OMP_WAIT_POLICY"), os.environ.get("GOMP_SPINCOUNT"), flush=True)
            os._exit(0)
sys.meta_path.insert(0, Finder())
from lisa_allennlp.__main__ import main
main(["train", "no_such_config", "-s", "out"])
"""
    assert run_python(script).stdout.strip() == "PASSIVE 0"
