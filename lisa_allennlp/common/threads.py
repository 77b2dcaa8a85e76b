"""
Sets the number of threads of PyTorch and NumPy, and how they wait. Importing this module
imports neither.

At the end of every parallel loop, OpenMP's threads spin for a few milliseconds before they sleep.
If two threads share a core, one spins while the other has work to do. This wastes processor time
whenever another program is busy, a container has a CPU quota, or the process is pinned to a core
after its start.

    >>> 1 <= available_cores() <= os.cpu_count()
    True
"""

import ctypes
import math
import os
import re
import sys
from functools import partial
from pathlib import Path, PurePath
from typing import Iterator, Optional

WAITING_VARIABLES = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME")
"""The variables that OpenMP's libraries read when they are loaded. GNU's library reads the first
two, LLVM's and Intel's the first and the last."""

THREAD_NUMBER_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS")


def set_passive_waiting() -> bool:
    """
    Makes OpenMP's threads sleep while they wait, in this process and its child processes, unless
    the user has set one of `WAITING_VARIABLES`.

    # Returns

    `bool`
        Whether the variables take effect in this process. `False` if PyTorch is already loaded,
        since OpenMP reads its variables once, when it is loaded.
    """
    if not any(name in os.environ for name in WAITING_VARIABLES):
        os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
        os.environ["GOMP_SPINCOUNT"] = "0"
    return "torch" not in sys.modules


def set_thread_numbers() -> None:
    """
    Limits the threads of PyTorch and NumPy to `available_cores`, unless the user has set one of
    `THREAD_NUMBER_VARIABLES`. They respect the machine's cores and the process's CPU affinity, but
    not CPU quotas.
    """
    if any(name in os.environ for name in THREAD_NUMBER_VARIABLES):
        return
    cores = available_cores()
    if "torch" not in sys.modules and cores < (os.cpu_count() or 1):
        os.environ["OMP_NUM_THREADS"] = str(cores)
    limit_threads(cores)


def limit_threads(number: int) -> None:
    """
    Limits the threads of PyTorch and NumPy, as far as they are loaded. A forked process needs one:
    OpenMP's other threads do not exist in it, and a parallel loop would wait for them forever.
    """
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(min(number, torch.get_num_threads()))
    limit_numpy_threads(number)


def limit_numpy_threads(number: int) -> None:
    """Limits the threads of NumPy, if it is loaded."""
    numpy = sys.modules.get("numpy._core._multiarray_umath")
    if numpy is not None:
        # NumPy has no function for the threads of the OpenBLAS that its wheels bring along.
        blas = ctypes.CDLL(numpy.__file__)
        if hasattr(blas, "scipy_openblas_set_num_threads64_"):
            now = blas.scipy_openblas_get_num_threads64_()
            blas.scipy_openblas_set_num_threads64_(min(number, now))


def use_one_thread_in_forks() -> None:
    """
    Limits forked child processes, such as a data loader's workers, to one thread. OpenMP's other
    threads do not exist in a fork, and a parallel loop would wait for them forever. Hugging Face's
    tokenizers would do so, too, or warn of it, if a variable did not forbid them threads.
    """
    if hasattr(os, "register_at_fork"):
        tokenizers = _TokenizersVariable()
        os.register_at_fork(
            before=tokenizers.set_false,
            after_in_parent=tokenizers.restore,
            after_in_child=partial(limit_threads, 1),
        )


class _TokenizersVariable:
    """Is false in forks, and keeps the user's value in their parent."""

    _name = "TOKENIZERS_PARALLELISM"
    _value: Optional[str] = None

    def set_false(self) -> None:
        self._value = os.environ.get(self._name)
        os.environ[self._name] = "false"

    def restore(self) -> None:
        if self._value is None:
            del os.environ[self._name]
        else:
            os.environ[self._name] = self._value


def available_cores(root: Path = Path("/")) -> int:
    """
    The number of cores that this process can keep busy: the cores of its CPU affinity, limited by
    the CPU quotas of its cgroup and the enclosing cgroups. Fractions are rounded up.

    # Parameters

    root : `Path`, optional (default = `Path("/")`)
        The folder that has `proc` and the cgroups.
    """
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    return max(1, min([cores, *map(math.ceil, _quotas(root))]))


def _quotas(root: Path) -> Iterator[float]:
    """The CPU quotas of the cgroups, in cores, where cgroups(7) says that systems have them."""
    groups = re.findall(r"^\d+:([^:]*):/(.*)$", _text(root / "proc/self/cgroup"), re.MULTILINE)
    for controllers, path in groups:
        if controllers and "cpu" not in controllers.split(","):
            continue
        mount = root / "sys/fs/cgroup" / ("cpu" if controllers else "")
        # A container may see its own cgroup as the mount, whatever its path.
        for folder in [mount / path, *(mount / parent for parent in PurePath(path).parents)]:
            limit = f"{_text(folder / 'cpu.cfs_quota_us')} {_text(folder / 'cpu.cfs_period_us')}"
            match = re.match(r"(\d+)\s+(\d+)", _text(folder / "cpu.max") or limit)
            if match is not None:
                yield int(match[1]) / int(match[2])


def _text(path: Path) -> str:
    """The content of a file of the kernel; empty if it cannot be read."""
    try:
        return path.read_text()
    except OSError:
        return ""
