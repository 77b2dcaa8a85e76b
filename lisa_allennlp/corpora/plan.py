"""
The plan of a run: which rows are in which shard, and the folder that holds the shards.

    DIR/manifest.json                             the plan
    DIR/shard-00007-of-00120.jsonl                labelled rows
    DIR/errors/shard-00007-of-00120.jsonl         rows that could not be labelled, if any
    DIR/frames/shard-00007-of-00120.parquet       a row per frame, if tables are asked for
    DIR/spans/shard-00007-of-00120.parquet        a row per span
    DIR/summary.json                              written when there are all shards

Every file is complete or absent, and a shard that is there with its tables is finished. Several
processes may write the same shard at once, because their temporary files have different names, and
the same rows give the same bytes. A process that is killed leaves its temporary files behind.
"""

import hashlib
import json
import os
import re
import socket
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple

from lisa_allennlp import pretrained
from lisa_allennlp.common.complete_files import PARTIAL, complete_file
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.corpora.inputs import InputFile, find_inputs, row_starts
from lisa_allennlp.data.document import SENTENCES
from lisa_allennlp.data.formats.parquet import (
    EXTRA,
    INPUT_KEYS,
    TEXT,
    Columns,
    answer_columns,
    arrow_type,
    open_parquet,
)
from lisa_allennlp.data.formats.role_tables import TABLES, Table, make_tables, role_names
from lisa_allennlp.data.json_values import shown
from lisa_allennlp.data.sentence import ANSWER_KEYS, SentenceRecord
from lisa_allennlp.inference.onnx_runtime import PRECISIONS
from lisa_allennlp.labelling.input_formats import ID_COLUMN, PARQUET
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.loading import load_labeller
from lisa_allennlp.labelling.requests import DOCUMENT_KEY
from lisa_allennlp.model_files.model_folder import digest_of_file
from lisa_allennlp.version import VERSION

MANIFEST = "manifest.json"

FORMAT = 2
"""Increased whenever a change makes older manifests unusable."""

_OURS = re.compile(
    r"\.?(manifest\.json|summary\.json|shard-\d+-of-\d+\.(jsonl|jsonl\.gz|parquet|csv))"
    rf"(\..+{re.escape(PARTIAL)})?"
)


@dataclass(frozen=True)
class Options:
    """What a command asks for."""

    paths: List[str]
    model: Dict[str, Any]
    """The arguments of `load_labeller`, at least `model`."""
    input_format: Optional[str] = None
    """One of `INPUT_FORMATS`; by default that of each file's name."""
    ending: str = "jsonl"
    """One of `SHARD_FORMATS`."""
    rows_per_shard: int = 10_000
    text_column: Optional[str] = None
    """The column with a document's text, unless each file tells it."""
    id_column: str = ID_COLUMN
    keep: Optional[List[str]] = None
    """The other columns to copy to the output; by default all."""
    table: Optional[str] = None
    """The format of the tables of frames and spans, csv or parquet; by default there are none."""
    table_columns: Optional[List[str]] = None
    """The columns of the tables; by default all."""

    def conditions(self) -> Dict[str, Any]:
        """Describes what the answers and shards depend on, beside the inputs."""
        described = {**asdict(self), **self.model, "package": VERSION, "model": self.digest()}
        for name in ("paths", "input_format", "weights_file"):
            described.pop(name, None)
        if described.get("engine") == "onnx" and described["precision"] is None:
            described["precision"] = PRECISIONS[0]
        if described.get("adaptation") is not None:
            described["adaptation"] = digest_of_file(Path(described["adaptation"]))
        for name in ("table", "table_columns"):
            # Manifests of runs without tables do not have them.
            if described[name] is None:
                del described[name]
        return described

    def open(self, device: int = -1) -> Labeller:
        """Opens the model on a GPU or, with -1, on the CPU."""
        others = {key: value for key, value in self.model.items() if key != "model"}
        return load_labeller(self.model["model"], device=device, **others)

    def make_tables(self, labeller: Labeller) -> Dict[str, Table]:
        """Makes the tables of frames and spans, which only a model of roles has."""
        if not labeller.roles:
            raise ConfigurationError(
                f"--table: found the model {self.model['model']}; expected one that predicts roles"
            )
        return make_tables(role_names(labeller.roles), self.table_columns)

    def digest(self) -> str:
        """Computes the SHA-256 of the model's files."""
        digest = _digest(Path(pretrained.resolve(self.model["model"])))
        weights_file = self.model.get("weights_file")
        return digest if weights_file is None else f"{digest}+{digest_of_file(Path(weights_file))}"


def _digest(path: Path) -> str:
    """Digests a file, or a folder with the names and contents of all files below it."""
    if not path.is_dir():
        return digest_of_file(path)
    files = sorted(file for file in path.rglob("*") if file.is_file())
    lines = (f"{digest_of_file(file)} {file.relative_to(path).as_posix()}\n" for file in files)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


