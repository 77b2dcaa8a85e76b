"""
The plan of a run: which rows are in which shard, and the folder that holds the shards.

    DIR/manifest.json                             the plan
    DIR/shard-00007-of-00120.jsonl                labelled rows
    DIR/errors/shard-00007-of-00120.jsonl         rows that could not be labelled, if any
    DIR/frames/shard-00007-of-00120.parquet       a row per frame, if tables are asked for
    DIR/spans/shard-00007-of-00120.parquet        a row per span
    DIR/events/shard-00007-of-00120.parquet       a row per event
    DIR/summary.json                              written when there are all shards

Every file is complete or absent, and a shard that is there with its tables is finished. Several
processes may write the same shard at once, because their temporary files have different names, and
the same rows give the same bytes. A process that is killed leaves its temporary files behind.
"""

import hashlib
import json
import re
from dataclasses import asdict, dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple

from lisa_allennlp.apps.annotate.inputs import InputFile, find_inputs, row_starts
from lisa_allennlp.common.complete_files import PARTIAL, complete_file
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.json_values import shown
from lisa_allennlp.formats.parquet import (
    EXTRA,
    INPUT_KEYS,
    TEXT,
    Columns,
    answer_columns,
    arrow_type,
    open_parquet,
)
from lisa_allennlp.formats.role_tables import EVENTS, TABLES, Table, make_tables, role_names
from lisa_allennlp.labelling.input_formats import CSV, ID_COLUMN, JSON, PARQUET
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.loading import load_labeller
from lisa_allennlp.labelling.requests import DOCUMENT_KEY
from lisa_allennlp.models_on_disk import pretrained
from lisa_allennlp.models_on_disk.model_folder import digest_of_file
from lisa_allennlp.models_on_disk.pretrained import GRAPHS_NAME, INT8
from lisa_allennlp.sentence.document import SENTENCES
from lisa_allennlp.sentence.sentence import ANSWER_KEYS, SentenceRecord
from lisa_allennlp.version import VERSION

MANIFEST = "manifest.json"

FORMAT = 3
"""Increased whenever a change makes older manifests unusable."""

MOST_ROWS, LEAST_ROWS, LEAST_BYTES = 10_000, 50, 10_000
"""The bounds of `rows_per_shard`. Smaller shards fill no batch, and are a second's work."""

SHARDS_PER_PROCESS = 4
"""With fewer, some processes would idle at the end."""

_OURS = re.compile(
    r"\.?(manifest\.json|summary\.json|shard-\d+-of-\d+\.(jsonl|jsonl\.gz|parquet|csv))"
    rf"(\..+{re.escape(PARTIAL)})?"
)


@dataclass(frozen=True)
class Options:
    paths: List[str]
    model: Dict[str, Any]
    """The arguments of `load_labeller`, at least `model`."""
    input_format: Optional[str] = None
    """One of `INPUT_FORMATS`; by default, as each file's name tells."""
    ending: str = "jsonl"
    """One of `SHARD_FORMATS`."""
    rows_per_shard: Optional[int] = None
    text_column: Optional[str] = None
    """The column with a document's text, unless each file tells it."""
    id_column: str = ID_COLUMN
    keep: Optional[List[str]] = None
    """The other columns to copy to the output; by default all."""
    table: Optional[str] = None
    """The format of the tables, csv or parquet; by default there are none."""
    table_columns: Optional[List[str]] = None
    """The columns of the tables; by default all."""
    on_gpu: bool = False

    def conditions(self) -> Dict[str, Any]:
        described = {**asdict(self), **self.model, "package": VERSION, "model": self.digest()}
        for name in ("paths", "input_format", "weights_file", "rows_per_shard", "on_gpu"):
            described.pop(name, None)
        in_8_bits = Path(pretrained.resolve(self.model["model"]), GRAPHS_NAME, INT8).is_dir()
        if in_8_bits and not self.on_gpu and described.get("engine") != "torch":
            # PyTorch, on a GPU, has another precision by default.
            described["precision"] = described.get("precision") or INT8
        if described.get("adaptation") is not None:
            described["adaptation"] = digest_of_file(Path(described["adaptation"]))
        for name in ("table", "table_columns"):
            # Manifests of runs without tables do not have them.
            if described[name] is None:
                del described[name]
        return described

    def open(self, device: int = -1) -> Labeller:
        others = {key: value for key, value in self.model.items() if key != "model"}
        return load_labeller(self.model["model"], device=device, **others)

    def make_tables(self, labeller: Labeller, kept: Dict[str, Any]) -> Dict[str, Table]:
        """
        Makes the tables with the user's `kept` columns. Only models of roles have tables, and only
        models that parse have the table of events.
        """
        if self.table is None:
            return {}
        if not labeller.roles:
            raise ConfigurationError(
                f"--table: found the model {self.model['model']}; expected a model of roles"
            )
        tables = make_tables(role_names(labeller.roles), self.table_columns, kept)
        if not labeller.has_parse:
            tables.pop(EVENTS, None)
        return tables

    def digest(self) -> str:
        digest = _digest(Path(pretrained.resolve(self.model["model"])))
        weights_file = self.model.get("weights_file")
        return digest if weights_file is None else f"{digest}+{digest_of_file(Path(weights_file))}"


