"""
Sets the number of threads of PyTorch and NumPy, and how they wait. Importing this module
imports neither.

At the end of every parallel loop, OpenMP's threads spin for a few milliseconds before they sleep.
If two threads share a core, one spins while the other has work to do. This wastes processor time
whenever another program is busy, a container has a CPU quota, or the process is pinned to a core
after its start.
"""

import ctypes
import math
import os
import sys
from functools import cache, partial
from pathlib import Path, PurePath

WAITING_VARIABLES = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME")
"""The variables that OpenMP's libraries read when they are loaded. GNU's library reads the first
two, LLVM's and Intel's the first and the last."""

THREAD_NUMBER_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS")


def set_passive_waiting() -> bool:
    """
    Makes OpenMP's threads sleep while they wait, also in child processes, unless the user has set
    one of `WAITING_VARIABLES`. Returns `False` if PyTorch is loaded: OpenMP reads its variables
    once, when it is loaded.
    """
    if not any(name in os.environ for name in WAITING_VARIABLES):
        os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
        os.environ["GOMP_SPINCOUNT"] = "0"
    return "torch" not in sys.modules


def set_thread_numbers() -> None:
    """
    Limits the threads of PyTorch and NumPy to `available_cores`, unless the user has set one of
    `THREAD_NUMBER_VARIABLES`. By themselves they respect the CPU affinity, but not CPU quotas.
    """
    if any(name in os.environ for name in THREAD_NUMBER_VARIABLES):
        return
    cores = available_cores()
    if "torch" not in sys.modules and cores < (os.cpu_count() or 1):
        os.environ["OMP_NUM_THREADS"] = str(cores)
    limit_threads(cores)


def limit_threads(number: int) -> None:
    """
    Limits the threads of PyTorch and NumPy, if loaded. A forked process needs one: OpenMP's other
    threads do not exist in it, and a parallel loop would wait for them forever.
    """
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(min(number, torch.get_num_threads()))
    limit_numpy_threads(number)


def limit_numpy_threads(number: int) -> None:
    numpy = sys.modules.get("numpy._core._multiarray_umath")
    if numpy is not None:
        # NumPy has no function for the threads of the OpenBLAS that its wheels bring along.
        blas = ctypes.CDLL(numpy.__file__)
        if hasattr(blas, "scipy_openblas_set_num_threads64_"):
            now = blas.scipy_openblas_get_num_threads64_()
            blas.scipy_openblas_set_num_threads64_(min(number, now))


@cache
def use_one_thread_in_forks() -> None:
    """
    Limits forked child processes, such as a data loader's workers, to one thread. Hugging Face's
    tokenizers would warn of forks, unless a variable forbids them threads.
    """
    # Windows has no forks.
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=partial(os.environ.setdefault, "TOKENIZERS_PARALLELISM", "false"),
            after_in_child=partial(limit_threads, 1),
        )


def available_cores(root: Path = Path("/")) -> int:
    """
    Returns the number of cores for this process: its CPU affinity, limited by the CPU quotas of its
    cgroup and the enclosing cgroups (cgroups(7)), rounded up. `root` has `proc` and `sys`.
    """
    if hasattr(os, "sched_getaffinity"):
        cores: float = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    for line in _text(root / "proc/self/cgroup").splitlines():
        # The second version of cgroups names no controllers here.
        _, controllers, path = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        mount = root / "sys/fs/cgroup" / ("cpu" if controllers else "")
        files = ("cpu.cfs_quota_us", "cpu.cfs_period_us") if controllers else ("cpu.max",)
        group = PurePath(path.lstrip("/"))
        # A container may see its own cgroup as the mount, whatever its path.
        for folder in (group, *group.parents):
            limits = " ".join(_text(mount / folder / name) for name in files).split()
            if len(limits) == 2 and all(map(str.isdecimal, limits)):
                cores = min(cores, int(limits[0]) / int(limits[1]))
    return max(1, math.ceil(cores))


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