class Segment(NamedTuple):
    """Consecutive rows of an input, by its position, from a place of `row_starts` on."""

    file: int
    offset: int
    number: int
    rows: int


class Plan(NamedTuple):
    """
    What every worker of a run needs: the columns are those of tables, unless all are read, and the
    schema, a `pyarrow.Schema`, is that of Parquet shards. It can be pickled.
    """

    options: Options
    folder: Path
    conditions: Dict[str, Any]
    inputs: List[InputFile]
    shards: List[List[Segment]]
    columns: Optional[Columns]
    schema: Any

    def path(self, shard: int) -> Path:
        """Names a shard, by its 0-based position."""
        name = f"shard-{shard + 1:05}-of-{len(self.shards):05}"
        return self.folder / f"{name}.{self.options.ending}"

    def error_path(self, shard: int) -> Path:
        """Names the file of a shard's rows that could not be labelled."""
        return self.folder / "errors" / f"{self.path(shard).name.partition('.')[0]}.jsonl"

    def table_path(self, shard: int, table: str) -> Path:
        """Names the file of a shard's frames or spans."""
        name = self.path(shard).name.partition(".")[0]
        return self.folder / table / f"{name}.{self.options.table}"

    def missing(self, shard: int) -> Optional[Path]:
        """Finds a file of the shard, itself or a table, that is missing; or an empty table."""
        if not self.path(shard).exists():
            return self.path(shard)
        tables = [self.table_path(shard, name) for name in TABLES if self.options.table]
        return next((t for t in tables if not t.exists() or not t.stat().st_size), None)

    def tables(self, labeller: Labeller) -> Dict[str, Table]:
        """Makes the tables that the options ask for, with the roles of the model."""
        return {} if self.options.table is None else self.options.make_tables(labeller)

    def rows_of(self, shards: Sequence[int]) -> int:
        """Counts the rows of shards, by their 0-based positions."""
        return sum(segment.rows for shard in shards for segment in self.shards[shard])


def make_plan(options: Options, output: str, force: bool = False) -> Plan:
    """
    Reads the plan of the run to continue, or makes and writes one. `force` removes what earlier
    runs wrote.
    """
    folder = Path(output)
    inputs = find_inputs(options.paths, options.input_format, options.text_column)
    for path in [*options.paths, *(file.path for file in inputs)]:
        one, other = folder.resolve(), Path(path).resolve()
        if one in other.parents or other in one.parents:
            raise ConfigurationError(
                f"--output: found {output}, which has or is in the input {path}; expected "
                "another folder"
            )
    columns, schema = columns_of(options, inputs)
    conditions = options.conditions()
    if force:
        clear(folder)
    shards = _planned(folder, conditions, inputs)
    if shards is None:
        shards = cut(inputs, options.rows_per_shard)
        for name in ("errors", *(TABLES if options.table else ())):
            (folder / name).mkdir(parents=True, exist_ok=True)
        manifest = {"conditions": conditions, "inputs": inputs, "shards": shards, "format": FORMAT}
        with writing(folder / MANIFEST) as partial:
            partial.write_text(json.dumps(manifest) + "\n", encoding="utf-8")
    return Plan(options, folder, conditions, inputs, shards, columns, schema)


def _planned(
    folder: Path, conditions: Dict[str, Any], inputs: List[InputFile]
) -> Optional[List[List[Segment]]]:
    """Reads the shards of the folder's manifest, if it has one."""
    manifest = folder / MANIFEST
    if not manifest.exists():
        for path in _own_files(folder):
            if not path.name.endswith(PARTIAL):
                raise ConfigurationError(
                    f"--output: found {path}, but no {MANIFEST} in {folder}; expected another "
                    "folder, or --force to start anew"
                )
        return None
    try:
        found = json.loads(manifest.read_text(encoding="utf-8"))
        if found["format"] != FORMAT:
            raise ValueError(f"format {found['format']}")
        planned = {**found["conditions"], **_described(InputFile(*f) for f in found["inputs"])}
        shards = [[Segment(*segment) for segment in shard] for shard in found["shards"]]
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigurationError(
            f"{manifest}: found no manifest of this version of lisa annotate ({error}); expected "
            "one, or --force to start anew"
        ) from error
    asked = {**conditions, **_described(inputs)}
    for name in dict.fromkeys([*asked, *planned]):
        if asked.get(name) != planned.get(name):
            raise ConfigurationError(
                f"{manifest}: found {name} {shown(asked.get(name), 80)}; expected "
                f"{shown(planned.get(name), 80)} of the run that began there, or --force to start "
                "anew"
            )
    return shards


