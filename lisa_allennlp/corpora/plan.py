"""
The plan of a run: which rows are in which shard, and the folder that holds the shards.

    DIR/manifest.json                             the plan
    DIR/shard-00007-of-00120.jsonl                labelled rows
    DIR/errors/shard-00007-of-00120.jsonl         rows that could not be labelled, if any
    DIR/summary.json                              written when there are all shards

Every file is complete or absent, and a shard that is there is finished. Several processes may write
the same shard at once, because their temporary files have different names, and the same rows give
the same bytes.

    >>> cut([InputFile("a.txt", "text", 9, 0), InputFile("b.txt", "text", 9, 0)], 1)
    [[Segment(file=0, offset=0, number=1, rows=1)], [Segment(file=1, offset=0, number=1, rows=1)]]
"""

import json
import os
import re
import socket
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Sequence

from lisa_allennlp import pretrained
from lisa_allennlp.common.complete_files import PARTIAL, complete_file
from lisa_allennlp.common.digests import digest_of_path
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.corpora.inputs import InputFile, row_starts
from lisa_allennlp.data.json_values import shown
from lisa_allennlp.labelling.input_formats import ID_COLUMN
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.loading import load_labeller
from lisa_allennlp.version import VERSION

FORMAT = 2
"""Increased whenever a change makes older manifests unusable."""

_OURS = re.compile(
    r"(manifest\.json|summary\.json|shard-\d+-of-\d+\.(jsonl|jsonl\.gz|parquet))"
    rf"(\..+{re.escape(PARTIAL)})?"
)


@dataclass(frozen=True)
class Options:
    """
    What a command asks for.

    # Parameters

    model : `Dict[str, Any]`
        The arguments of `load_labeller`, at least `model`.
    input_format : `str`, optional (default = by the names)
        One of `CORPUS_FORMATS`.
    ending : `str`, optional (default = `"jsonl"`)
        One of `SHARD_FORMATS`.
    text_column : `str`, optional
        The column with a document's text, instead of `text`, `sentence` or `tokens`.
    keep : `List[str]`, optional (default = all)
        The other columns to copy to the output.
    """

    paths: List[str]
    model: Dict[str, Any]
    input_format: Optional[str] = None
    ending: str = "jsonl"
    rows_per_shard: int = 10_000
    text_column: Optional[str] = None
    id_column: str = ID_COLUMN
    keep: Optional[List[str]] = None

    def conditions(self) -> Dict[str, Any]:
        """Describes what the answers and shards depend on, beside the inputs."""
        described = {**asdict(self), **self.model, "package": VERSION, "model": self.digest()}
        for name in ("paths", "input_format", "weights_file"):
            described.pop(name, None)
        return described

    def open(self, device: int = -1) -> Labeller:
        """Opens the model on a GPU or, with -1, on the CPU."""
        others = {key: value for key, value in self.model.items() if key != "model"}
        return load_labeller(self.model["model"], device=device, **others)

    def digest(self) -> str:
        """Computes the SHA-256 of the model's files."""
        digest = digest_of_path(pretrained.resolve(self.model["model"]))
        weights_file = self.model.get("weights_file")
        return digest if weights_file is None else f"{digest}+{digest_of_path(weights_file)}"


class Segment(NamedTuple):
    """Consecutive rows of an input, by its position, from a place of `row_starts` on."""

    file: int
    offset: int
    number: int
    rows: int


@dataclass
class Plan:
    """The conditions of the options, the inputs, and the segments of each shard."""

    conditions: Dict[str, Any]
    inputs: List[InputFile]
    shards: List[List[Segment]]
    format: int = FORMAT

    def rows_of(self, shards: Sequence[int]) -> int:
        """Counts the rows of shards, by their 0-based positions."""
        return sum(segment.rows for shard in shards for segment in self.shards[shard])


def cut(files: Sequence[InputFile], size: int) -> List[List[Segment]]:
    """Cuts the rows of all files into shards of `size` rows; the last one may be smaller."""
    shards: List[List[List[int]]] = []
    room = 0
    for position, file in enumerate(files):
        for offset, number in row_starts(file):
            if not room:
                shards.append([])
                room = size
            room -= 1
            if shards[-1] and shards[-1][-1][0] == position:
                shards[-1][-1][3] += 1
            else:
                shards[-1].append([position, offset, number, 1])
    return [[Segment(*segment) for segment in shard] for shard in shards]


