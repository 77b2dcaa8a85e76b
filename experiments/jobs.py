"""The commands of an experiment, and whether they are done."""

import json
import re
import shlex
import tarfile
import zlib
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Tuple

from lisa_allennlp.training import time_limit

LISA = "lisa_allennlp"
"""The module of the command `lisa`."""


@dataclass(frozen=True)
class Job(ABC):
    """
    A command: `lisa`, or another module of Python.

    # Parameters

    name : `str`
        A unique name, also of the job's log.
    output : `Path`
        The file or folder that the command writes.
    needs : `Tuple[Job, ...]`
        The jobs whose outputs the command reads.
    environment : `Mapping[str, str]`, optional
        The environment variables that the command reads.
    """

    name: str
    output: Path
    needs: Tuple["Job", ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def module(self) -> str:
        """The module to run, as in `python -m`."""
        return LISA

    @abstractmethod
    def arguments(self) -> List[str]:
        """The arguments of the command, given the files of earlier runs."""

    @abstractmethod
    def is_done(self) -> bool:
        """Whether the output is complete and was made from the current inputs."""

    def prepare(self) -> None:
        """Creates the folder for the output."""
        self.output.parent.mkdir(parents=True, exist_ok=True)

    def finish(self) -> None:  # noqa: B027
        """Records that the command has succeeded, if the output does not show it."""

    def command_line(self) -> str:
        """The command as a line of a shell script."""
        variables = [f"{name}={shlex.quote(value)}" for name, value in self.environment.items()]
        command = ["lisa"] if self.module == LISA else ["python", "-m", self.module]
        return " ".join([*variables, *command, *map(shlex.quote, self.arguments())])


@dataclass(frozen=True)
class Training(Job):
    """
    Trains a network in the folder `output`, or continues an interrupted training there.

    # Parameters

    network : `str`, optional
        The network's name, which trainings with different seeds share.
    config : `str`, optional
        The config file.
    overrides : `Mapping[str, Any]`, optional
        The overrides of the config, without those of the seed.
    seed : `int`, optional
        The random seed; the config's own if `None`.
    max_hours : `float`, optional
        The limit of wall-clock time.
    """

    network: str = ""
    config: str = ""
    overrides: Mapping[str, Any] = field(default_factory=dict)
    seed: Optional[int] = None
    max_hours: Optional[float] = None

    @property
    def model(self) -> Path:
        """The trained model."""
        return self.output / "model.tar.gz"

    def arguments(self) -> List[str]:
        """As in `Job`."""
        arguments = ["train", self.config, "-s", str(self.output)]
        overrides = dict(self.overrides)
        if self.seed is not None:
            seeds = ("random_seed", "numpy_seed", "pytorch_seed")
            overrides = {**dict.fromkeys(seeds, self.seed), **overrides}
        if overrides:
            arguments += ["-o", json.dumps(overrides)]
        if (self.output / "config.json").exists():
            return [*arguments, "--recover"]
        # An earlier run was interrupted before it wrote anything to continue from.
        return [*arguments, "--force"] if self.output.exists() else arguments

    def is_done(self) -> bool:
        """
        As in `Job`. An interrupted training also leaves a model, that of its best epoch. A complete
        training writes its metrics and then its model, so the model is at least as new.
        """
        metrics = self.output / "metrics.json"
        if not metrics.exists() or not self.model.exists():
            return False
        cut = self.cut()
        if cut is not None and (self.max_hours is None or self.max_hours > cut["max_hours"]):
            return False
        return self.model.stat().st_mtime_ns >= metrics.stat().st_mtime_ns and _is_whole(self.model)

    def cut(self) -> Optional[Dict[str, Any]]:
        """What the callback `time_limit` recorded, if the limit ended the training."""
        record = self.output / time_limit.FILE_NAME
        return json.loads(record.read_text()) if record.exists() else None

    def epochs_done(self) -> int:
        """The number of epochs that have been completed so far."""
        files = self.output.glob("metrics_epoch_*.json")
        return sum(re.fullmatch(r"metrics_epoch_\d+", file.stem) is not None for file in files)


@dataclass(frozen=True)
class FromFiles(Job):
    """
    Makes a file from a trained model and data.

    # Parameters

    data : `Tuple[Path, ...]`, optional
        The corpus files and folders that the command reads.
    command : `Tuple[str, ...]`, optional
        The arguments of the command.
    """

    data: Tuple[Path, ...] = ()
    command: Tuple[str, ...] = ()

    def arguments(self) -> List[str]:
        """As in `Job`."""
        arguments = list(self.command)
        # An earlier run was interrupted, or an input has changed.
        is_replaced = self.module == LISA and self.output.exists() and "--force" not in arguments
        return [*arguments, "--force"] if is_replaced else arguments

    def is_done(self) -> bool:
        """As in `Job`: no input has changed since the output was written."""
        if not self.output.exists() or not self._record.exists():
            return False
        if not all(job.is_done() for job in self.needs):
            return False
        return json.loads(self._record.read_text()) == self._state()

    def prepare(self) -> None:
        """As in `Job`."""
        super().prepare()
        self._record.unlink(missing_ok=True)

    def finish(self) -> None:
        """As in `Job`."""
        self._record.write_text(json.dumps(self._state(), indent=2) + "\n")

    @property
    def _record(self) -> Path:
        return self.output.with_name(f"{self.output.name}.inputs")

    def _state(self) -> Dict[str, Any]:
        made = [job.model if isinstance(job, Training) else job.output for job in self.needs]
        inputs = {str(path): _fingerprint(path) for path in (*made, *self.data)}
        return {"command": list(self.command), "inputs": inputs}


class Evaluating(FromFiles):
    """Writes the scores of a model to the JSON file `output`."""

    def scores(self) -> Dict[str, float]:
        """The scores. The job must be done."""
        return json.loads(self.output.read_text())

    def missing(self, metric: str) -> str:
        """Why there is no such score."""
        return f"{self.output} has no {metric}; delete it to evaluate again"


class Analysing(FromFiles):
    """Writes the analysis of several systems to `output`, the JSON file of its report."""

    @property
    def page(self) -> Path:
        """The report to read."""
        return self.output.with_suffix(".html")

    def scores(self) -> Dict[str, float]:
        """
        The figures of LISA's Tables 6 and 8, by column and row: `L+/D- SA` is SA's mean F1 of the
        sentences that LISA parses wholly right, and D&M not. The job must be done.
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
        return scores

    def missing(self, metric: str) -> str:
        """Why there is no such score."""
        return f"no sentence with arguments is {metric.partition(' ')[0]}"


class Predicting(FromFiles):
    """Writes a model's predictions to the file `output`: trees as CoNLL-U, roles as JSON lines."""


class Drawing(FromFiles):
    """Draws a figure of trainings to the file `output`."""

    @property
    def module(self) -> str:
        """As in `Job`."""
        return "experiments.supertagger_plots"


def _is_whole(archive: Path) -> bool:
    return _can_be_unpacked(archive, archive.stat().st_mtime_ns)


@cache
def _can_be_unpacked(archive: Path, time: int) -> bool:
    """Whether an archive is complete. `time` makes the cache distinguish versions of a file."""
    try:
        with tarfile.open(archive) as opened:
            opened.getnames()
    except (tarfile.TarError, EOFError, OSError, zlib.error):
        return False
    return True


def _fingerprint(path: Path) -> List[List[Any]]:
    """Name, size and modification time of a file, or of all files in a folder."""
    files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
    stats = [(file.name, file.stat()) for file in files]
    return [[name, stat.st_size, stat.st_mtime_ns] for name, stat in stats]
