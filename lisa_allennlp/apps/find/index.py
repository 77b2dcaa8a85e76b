"""
The index of a corpus: the tables of events in DuckDB, ordered by roleset, in the file
`events.duckdb` beside them. It is made again when the tables change. For a single file, or a folder
that cannot be written, it is in memory.
"""

import glob
import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Union

from lisa_allennlp.common.complete_files import complete_file
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.user_errors import check_installed
from lisa_allennlp.formats.role_tables import COLUMNS, FORMULA, HEADS, OFFSETS

EVENTS = "events"

TABLE = f"indexed.main.{EVENTS}"
"""Qualified, since macros and views of the index, which may be a stranger's, could hide others."""

INDEX = "events.duckdb"

OWN = ":lisa"
NUMBER, KEYS = f"row{OWN}", f" heads{OWN}"
"""
Added columns, whose names no others have: the place of a row among all, and for each role the
lemmas of its heads in small letters, each between line breaks, since texts are searched faster than
lists.
"""

NEEDED = (
    *("document", "sentence", "text", "predicate_index", "predicate", "event", "lemma", "sense"),
    *("negated", "factuality", "tense"),
)
_MAY_BE_NULL = ("document", "lemma", "sense", "tense")

_FORMAT = 2
_ENDINGS = (".parquet", ".csv")
_SQL_TYPES = {str: "VARCHAR", int: "INTEGER", bool: "BOOLEAN", float: "DOUBLE"}
_SHARD = re.compile(r"-of-(\d+)\.")

_LABELLED = (
    "a folder or a table of events. Annotate a corpus first: lisa annotate CORPUS --output "
    "LABELLED --table"
)

MEMORY = "2GB"
"""Beyond this, sorting uses the disk."""


def table_files(path: str) -> List[Path]:
    if os.path.isfile(path) and path.endswith(_ENDINGS):
        return [Path(path)]
    for folder in (Path(path, EVENTS), Path(path)):
        for ending in _ENDINGS:
            if found := sorted(folder.glob(f"*{ending}")):
                return found
    what = "no tables of events in" if os.path.exists(path) else "no file or folder"
    raise ConfigurationError(f"found {what} {path}; expected {_LABELLED}")


def open_index(path: str, notify: Callable[[str], None]) -> Any:
    """
    Opens the events of a folder or a file as a connection of DuckDB with the table `TABLE`, which
    reads and writes nothing else. If a folder has no index, or an old one, makes it, and says so
    before, since it takes a while; also says if tables are missing.

    # Raises

    `ConfigurationError`
        If DuckDB is not installed, or there is no table of events.
    """
    check_installed("duckdb")

    files = table_files(path)
    shards = max(
        (int(match[1]) for file in files if (match := _SHARD.search(file.name))), default=1
    )
    if os.path.isdir(path) and len(files) < shards:
        notify(f"{path}: has {len(files):,} of {shards:,} shards; `lisa annotate` is unfinished")
    states = [(file.name, file.stat()) for file in files]
    stamp = json.dumps([_FORMAT, *([name, s.st_size, s.st_mtime_ns] for name, s in states)])
    index = Path(path, INDEX).absolute()
    if (found := _opened(index, stamp, files)) is not None:
        return found
    # DuckDB cannot write to folders with question marks.
    if os.path.isfile(path) or not os.access(path, os.W_OK) or "?" in str(index):
        in_memory = _attached(":memory:")
        _fill(in_memory, files, stamp)
        return _locked(in_memory)
    notify(f"{path}: makes the index {INDEX}, which the next questions use")
    with (
        complete_file(index) as partial,
        _attached(str(partial), temporary=f"{partial}.tmp") as new,
    ):
        _fill(new, files, stamp)
        new.execute("DETACH indexed")
    return _locked(_attached(str(index), " (READ_ONLY)"))


def _attached(database: str, how: str = "", temporary: Optional[str] = None) -> Any:
    import duckdb

    settings: Dict[str, Any] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "memory_limit": MEMORY,
        "temp_directory": temporary or f"{tempfile.gettempdir()}/lisa-find-{os.urandom(8).hex()}",
    }
    connection = duckdb.connect(config=settings)
    connection.execute(f"ATTACH {_literal(database)} AS indexed{how}")
    return connection


def _locked(connection: Any) -> Any:
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection


def _opened(index: Path, stamp: str, files: List[Path]) -> Optional[Any]:
    """Opens the index if it has tables alone, and is up to date."""
    import duckdb

    if not index.exists():
        return None
    try:
        with _attached(":memory:") as reading:
            # The files of a run have the same columns.
            expected = _described(reading, _selected(reading, files[:1]))
        connection = _locked(_attached(str(index), " (READ_ONLY)"))
        tables = connection.execute(
            "SELECT table_name FROM duckdb_tables() WHERE database_name = 'indexed'"
        ).fetchall()
        if (
            {(EVENTS,), ("made_from",)} <= {*tables}
            and connection.execute("SELECT stamp FROM indexed.main.made_from").fetchall()
            == [(stamp,)]
            and expected.items() <= _described(connection, f"FROM {TABLE}").items()
        ):
            return connection
    except duckdb.Error:
        # Of another version of DuckDB, or no index at all.
        return None
    connection.close()
    return None


