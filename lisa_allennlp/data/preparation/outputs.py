"""
Outputs that are either whole or not there, so that preparing a corpus can be interrupted and taken
up again: files are written under another name until they are complete, and a report beside them,
written last, says what they were made from.
"""

import hashlib
import json
import os
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, TextIO, TypeVar

Report = TypeVar("Report")

_PARTIAL = ".partial"
_MADE_FROM = "made_from"


def fingerprint(paths: Iterable[Path]) -> str:
    """
    # Parameters

    paths : `Iterable[Path]`
        Files, which need not exist.

    # Returns

    `str`
        A digest of their names, sizes and times.
    """
    digest = hashlib.sha256()
    for path in paths:
        stat = path.stat() if path.is_file() else None
        state = (stat.st_size, stat.st_mtime_ns) if stat is not None else None
        digest.update(f"{path.resolve()} {state}\n".encode())
    return digest.hexdigest()


def partial_path(path: Path) -> Path:
    """The name of a file or folder until it is complete."""
    return path.with_name(path.name + _PARTIAL)


@contextmanager
def written_whole(*paths: Path) -> Iterator[List[TextIO]]:
    """
    Opens files for writing that get their names, and replace older ones, only when the block has
    ended without an error.

    # Parameters

    paths : `Path`
    """
    partial = [partial_path(path) for path in paths]
    with ExitStack() as stack:
        yield [stack.enter_context(open(path, "w", encoding="utf-8")) for path in partial]
    for path, final in zip(partial, paths, strict=True):
        os.replace(path, final)


def write_report(path: Path, values: Dict[str, Any], made_from: Dict[str, Any]) -> None:
    """
    # Parameters

    path : `Path`
    values : `Dict[str, Any]`
        What to report.
    made_from : `Dict[str, Any]`
        Fingerprints of the sources and the options that count.
    """
    text = json.dumps({**values, _MADE_FROM: made_from}, indent=1, ensure_ascii=False)
    with written_whole(path) as (file,):
        file.write(text + "\n")


def read_report(
    path: Path, made_from: Dict[str, Any], from_json: Callable[[Dict[str, Any]], Report]
) -> Optional[Report]:
    """
    # Parameters

    path : `Path`
    made_from : `Dict[str, Any]`
        As `write_report` would get it now.
    from_json : `Callable[[Dict[str, Any]], Report]`
        Makes a report of the values that were written.

    # Returns

    `Optional[Report]`
        An earlier report; `None` if there is none, if it is about other sources, or if another
        version of this package wrote it.
    """
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        return from_json(values) if values.pop(_MADE_FROM) == made_from else None
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
        return None
