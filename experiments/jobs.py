"""The commands of an experiment, and whether they are done."""

import json
import shlex
import tarfile
import zlib
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Dict, List, Mapping, Tuple


@dataclass(frozen=True)
class Job(ABC):
    """
    A `lisa` command.

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

    @abstractmethod
    def arguments(self) -> List[str]:
        """The arguments of `lisa`, given the files of earlier runs."""

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
        return " ".join([*variables, "lisa", *map(shlex.quote, self.arguments())])


@dataclass(frozen=True)
class Training(Job):
    """Trains a network in the folder `output`, or continues an interrupted training there."""

    config: str = ""
    overrides: Mapping[str, Any] = field(default_factory=dict)

    @property
    def model(self) -> Path:
        """The trained model."""
        return self.output / "model.tar.gz"

    def arguments(self) -> List[str]:
        """As in `Job`."""
        arguments = ["train", self.config, "-s", str(self.output)]
        if self.overrides:
            arguments += ["-o", json.dumps(self.overrides)]
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
        return self.model.stat().st_mtime_ns >= metrics.stat().st_mtime_ns and _is_whole(self.model)


@dataclass(frozen=True)
class _FromFiles(Job):
    """
    Makes a file from a trained model and data.

    # Parameters

    data : `Tuple[Path, ...]`, optional
        The corpus files and folders that the command reads.
    command : `Tuple[str, ...]`, optional
        The arguments of `lisa`.
    """

    data: Tuple[Path, ...] = ()
    command: Tuple[str, ...] = ()

    def arguments(self) -> List[str]:
        """As in `Job`."""
        return list(self.command)

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


class Evaluating(_FromFiles):
    """Writes the scores of a model to the JSON file `output`."""

    def scores(self) -> Dict[str, float]:
        """The scores. The job must be done."""
        return json.loads(self.output.read_text())


class Parsing(_FromFiles):
    """Writes a parser's trees to the CoNLL-U file `output`."""


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
