"""
The plan of a run: which rows are in which shard. `DIR/manifest.json` holds it.

    >>> files = [InputFile("a.txt", "lines", 9, 0), InputFile("b.txt", "lines", 9, 0)]
    >>> starts = {"a.txt": [Start(0, 1), Start(4, 3)], "b.txt": [Start(0, 1)]}
    >>> for shard in cut(files, 2, lambda file: starts[file.path]):
    ...     print(shard)
    [Segment(file=0, offset=0, number=1, rows=2)]
    [Segment(file=1, offset=0, number=1, rows=1)]
    >>> [file.rows for file in files]
    [2, 1]
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Sequence

from allennlp.common.checks import ConfigurationError

from lisa_allennlp.annotation.input_files import InputFile, Start
from lisa_allennlp.common.digests import digest_of_file
from lisa_allennlp.labelling.errors import shown

FORMAT = 1
"""Increased whenever a change makes older manifests unusable."""


class Segment(NamedTuple):
    """
    Consecutive rows of a file.

    # Parameters

    file : `int`
        The position of the file among the inputs.
    offset, number : `int`
        As in `Start`.
    rows : `int`
    """

    file: int
    offset: int
    number: int
    rows: int


@dataclass
class Plan:
    """
    # Parameters

    conditions : `Dict[str, Any]`
        What the answers depend on, beside the inputs: by name, the model's digest, the version of
        the package and the options.
    inputs : `List[InputFile]`
    shards : `List[List[Segment]]`
    schema : `str`, optional (default = `""`)
        The schema of Parquet shards, in base 64.
    """

    conditions: Dict[str, Any]
    inputs: List[InputFile]
    shards: List[List[Segment]]
    schema: str = ""

    @property
    def rows(self) -> int:
        """The number of rows of all inputs."""
        return sum(file.rows for file in self.inputs)

    def rows_of(self, shard: int) -> int:
        """The number of rows of a shard, by its 0-based position."""
        return sum(segment.rows for segment in self.shards[shard])

    def digest(self) -> str:
        """Equal for the same rows under the same conditions, whenever the files were changed."""
        inputs = [{**asdict(file), "modified": None} for file in self.inputs]
        described = [self.conditions, inputs, self.shards, self.schema]
        return hashlib.sha256(_json(described).encode()).hexdigest()

    def to_json(self) -> str:
        """What `read_plan` reads."""
        parts = {
            "format": str(FORMAT),
            "plan": _json(self.digest()),
            "rows": str(self.rows),
            "conditions": _json(self.conditions),
            "schema": _json(self.schema),
            "inputs": _lines(asdict(file) for file in self.inputs),
            "shards": _lines(self.shards),
        }
        return "{\n" + ",\n".join(f'"{name}": {text}' for name, text in parts.items()) + "\n}\n"


def _lines(values: Iterable[Any]) -> str:
    return "[\n" + ",\n".join(f"  {_json(value)}" for value in values) + "\n]"


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def read_plan(text: str, path: str) -> Plan:
    """
    # Parameters

    path : `str`
        Of the manifest, for the error.

    # Raises

    `ConfigurationError`
        If the text is no manifest of this format.
    """
    try:
        found = json.loads(text)
        if found["format"] != FORMAT:
            raise ConfigurationError(
                f"{path}: format is {found['format']}; expected {FORMAT}, or --force to start anew"
            )
        inputs = [InputFile(**file) for file in found["inputs"]]
        shards = [[Segment(*segment) for segment in shard] for shard in found["shards"]]
        plan = Plan(found["conditions"], inputs, shards, found["schema"])
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigurationError(
            f"{path}: found no manifest of lisa annotate ({error}); expected one, or --force to "
            "start anew"
        ) from error
    if plan.digest() != found.get("plan"):
        raise ConfigurationError(
            f"{path}: found another plan than was written; expected --force to start anew"
        )
    return plan


def cut(
    files: Sequence[InputFile], size: int, row_starts: Callable[[InputFile], Iterable[Start]]
) -> List[List[Segment]]:
    """
    Cuts the rows of all files into shards, and counts the rows of each file.

    # Parameters

    size : `int`
        The number of rows of a shard; the last one may be smaller.
    row_starts : `Callable[[InputFile], Iterable[Start]]`
    """
    shards: List[List[Segment]] = []
    room = 0
    for position, file in enumerate(files):
        rows, first = 0, Start(0, 0)
        file.rows = 0
        for start in row_starts(file):
            if rows and room == 0:
                shards[-1].append(Segment(position, *first, rows))
                rows = 0
            if room == 0:
                shards.append([])
                room = size
            if rows == 0:
                first = start
            rows += 1
            room -= 1
            file.rows += 1
        if rows:
            shards[-1].append(Segment(position, *first, rows))
    return shards


def check_conditions(manifest: str, found: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    """
    # Parameters

    manifest : `str`
        The path of the manifest, for the error.
    found, expected : `Mapping[str, Any]`
        The `conditions` of this command and of the manifest.

    # Raises

    `ConfigurationError`
        If they differ; the message names the first difference.
    """
    for name in sorted({*found, *expected}):
        if found.get(name) != expected.get(name):
            raise _difference(
                manifest,
                f"{name} {shown(found.get(name), 80)}",
                shown(expected.get(name), 80),
            )


def check_inputs(manifest: str, found: Sequence[InputFile], expected: Sequence[InputFile]) -> None:
    """
    Compares the inputs of this command with those of the manifest. The content is read only if the
    time of the last change differs.

    # Raises

    `ConfigurationError`
        If they differ; the message names the first difference.
    """
    if len(found) != len(expected):
        raise _difference(manifest, f"{len(found)} input files", f"{len(expected)}")
    for now, then in zip(found, expected, strict=True):
        if now.path != then.path:
            raise _difference(manifest, f"the input {now.path}", then.path)
        if now.format != then.format:
            raise _difference(manifest, f"{now.path} as {now.format}", then.format)
        same_size = now.size == then.size
        if same_size and now.modified == then.modified:
            continue
        if not same_size or digest_of_file(now.path) != then.sha256:
            raise _difference(manifest, f"another content of {now.path}", "the content")


def _difference(manifest: str, found: str, expected: str) -> ConfigurationError:
    return ConfigurationError(
        f"{manifest}: found {found}; expected {expected} of the run that began there, or --force "
        "to start anew"
    )