class OutputFolder:
    """A folder, existing or not, for shards whose names have this ending."""

    def __init__(self, path: str, ending: str) -> None:
        self.path = Path(path)
        self.manifest = self.path / "manifest.json"
        self.summary = self.path / "summary.json"
        self.errors = self.path / "errors"
        self._ending = ending

    def shard(self, shard: int, of: int) -> Path:
        """Names a shard, by its 0-based position."""
        return self.path / f"shard-{shard + 1:05}-of-{of:05}.{self._ending}"

    def error_file(self, shard: int, of: int) -> Path:
        """Names the file of a shard's rows that could not be labelled."""
        return self.errors / f"shard-{shard + 1:05}-of-{of:05}.jsonl"

    def plan(self, conditions: Dict[str, Any], inputs: List[InputFile], size: int) -> Plan:
        """
        Reads the plan, or makes and writes it if there is none, with shards of `size` rows.

        # Raises

        `ConfigurationError`
            If the plan is not what is asked for, or an input cannot be read.
        """
        if self.manifest.exists():
            plan = self._read_plan()
            self._check_same(conditions, plan.conditions)
            self._check_same(_described(inputs), _described(plan.inputs))
            return plan
        for path in self._own_files():
            if not path.name.endswith(PARTIAL):
                raise ConfigurationError(
                    f"--output: found {path}, but no {self.manifest.name} in {self.path}; "
                    "expected another folder, or --force to start anew"
                )
        plan = Plan(conditions, inputs, cut(inputs, size))
        self.errors.mkdir(parents=True, exist_ok=True)
        with writing(self.manifest) as partial:
            partial.write_text(json.dumps(asdict(plan)) + "\n", encoding="utf-8")
        return plan

    def _read_plan(self) -> Plan:
        try:
            found = json.loads(self.manifest.read_text(encoding="utf-8"))
            if found["format"] != FORMAT:
                raise ValueError(f"format {found['format']}")
            inputs = [InputFile(*file) for file in found["inputs"]]
            shards = [[Segment(*segment) for segment in shard] for shard in found["shards"]]
            return Plan(found["conditions"], inputs, shards)
        except (ValueError, KeyError, TypeError) as error:
            raise ConfigurationError(
                f"{self.manifest}: found no manifest of this version of lisa annotate ({error}); "
                "expected one, or --force to start anew"
            ) from error

    def _check_same(self, found: Dict[str, Any], expected: Dict[str, Any]) -> None:
        for name in dict.fromkeys([*found, *expected]):
            if found.get(name) != expected.get(name):
                raise ConfigurationError(
                    f"{self.manifest}: found {name} {shown(found.get(name), 80)}; expected "
                    f"{shown(expected.get(name), 80)} of the run that began there, or --force to "
                    "start anew"
                )

    def _own_files(self) -> List[Path]:
        """The files of this folder that `lisa annotate` writes."""
        files = sorted([*self.path.glob("*"), *self.errors.glob("*")])
        return [path for path in files if _OURS.fullmatch(path.name)]

    def clear(self, partial_only: bool = False) -> None:
        """Removes the files of earlier runs, and no others; or only those of killed processes."""
        for path in self._own_files():
            if path.name.endswith(PARTIAL) or not partial_only:
                path.unlink(missing_ok=True)


def writing(path: Path) -> "AbstractContextManager[Path]":
    """Writes as `complete_file` does, with a temporary name that no other process uses."""
    name = f"{path.name}.{socket.gethostname()}-{os.getpid()}{PARTIAL}"
    return complete_file(path, path.with_name(name))


def _described(inputs: Sequence[InputFile]) -> Dict[str, Any]:
    described: Dict[str, Any] = {"inputs": [file.path for file in inputs]}
    for file in inputs:
        described[f"{file.path} as"] = file.format
        described[f"{file.path} with the size and time of change"] = [file.size, file.modified]
    return described