def _described(connection: Any, sql: str) -> Dict[str, str]:
    return {name: type_ for name, type_, *_ in connection.execute(f"DESCRIBE {sql}").fetchall()}


def _selected(connection: Any, files: List[Path]) -> str:
    place = files[0] if len(files) == 1 else files[0].parent
    is_csv = files[0].suffix == ".csv"
    # Names are no patterns.
    names = [glob.escape(str(file.absolute())) for file in files]
    if is_csv:
        table = connection.read_csv(
            names, header=True, all_varchar=True, delimiter=",", union_by_name=True
        )
    else:
        table = connection.read_parquet(names, union_by_name=True)
    for column in NEEDED:
        if column not in table.columns:
            raise ConfigurationError(f"{place}: found no column {column}; expected {_LABELLED}")
    table.create_view("rows", replace=True)
    types = _types(dict(zip(table.columns, map(str, table.types), strict=True)), is_csv)
    cells = {name: _cell(name, type_, is_csv) for name, type_ in types.items()}
    columns = [f"{cell} AS {quoted(name)}" for name, cell in cells.items()]
    columns += [
        f"chr(10) || lower(array_to_string({cells[name]}, chr(10))) || chr(10) "
        f"AS {quoted(name.removesuffix(HEADS) + KEYS)}"
        for name, type_ in types.items()
        if type_ == _HEADS
    ]
    return (
        f"SELECT row_number() OVER () AS {quoted(NUMBER)}, {', '.join(columns)} FROM rows "
        f"ORDER BY sense, {quoted(NUMBER)}"
    )


_HEADS = "VARCHAR[]"


def _types(found: Mapping[str, str], is_csv: bool) -> Dict[str, str]:
    """The types of known columns; others keep theirs. Heads are a list, except in CSV."""
    types = dict(found)
    for name in found:
        role = name.removesuffix(HEADS)
        if role != name and role in found and (is_csv or found[name] == _HEADS):
            types.update({role: "VARCHAR", name: _HEADS})
            if role + OFFSETS in found:
                types[role + OFFSETS] = "INTEGER[]"
    for name, kind in COLUMNS[EVENTS].items():
        if name in found:
            types[name] = _SQL_TYPES[kind]
    return types


def _fill(connection: Any, files: List[Path], stamp: str) -> None:
    import duckdb

    place = files[0] if len(files) == 1 else files[0].parent
    try:
        selected = _selected(connection, files)
        connection.execute(f"CREATE TABLE {TABLE} AS {selected}").fetchall()
        known = [name for name in NEEDED if name not in _MAY_BE_NULL]
        for name in known:
            empty = f"SELECT {quoted(NUMBER)} FROM {TABLE} WHERE {name} IS NULL LIMIT 1"
            for (row,) in connection.execute(empty).fetchall():
                raise ConfigurationError(f"{place}: found no {name} in row {row}; expected one")
        connection.execute(
            "CREATE TABLE indexed.main.made_from AS SELECT $stamp AS stamp", {"stamp": stamp}
        ).fetchall()
    except duckdb.Error as error:
        raise unreadable(place, error) from error


def unreadable(place: Union[str, Path], error: Exception) -> ConfigurationError:
    reason = str(error).partition("\n")[0]
    return ConfigurationError(f"{place}: cannot be read ({reason}); expected tables of events")


def _cell(name: str, type_: str, is_csv: bool) -> str:
    """In CSV, lists are JSON, but a list of one text is the text."""
    column = quoted(name)
    if not is_csv:
        return f"CAST({column} AS {type_})"
    is_marked = f"starts_with({column}, '''') AND {is_formula(f'{column}[2:]')}"
    text = f"CASE WHEN {is_marked} THEN {column}[2:] ELSE {column} END"
    if type_ == _HEADS:
        listed = f"TRY(from_json({column}, '[\"VARCHAR\"]'))"
        return (
            f"CASE WHEN {column} IS NULL THEN NULL "
            f"WHEN starts_with({column}, '[') THEN coalesce({listed}, [{column}]) "
            f"ELSE [{text}] END"
        )
    return text if type_ == "VARCHAR" else f"CAST({column} AS {type_})"


def key_of(head: str) -> str:
    """
    Returns what a column of `KEYS` has for a head.

    >>> key_of("Google")
    '\\ngoogle\\n'
    """
    return f"\n{head.lower()}\n"


def is_formula(text: str) -> str:
    return f"regexp_matches({text}, {_literal(FORMULA.pattern)})"


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
