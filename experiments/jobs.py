"""
The commands of an experiment: whether they are done, and how they run. Each runs in its own
process, and a repeated run continues after the last complete one.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tarfile
import time
import zlib
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from lisa_allennlp.training import callbacks

LISA = "lisa_allennlp"
"""The module of the command `lisa`."""


@dataclass(frozen=True)
class Job(ABC):
    """
    A command of `lisa` or of another module, as in `python -m`. It writes the file or folder
    `output` and reads the outputs of the jobs `needs`; its unique name is also that of its log.
    """

    name: str
    output: Path
    needs: Tuple["Job", ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    module: str = LISA

    @property
    def model(self) -> Path:
        """The model that the command makes, if it makes one."""
        return self.output

    @abstractmethod
    def arguments(self) -> List[str]:
        """Returns the arguments of the command, given the files of earlier runs."""

    @abstractmethod
    def is_done(self) -> bool:
        """Returns whether the output is complete and was made from the current inputs."""

    def prepare(self) -> None:
        self.output.parent.mkdir(parents=True, exist_ok=True)

    def finish(self) -> None:  # noqa: B027
        """Records that the command has succeeded, if the output does not show it."""

    def command_line(self) -> str:
        """Returns the command as a line of a shell script; a comment if it is done."""
        variables = [f"{name}={shlex.quote(value)}" for name, value in self.environment.items()]
        command = ["lisa"] if self.module == LISA else ["python", "-m", self.module]
        line = " ".join([*variables, *command, *map(shlex.quote, self.arguments())])
        return f"# done: {line}" if self.is_done() else line


@dataclass(frozen=True)
class Training(Job):
    """
    Trains a network in the folder `output`, or continues an interrupted training there. Trainings
    with different seeds share the network's name; without a seed, the config's own is used.
    """

    network: str = ""
    config: str = ""
    overrides: Mapping[str, Any] = field(default_factory=dict)
    seed: Optional[int] = None
    max_hours: Optional[float] = None
    # Packages with classes that the overrides name.
    packages: Tuple[str, ...] = ()
    # What makes the model from whose weights this training starts; one of `needs`.
    start: Optional[Job] = None

    @property
    def model(self) -> Path:
        return self.output / "model.tar.gz"

    def arguments(self) -> List[str]:
        arguments = ["train", self.config, "-s", str(self.output)]
        arguments += [word for package in self.packages for word in ("--include-package", package)]
        overrides = dict(self.overrides)
        if self.seed is not None:
            seeds = ("random_seed", "numpy_seed", "pytorch_seed")
            overrides = {**dict.fromkeys(seeds, self.seed), **overrides}
        if overrides:
            arguments += ["-o", json.dumps(overrides)]
        if (self.output / "config.json").exists():
            return [*arguments, "--recover"]
        if self.start is not None:
            arguments += ["--from", str(self.start.model)]
        # An earlier run was interrupted before it wrote anything to continue from.
        return [*arguments, "--force"] if self.output.exists() else arguments

    def is_done(self) -> bool:
        # An interrupted training also leaves a model, that of its best epoch. A complete training
        # writes its metrics and then its model, so the model is at least as new.
        metrics = self.output / "metrics.json"
        if not metrics.exists() or not self.model.exists():
            return False
        cut = self.cut()
        if cut is not None and (self.max_hours is None or self.max_hours > cut["max_hours"]):
            return False
        written = self.model.stat().st_mtime_ns
        return written >= metrics.stat().st_mtime_ns and _is_whole(self.model, written)

    def cut(self) -> Optional[Dict[str, Any]]:
        """Returns what the callback `time_limit` recorded, if the limit ended the training."""
        record = self.output / callbacks.TIME_LIMIT_NAME
        return json.loads(record.read_text()) if record.exists() else None

    def epochs_done(self) -> int:
        files = self.output.glob("metrics_epoch_*.json")
        return sum(re.fullmatch(r"metrics_epoch_\d+", file.stem) is not None for file in files)


@dataclass(frozen=True)
class FromFiles(Job):
    """Makes `output` by the arguments `command` from trained models and the corpus's `data`."""

    data: Tuple[Path, ...] = ()
    command: Tuple[str, ...] = ()
    # Files that the command writes beside the output.
    beside: Tuple[Path, ...] = ()

    def arguments(self) -> List[str]:
        arguments = list(self.command)
        # An earlier run was interrupted, or an input has changed.
        needs_force = self.module == LISA and arguments[0] != "prepare"
        exists = any(path.exists() for path in (self.output, *self.beside))
        is_replaced = needs_force and exists and "--force" not in arguments
        return [*arguments, "--force"] if is_replaced else arguments

    def is_done(self) -> bool:
        """Returns whether no input has changed since the output was written."""
        if not self.output.exists() or not self._record.exists():
            return False
        if not all(job.is_done() for job in self.needs):
            return False
        return json.loads(self._record.read_text()) == self._state()

    def prepare(self) -> None:
        super().prepare()
        self._record.unlink(missing_ok=True)

    def finish(self) -> None:
        self._record.write_text(json.dumps(self._state(), indent=2) + "\n")

    @property
    def _record(self) -> Path:
        return self.output.with_name(f"{self.output.name}.inputs")

    def _state(self) -> Dict[str, Any]:
        made = [job.model for job in self.needs]
        inputs = {str(path): _fingerprint(path) for path in (*made, *self.data)}
        return {"command": list(self.command), "inputs": inputs}


