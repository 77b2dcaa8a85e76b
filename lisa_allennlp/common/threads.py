"""
Sets the number of PyTorch's threads and how they wait. Importing this module does not import
PyTorch.

At the end of every parallel loop, OpenMP's threads spin for a few milliseconds before they sleep.
If two threads share a core, one spins while the other has work to do. This wastes processor time
whenever another program is busy, a container has a CPU quota, or the process is pinned to a core
after its start.

    >>> 1 <= available_cores() <= os.cpu_count()
    True
"""

import math
import os
import sys
from pathlib import Path, PurePosixPath
from typing import Iterator, List, NamedTuple, Optional

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
    Limits PyTorch's threads to `available_cores`, unless the user has set one of
    `THREAD_NUMBER_VARIABLES`. PyTorch respects the machine's cores and the process's CPU affinity,
    but not CPU quotas.
    """
    if any(name in os.environ for name in THREAD_NUMBER_VARIABLES):
        return
    cores = available_cores()
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(min(cores, torch.get_num_threads()))
    elif cores < (os.cpu_count() or 1):
        os.environ["OMP_NUM_THREADS"] = str(cores)


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
            after_in_child=_use_one_thread,
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


def _use_one_thread() -> None:
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)


def available_cores(root: Path = Path("/")) -> int:
    """
    The number of cores that this process can keep busy: the cores of its CPU affinity, limited by
    the CPU quotas of its cgroup and the enclosing cgroups. Fractions are rounded up, so that the
    process can use its whole quota.

    # Parameters

    root : `Path`, optional (default = `Path("/")`)
        The folder that has `proc` and the cgroups.

    # Returns

    `int`
        At least 1.
    """
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    try:
        quotas = [quota for folder in _cgroup_folders(root) for quota in _quotas(folder)]
    except ValueError:
        # Some sandboxes imitate these files badly. Commands should run there all the same.
        quotas = []
    return max(1, min([cores, *map(math.ceil, quotas)]))


class _Mount(NamedTuple):
    """
    # Parameters

    hierarchy : `str`
        `"cpu"`, or `""` for version 2, as in `/proc/self/cgroup`.
    group : `PurePosixPath`
        The cgroup at the root of the mount.
    folder : `Path`
    """

    hierarchy: str
    group: PurePosixPath
    folder: Path


def _cgroup_folders(root: Path) -> Iterator[Path]:
    """The folders of this process's cgroups that may have a CPU quota, from the innermost out."""
    mounts = _cgroup_mounts(root)
    for line in _lines(root / "proc/self/cgroup"):
        # hierarchy-ID:controller-list:cgroup-path, see cgroups(7).
        _, controllers, path = line.split(":", 2)
        for hierarchy, group, folder in mounts:
            if hierarchy in controllers.split(","):
                inner = _relative(PurePosixPath(path), group)
                for depth in range(len(inner.parts), -1, -1):
                    yield folder.joinpath(*inner.parts[:depth])


def _cgroup_mounts(root: Path) -> List[_Mount]:
    mounts = []
    for line in _lines(root / "proc/self/mountinfo"):
        # See proc_pid_mountinfo(5): six fields, optional ones, a hyphen, and three more.
        fields, _, of_type = line.partition(" - ")
        _, _, _, group, point, *_ = fields.split(" ")
        kind, _, options = of_type.split(" ", 2)
        if kind == "cgroup2" or (kind == "cgroup" and "cpu" in options.split(",")):
            hierarchy = "" if kind == "cgroup2" else "cpu"
            folder = root / point.lstrip("/")
            mounts.append(_Mount(hierarchy, PurePosixPath(group), folder))
    return mounts


def _relative(path: PurePosixPath, group: PurePosixPath) -> PurePosixPath:
    """`path` relative to `group`; empty if a container hides one of them."""
    if group in (path, *path.parents) and ".." not in path.parts:
        return path.relative_to(group)
    return PurePosixPath()


def _quotas(folder: Path) -> Iterator[float]:
    """The CPU quota of one cgroup, in cores, if it has one."""
    # Version 2: "max 100000" or "150000 100000".
    for line in _lines(folder / "cpu.max"):
        limit, period = line.split()
        if limit != "max":
            yield int(limit) / int(period)
    # Version 1: -1 if there is none.
    limits, periods = (_lines(folder / f"cpu.cfs_{name}_us") for name in ("quota", "period"))
    for limit, period in zip(limits, periods, strict=False):
        if int(limit) > 0:
            yield int(limit) / int(period)


def _lines(path: Path) -> List[str]:
    """The lines of a file of the kernel; none if it cannot be read."""
    try:
        return path.read_text().splitlines()
    except OSError:
        return []
