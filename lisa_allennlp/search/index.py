"""
The index of a corpus: the tables of events as one of DuckDB, ordered by roleset, in the file
`events.duckdb` beside them. It is made once, and again when the tables have changed; a single table
of a file, and a folder without it that cannot be written, are in memory instead.
"""

import json
import os
from pathlib import Path
from typing import Any, Callable, List, Optional

from lisa_allennlp.common.complete_files import complete_file
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.user_errors import check_installed
from lisa_allennlp.data.formats.role_tables import HEADS, OFFSETS

EVENTS = "events"
"""The table, and the folder of its files."""

INDEX = "events.duckdb"

NUMBER, KEYS = "_row", "_keys"
"""
What the index adds: the place of a row among all, and for each role the lemmas of its heads in
small letters, each between line breaks, since texts are searched faster than lists.
"""

NEEDED = (
    *("document", "sentence", "text", "predicate_index", "predicate", "event", "lemma", "sense"),
    *("negated", "factuality"),
)

_FORMAT = 1
_ENDINGS = (".parquet", ".csv")
_NUMBERS = ("text_start", "predicate_index", "start_char", "end_char")

_LABELLED = (
    "a folder or a table of events. Annotate a corpus first: lisa annotate CORPUS --output "
    "LABELLED --table"
)

_MEMORY = "1GB"
"""What making the index may use; it sorts on the disk."""


def table_files(path: str) -> List[Path]:
    """Returns the tables of a folder of `lisa annotate --table`, or the one file."""
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
    Opens the events of a folder or a file as a connection of DuckDB with the table `events`. If a
    folder has no index, or an old one, makes it, and says so before, since it takes a while.

    # Raises

    `ConfigurationError`
        If DuckDB is not installed, or there is no table of events.
    """
    check_installed("duckdb")
    import duckdb

    files = table_files(path)
    stamp = json.dumps([_FORMAT, *([file.name, *_times(file)] for file in files)])
    index = Path(path, INDEX)
    if (connection := _opened(index, stamp)) is not None:
        return connection
    if os.path.isfile(path) or not os.access(path, os.W_OK):
        in_memory = duckdb.connect()
        _fill(in_memory, files, stamp)
        return in_memory
    notify(f"{path}: makes the index {INDEX}, which the next questions use")
    with complete_file(index) as partial, duckdb.connect(str(partial)) as new:
        new.execute(f"SET memory_limit = '{_MEMORY}'").fetchall()
        _fill(new, files, stamp)
    return duckdb.connect(str(index), read_only=True)


def _times(file: Path) -> List[int]:
    found = file.stat()
    return [found.st_size, found.st_mtime_ns]


def _opened(index: Path, stamp: str) -> Optional[Any]:
    """The index if it is that of the tables as they are now."""
    import duckdb

    if not index.exists():
        return None
    try:
        connection = duckdb.connect(str(index), read_only=True)
        if connection.execute("SELECT stamp FROM made_from").fetchall() == [(stamp,)]:
            return connection
    except duckdb.Error:
        # Of another version of DuckDB, or no index at all.
        return None
    connection.close()
    return None


def _fill(connection: Any, files: List[Path], stamp: str) -> None:
    import duckdb

    place = files[0] if len(files) == 1 else files[0].parent
    names = list(map(str, files))
    try:
        if names[0].endswith(".csv"):
            table = connection.read_csv(
                names, header=True, all_varchar=True, delimiter=",", union_by_name=True
            )
        else:
            table = connection.read_parquet(names, union_by_name=True)
        for column in NEEDED:
            if column not in table.columns:
                raise ConfigurationError(f"{place}: found no column {column}; expected {_LABELLED}")
        convert = _converted if names[0].endswith(".csv") else quoted
        columns = [f"{convert(name)} AS {quoted(name)}" for name in table.columns]
        columns += [_keys(convert(name), name) for name in table.columns if name.endswith(HEADS)]
        table.create_view("rows")
        connection.execute(
            f"CREATE TABLE {EVENTS} AS "
            f"SELECT row_number() OVER () AS {NUMBER}, {', '.join(columns)} FROM rows "
            f"ORDER BY sense, {NUMBER}"
        ).fetchall()
        connection.execute("DROP VIEW rows").fetchall()
        connection.execute(
            "CREATE TABLE made_from AS SELECT $stamp AS stamp", {"stamp": stamp}
        ).fetchall()
    except duckdb.Error as error:
        reason = str(error).partition("\n")[0]
        raise ConfigurationError(
            f"{place}: cannot be read ({reason}); expected tables of events"
        ) from error


def _converted(name: str) -> str:
    """A column of CSV, where lists are JSON, but a list of one text is the text."""
    column = quoted(name)
    if name in _NUMBERS:
        return f"CAST({column} AS INTEGER)"
    if name == "negated":
        return f"CAST({column} AS BOOLEAN)"
    if name.endswith(OFFSETS):
        return f"CAST({column} AS INTEGER[])"
    if name.endswith(HEADS):
        listed = f"TRY(from_json({column}, '[\"VARCHAR\"]'))"
        return (
            f"CASE WHEN {column} IS NULL THEN NULL "
            f"WHEN starts_with({column}, '[') THEN coalesce({listed}, [{column}]) "
            f"ELSE [{column}] END"
        )
    return column


def _keys(heads: str, name: str) -> str:
    key = quoted(name.removesuffix(HEADS) + KEYS)
    return f"chr(10) || lower(array_to_string({heads}, chr(10))) || chr(10) AS {key}"


def key_of(head: str) -> str:
    """
    Returns what a column of `KEYS` has for a head.

    >>> key_of("Google")
    '\\ngoogle\\n'
    """
    return f"\n{head.lower()}\n"


def quoted(name: str) -> str:
    """Returns the name of a column in SQL."""
    return '"' + name.replace('"', '""') + '"'