class Evaluating(FromFiles):
    def scores(self) -> Dict[str, float]:
        return json.loads(self.output.read_text())

    def missing(self, metric: str) -> str:
        return f"{self.output} has no {metric}; delete it to evaluate again"


class Analysing(FromFiles):
    """Writes the analysis of several systems to `output`, the JSON file of its report."""

    def scores(self) -> Dict[str, float]:
        """
        Returns the figures of LISA's Tables 6 and 8, by column and row: `L+/D- SA` is SA's mean F1
        of the sentences that LISA parses wholly right, and D&M not. `L+/D- D&M LAS` is D&M's mean
        LAS of these sentences. The job must be done.
        """
        scores: Dict[str, float] = {}
        for table in json.loads(self.output.read_text(encoding="utf-8"))["parses"]:
            if set(table["parsers"]) != {"LISA", "D&M"} or not table["labelled"]:
                continue
            for group in table["groups"]:
                signs = {name: "+" if right else "-" for name, right in group["right"].items()}
                column = f"L{signs['LISA']}/D{signs['D&M']}"
                scores[f"{column} Proportion"] = group["percent"]
                for name, mean in group["means"].items():
                    if mean["sentences"]:
                        scores[f"{column} {name}"] = mean["mean"]
                for parser, las in group["las"].items():
                    scores[f"{column} {parser} LAS"] = las
        return scores

    def missing(self, metric: str) -> str:
        return f"no sentence with arguments is {metric.partition(' ')[0]}"


@cache
def _is_whole(archive: Path, time: int) -> bool:
    try:
        with tarfile.open(archive) as opened:
            opened.getnames()
    except (tarfile.TarError, EOFError, OSError, zlib.error):
        return False
    return True


def _fingerprint(path: Path) -> List[List[Any]]:
    """Returns name, size and modification time of a file, or of all files in a folder."""
    files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
    stats = [(file.name, file.stat()) for file in files]
    return [[name, stat.st_size, stat.st_mtime_ns] for name, stat in stats]


def run_jobs(
    jobs: Sequence[Job],
    logs: Path,
    failures: Optional[Dict[str, str]] = None,
    after_each: Callable[[], None] = lambda: None,
) -> Dict[str, str]:
    """
    Runs the jobs that are not done, with their output in log files. Failed jobs, and the jobs that
    need them, are added with their reasons to `failures`, which is returned; all other jobs run.
    """
    failures = {} if failures is None else failures
    for number, job in enumerate(jobs, start=1):
        place = f"[{number}/{len(jobs)}]"
        failed = next((need.name for need in job.needs if need.name in failures), None)
        if failed is not None:
            failures[job.name] = failures[failed]
            _say(f"{place} {job.name}: skipped, since {failed} failed")
        elif job.is_done():
            _say(f"{place} {job.name}: already done, {job.output}")
        else:
            reason = _run(job, place, logs / f"{job.name}.log")
            if reason:
                failures[job.name] = reason
        after_each()
    return failures


def _run(job: Job, place: str, log: Path) -> str:
    """Runs a job; returns why it failed, or nothing."""
    log.parent.mkdir(parents=True, exist_ok=True)
    arguments = job.arguments()
    continues = " continues" if "--recover" in arguments else ""
    _say(f"{place} {job.name}{continues}: log in {log}")
    job.prepare()
    started = time.monotonic()
    if run_module(job.module, arguments, job.environment, log):
        reason = f"{job.name} failed: {_last_words(log)} (log: {log})"
        _say(f"{place} {reason}")
        return reason
    job.finish()
    _say(f"{place} {job.name}: {time.monotonic() - started:.0f} s")
    return ""


def run_module(
    module: str, arguments: Sequence[str], environment: Mapping[str, str], log: Path
) -> int:
    """
    Runs a module in another process, to free its memory afterwards, and returns its exit status.
    An interrupt of this process also ends the other.
    """
    with open(log, "a", encoding="utf-8") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
        )
        try:
            return process.wait()
        except BaseException:
            # Not killed: a training needs time to save the model of its best epoch.
            process.terminate()
            process.wait()
            raise


def _last_words(log: Path) -> str:
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    words = lines[-1] if lines else "no message"
    return words.removeprefix("lisa: error: ").removesuffix(" (lisa --debug shows the traceback)")


def _say(line: str) -> None:
    print(line, flush=True)
