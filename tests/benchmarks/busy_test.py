"""What the benchmark of a shared core measures, and that its threads do share one."""

import functools
import os
import sys
import time
from pathlib import Path
from typing import Dict, Set

import pytest
import torch

from benchmarks.busy import (
    BRIEF,
    PASSIVE,
    SPINNING,
    Threads,
    Works,
    clock,
    make_works,
    rate,
    start_process,
)
from benchmarks.common import read_sentences
from tests import ROOT


def allowed_cores(tasks: Path = Path("/proc/self/task")) -> Set[str]:
    """The cores of each thread, as the kernel prints them."""
    return {
        line.split()[1]
        for status in tasks.glob("*/status")
        for line in status.read_text().splitlines()
        if line.startswith("Cpus_allowed_list:")
    }


def write_state(path: Path) -> None:
    """Appends what OpenMP was told and where the threads may run."""
    product = torch.randn(300, 300) @ torch.randn(300, 300)
    state = [
        os.environ.get("OMP_WAIT_POLICY"),
        os.environ.get("GOMP_SPINCOUNT"),
        torch.get_num_threads(),
        "+".join(sorted(allowed_cores())),
        len(product),
    ]
    with path.open("a") as file:
        file.write(" ".join(map(str, state)) + "\n")


def works_that_write_state(path: Path) -> Works:
    return {"state": functools.partial(write_state, path)}


@pytest.mark.medium
@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
@pytest.mark.parametrize(
    "threads, waiting",
    [
        (PASSIVE, "PASSIVE 0"),
        pytest.param(SPINNING, "None 300000", marks=pytest.mark.slow),
    ],
)
def test_threads_are_moved_to_one_core_after_the_start(
    threads: Threads, waiting: str, tmp_path: Path
) -> None:
    ours, environment, core = allowed_cores(), dict(os.environ), max(os.sched_getaffinity(0))
    make = functools.partial(works_that_write_state, tmp_path / "states")
    with start_process(threads, core, make) as measure:
        assert measure("state", 0.0) > 0.0
    before, after = (tmp_path / "states").read_text().splitlines()
    assert after == f"{waiting} 2 {core} 300"
    assert before.startswith(f"{waiting} 2 ")
    assert allowed_cores() == ours and dict(os.environ) == environment


@pytest.mark.slow
def test_threads_may_keep_their_cores(tmp_path: Path) -> None:
    make = functools.partial(works_that_write_state, tmp_path / "states")
    with start_process(BRIEF, None, make) as measure:
        assert measure("state", 0.0) > 0.0
    cores = "+".join(sorted(allowed_cores()))
    assert set((tmp_path / "states").read_text().splitlines()) == {f"None 1000 2 {cores} 300"}


def test_rates_count_whole_calls_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    now: Dict[str, float] = {"wall": 100.0, "cpu": 7.0}

    def work() -> None:
        now["wall"] += 1.0
        now["cpu"] += 0.25

    monkeypatch.setattr(time, "monotonic", lambda: now["wall"])
    monkeypatch.setattr(clock, "_now", lambda: now["cpu"])
    assert rate(work, 3.0) == 4.0
    assert now["wall"] == 103.0
    # A crawling call is not cut short, and one is enough.
    assert rate(work, 0.0) == 4.0
    assert now["wall"] == 104.0


@pytest.mark.medium
def test_training_changes_the_model_and_labelling_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    sentences = [s for s in read_sentences(None, 20) if s.frames]
    works = make_works(sentences, None)
    system = works["training"].args[0]  # type: ignore[attr-defined]
    changed = []
    for name in ("labelling", "training"):
        before = [parameter.detach().clone() for parameter in system.model.parameters()]
        works[name]()
        changed.append(not all(map(torch.equal, before, system.model.parameters())))
    assert changed == [False, True]