def _described(inputs: Iterable[InputFile]) -> Dict[str, Any]:
    described: Dict[str, Any] = {"inputs": []}
    for file in inputs:
        described["inputs"].append(file.path)
        described[f"{file.path} as"] = file.format
        described[f"{file.path} with the size and time of change"] = [file.size, file.modified]
    return described


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


def columns_of(options: Options, inputs: Sequence[InputFile]) -> Tuple[Optional[Columns], Any]:
    """Finds the columns of tables and the schema of Parquet shards, as in `Plan`."""
    to_json = options.ending != PARQUET
    taken = {*ANSWER_KEYS, *INPUT_KEYS, SENTENCES, *[EXTRA] * (not to_json)}
    _check_names("--id-column", [options.id_column], taken)
    _check_names("--keep", options.keep or (), taken)
    tables = [file for file in inputs if file.columns]
    parquets = [file.path for file in tables if file.format == PARQUET]
    _check_columns(options, tables)
    if to_json and not parquets:
        return None, None
    named = [options.id_column, DOCUMENT_KEY, *(f.text_column for f in tables if f.text_column)]
    answers = [name for path in parquets for name in answer_columns(path)]
    read = [*dict.fromkeys([*INPUT_KEYS, *named, *answers])]
    kept = _kept_columns(tables, read, options.keep, to_json)
    _check_names("--keep", kept.names, taken)
    if to_json:
        return Columns([*read, *kept.names], []), None
    has_extra = EXTRA in answers or len(tables) < len(inputs)
    return Columns(read, kept.names), _output_schema(options.id_column, kept, has_extra)


def _check_columns(options: Options, tables: Sequence[InputFile]) -> None:
    """Refuses a table without the columns that options name."""
    required = [("--keep", name) for name in options.keep or ()]
    if options.id_column != ID_COLUMN:
        required.append(("--id-column", options.id_column))
    for file in tables:
        for option, name in required:
            if name not in file.columns:
                names = ", ".join(file.columns)
                raise ConfigurationError(
                    f"{option}: found the columns {names} in {file.path}; expected {name}"
                )


def _kept_columns(
    tables: Sequence[InputFile], read: Sequence[str], keep: Optional[Sequence[str]], to_json: bool
) -> Any:
    """
    Returns the schema of the columns to copy from tables, in the order of their first appearance:
    those of `keep`, by default all, which the labeller does not `read`.
    """
    import pyarrow

    schemas = [pyarrow.schema([])]
    for table in tables:
        schema = [pyarrow.field(name, pyarrow.string()) for name in table.columns]
        if table.format == PARQUET:
            with open_parquet(table.path) as file:
                schema = file.schema_arrow
        fields = [f for f in schema if f.name not in read and (keep is None or f.name in keep)]
        for field in fields:
            if to_json and "binary" in str(field.type):
                raise ConfigurationError(
                    f"--keep: found the column {field.name} with {field.type}; expected other "
                    "columns, or --format parquet, since JSON has no bytes"
                )
        schemas.append(pyarrow.schema(fields))
    try:
        return pyarrow.unify_schemas(schemas)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError) as error:
        raise ConfigurationError(
            f"--keep: found columns of different types ({error}); expected the same in all files"
        ) from error


def _output_schema(id_column: str, kept: Any, has_extra: bool) -> Any:
    """
    Makes the schema of all shards, with the columns of tables that are kept. If other inputs are
    there too, the column `extra` has their other keys.
    """
    import pyarrow

    columns = [
        pyarrow.field(id_column, pyarrow.string()),
        *(kept or ()),
        *[pyarrow.field(EXTRA, pyarrow.string())] * has_extra,
        pyarrow.field(TEXT, pyarrow.string()),
        pyarrow.field(SENTENCES, arrow_type(List[SentenceRecord])),
    ]
    return pyarrow.schema(columns)


def _check_names(option: str, names: Iterable[str], taken: Iterable[str]) -> None:
    for name in names:
        if name in taken:
            raise ConfigurationError(
                f"{option}: found {name}, which the output uses; expected another column"
            )


def _own_files(folder: Path) -> List[Path]:
    """The files of a folder that `lisa annotate` writes."""
    patterns = ["*", "errors/*", *(f"{name}/*" for name in TABLES)]
    files = sorted(path for pattern in patterns for path in folder.glob(pattern))
    return [path for path in files if _OURS.fullmatch(path.name)]


def clear(folder: Path) -> None:
    """Removes the files of earlier runs, and no others."""
    for path in _own_files(folder):
        path.unlink(missing_ok=True)


def writing(path: Path) -> "AbstractContextManager[Path]":
    """
    Writes as `complete_file` does, with a temporary name that no other process uses. It is hidden,
    so that readers of a whole folder of tables skip it.
    """
    name = f".{path.name}.{socket.gethostname()}-{os.getpid()}{PARTIAL}"
    return complete_file(path, path.with_name(name))