def _digest(path: Path) -> str:
    if not path.is_dir():
        return digest_of_file(path)
    files = sorted(file for file in path.rglob("*") if file.is_file())
    lines = (f"{digest_of_file(file)} {file.relative_to(path).as_posix()}\n" for file in files)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


class Segment(NamedTuple):
    """Consecutive rows of the input at position `file`, from a place of `row_starts` on."""

    file: int
    offset: int
    number: int
    rows: int


class Plan(NamedTuple):
    """
    All that a worker needs. `columns` are the columns of tables to read, by default all; `schema`
    is the `pyarrow.Schema` of Parquet shards; `kept` has the user's columns in the written tables,
    as `Table` takes them, and `tables` the names of these tables; `notes` are lines for the user. A
    plan can be pickled.
    """

    options: Options
    folder: Path
    conditions: Dict[str, Any]
    inputs: List[InputFile]
    shards: List[List[Segment]]
    columns: Optional[Columns]
    schema: Any
    kept: Dict[str, Any]
    tables: List[str]
    notes: List[str]

    def path(self, shard: int) -> Path:
        name = f"shard-{shard + 1:05}-of-{len(self.shards):05}"
        return self.folder / f"{name}.{self.options.ending}"

    def error_path(self, shard: int) -> Path:
        return self.folder / "errors" / f"{self.path(shard).name.partition('.')[0]}.jsonl"

    def table_path(self, shard: int, table: str) -> Path:
        name = self.path(shard).name.partition(".")[0]
        return self.folder / table / f"{name}.{self.options.table}"

    def missing(self, shard: int) -> Optional[Path]:
        """Finds a missing file of the shard, or an empty table."""
        if not self.path(shard).exists():
            return self.path(shard)
        tables = [self.table_path(shard, name) for name in self.tables]
        return next((t for t in tables if not t.exists() or not t.stat().st_size), None)

    def rows_of(self, shards: Sequence[int]) -> int:
        return sum(segment.rows for shard in shards for segment in self.shards[shard])


def make_plan(options: Options, output: str, force: bool = False, processes: int = 1) -> Plan:
    """
    Reads the plan to continue, or makes and writes one for a number of processes. `force` removes
    earlier output.
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
    columns, schema, kept = columns_of(options, inputs)
    # What does not fit is found before the manifest is written.
    tables = options.make_tables(options.open(), kept) if options.table else {}
    notes = list(dict.fromkeys(note for table in tables.values() for note in table.notes))
    conditions = options.conditions()
    if force:
        clear(folder)
    shards = _planned(folder, options, conditions, inputs)
    if shards is None:
        size = options.rows_per_shard or rows_per_shard(inputs, processes)
        new = cut(inputs, size)
        # Meanwhile a machine with other cores may have planned this run.
        shards = _planned(folder, options, conditions, inputs)
    if shards is None:
        shards = new
        for name in ("errors", *tables):
            (folder / name).mkdir(parents=True, exist_ok=True)
        manifest = {
            "conditions": {**conditions, "rows_per_shard": size},
            "model": options.model["model"],
            "inputs": inputs,
            "shards": shards,
            "format": FORMAT,
        }
        with complete_file(folder / MANIFEST) as partial:
            partial.write_text(json.dumps(manifest) + "\n", encoding="utf-8")
    of_tables = kept, [*tables], notes
    return Plan(options, folder, conditions, inputs, shards, columns, schema, *of_tables)


def _planned(
    folder: Path, options: Options, conditions: Dict[str, Any], inputs: List[InputFile]
) -> Optional[List[List[Segment]]]:
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
    # By default, the run keeps its shards, whatever the number of processes is now.
    size = options.rows_per_shard or planned["rows_per_shard"]
    asked = {**conditions, "rows_per_shard": size, **_described(inputs)}
    for name in dict.fromkeys([*asked, *planned]):
        one, other = asked.get(name), planned.get(name)
        if one == other:
            continue
        ours, theirs = f"{name} {shown(one, 80)}", shown(other, 80)
        if name == "model":
            # Their hashes differ.
            ours, theirs = f"the model {options.model['model']}", found["model"]
            if options.model["model"] == theirs:
                ours, theirs = f"{ours} with other weights or files", "those"
        raise ConfigurationError(
            f"{manifest}: found {ours}; expected {theirs} of the run that began there, or --force "
            "to start anew"
        )
    return shards


def _described(inputs: Iterable[InputFile]) -> Dict[str, Any]:
    described: Dict[str, Any] = {"inputs": []}
    for file in inputs:
        described["inputs"].append(file.path)
        described[f"{file.path} as"] = file.format
        described[f"{file.path} with the size and time of change"] = [file.size, file.modified]
    return described


def rows_per_shard(files: Sequence[InputFile], processes: int) -> int:
    """
    Chooses the rows of a shard: `SHARDS_PER_PROCESS` keep every process busy to the end, and with
    at most `MOST_ROWS` an interrupted run loses little. A shard has at least `LEAST_ROWS`, or about
    `LEAST_BYTES`, since a row may be a book.
    """
    shards = SHARDS_PER_PROCESS * processes
    starts = chain.from_iterable(row_starts(file) for file in files)
    rows = sum(1 for _ in islice(starts, MOST_ROWS * shards))
    size = sum(file.size for file in files)
    least = max(1, min(LEAST_ROWS, LEAST_BYTES * rows // max(size, 1)))
    return max(least, -(-rows // shards))


def cut(files: Sequence[InputFile], size: int) -> List[List[Segment]]:
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


def columns_of(
    options: Options, inputs: Sequence[InputFile]
) -> Tuple[Optional[Columns], Any, Dict[str, Any]]:
    """Finds the columns of tables to read, the schema of shards, and the user's columns."""
    to_json = options.ending != PARQUET
    taken = {*ANSWER_KEYS, *INPUT_KEYS, SENTENCES, *[EXTRA] * (not to_json)}
    _check_names("--id-column", [options.id_column], taken)
    _check_names("--keep", options.keep or (), taken)
    tables = [file for file in inputs if file.columns]
    parquets = [file.path for file in tables if file.format == PARQUET]
    _check_columns(options, tables)
    named = [options.id_column, DOCUMENT_KEY, *(f.text_column for f in tables if f.text_column)]
    answers = [name for path in parquets for name in answer_columns(path)]
    read = [*dict.fromkeys([*INPUT_KEYS, *named, *answers])]
    # Neither JSON nor CSV has the types of Parquet.
    as_json = to_json or options.table == CSV
    kept = _kept_columns(tables, read, options.keep, as_json)
    in_tables = kept if tables else dict.fromkeys(options.keep or (), str)
    if options.table is not None:
        _check_names("--keep", in_tables, [EXTRA])
    if options.keep is None and (EXTRA in answers or any(f.format == JSON for f in inputs)):
        in_tables = {**in_tables, EXTRA: str}
    if to_json and not parquets:
        return None, None, in_tables
    _check_names("--keep", kept, taken)
    as_they_are = [*kept] if not to_json or options.table == PARQUET else []
    columns = Columns([*read, *kept] if as_json else read, as_they_are)
    if to_json:
        return columns, None, in_tables
    has_extra = EXTRA in answers or len(tables) < len(inputs)
    return columns, _output_schema(options.id_column, kept, has_extra), in_tables


def _check_columns(options: Options, tables: Sequence[InputFile]) -> None:
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
    tables: Sequence[InputFile], read: Sequence[str], keep: Optional[Sequence[str]], as_json: bool
) -> Dict[str, Any]:
    """
    Returns the columns of tables to copy, by first appearance: those of `keep`, by default all,
    except the ones that the labeller `read`s. Strings, as in CSV, have the type `str`, others a
    `pyarrow.DataType`.
    """

    def is_kept(name: str) -> bool:
        return name not in read and (keep is None or name in keep)

    if all(table.format != PARQUET for table in tables):
        return {name: str for table in tables for name in table.columns if is_kept(name)}
    import pyarrow

    schemas = []
    for table in tables:
        schema = [pyarrow.field(name, pyarrow.string()) for name in table.columns]
        if table.format == PARQUET:
            with open_parquet(table.path) as file:
                schema = file.schema_arrow
        fields = [field for field in schema if is_kept(field.name)]
        for field in fields:
            if as_json and "binary" in str(field.type):
                raise ConfigurationError(
                    f"--keep: found the column {field.name} with {field.type}; expected other "
                    "columns, or --format parquet without --table csv, since JSON and CSV have no "
                    "bytes"
                )
        schemas.append(pyarrow.schema(fields))
    try:
        schema = pyarrow.unify_schemas(schemas)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError) as error:
        raise ConfigurationError(
            f"--keep: found columns of different types ({error}); expected the same in all files"
        ) from error
    return {field.name: str if field.type == pyarrow.string() else field.type for field in schema}


def _output_schema(id_column: str, kept: Dict[str, Any], has_extra: bool) -> Any:
    """Makes the schema of all shards. Beside tables, other inputs have their keys in `extra`."""
    import pyarrow

    types = {
        id_column: str,
        **kept,
        **({EXTRA: str} if has_extra else {}),
        TEXT: str,
        SENTENCES: List[SentenceRecord],
    }
    return pyarrow.schema([(name, arrow_type(type)) for name, type in types.items()])


def _check_names(option: str, names: Iterable[str], taken: Iterable[str]) -> None:
    for name in names:
        if name in taken:
            raise ConfigurationError(
                f"{option}: found {name}, which the output uses; expected another column"
            )


def _own_files(folder: Path) -> List[Path]:
    patterns = ["*", "errors/*", *(f"{name}/*" for name in TABLES)]
    files = sorted(path for pattern in patterns for path in folder.glob(pattern))
    return [path for path in files if _OURS.fullmatch(path.name)]


def clear(folder: Path) -> None:
    for path in _own_files(folder):
        path.unlink(missing_ok=True)
