"""
Outputs that are either complete or absent, so that an interrupted preparation can be resumed. Files
get a temporary name until they are complete. A report, written last, has fingerprints of their
sources.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = Path(folder.name) / "dev.conll"
    >>> try:
    ...     with written_whole(path) as (file,):
    ...         _ = file.write("unfinished")
    ...         raise KeyboardInterrupt
    ... except KeyboardInterrupt:
    ...     print(path.exists())
    False
    >>> folder.cleanup()
"""

import hashlib
import json
import os
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, TextIO, TypeVar

from lisa_allennlp.common.complete_files import complete_file
from lisa_allennlp.common.errors import ConfigurationError

Report = TypeVar("Report")

_MADE_FROM = "made_from"


def fingerprint(paths: Iterable[Path]) -> str:
    """
    # Parameters

    paths : `Iterable[Path]`
        Files, existing or not.

    # Returns

    `str`
        A digest of their names, sizes and modification times.
    """
    digest = hashlib.sha256()
    for path in paths:
        stat = path.stat() if path.is_file() else None
        state = (stat.st_size, stat.st_mtime_ns) if stat is not None else None
        # Unlike `resolve`, this accepts a link to itself.
        digest.update(f"{os.path.realpath(path)} {state}\n".encode())
    return digest.hexdigest()


def check_replaceable(report: Path, *outputs: Path) -> None:
    """
    # Parameters

    report : `Path`
        The report of the outputs, if an earlier run wrote them or began to.

    # Raises

    `ConfigurationError`
        If an output exists that no earlier run wrote.
    """
    for path in outputs:
        if path.exists() and not report.is_file():
            kind = "folder" if path.is_dir() else "file"
            raise ConfigurationError(
                f"{path}: found a {kind} without the {report.name} of `lisa prepare`; expected a "
                f"new {kind}, or one that `lisa prepare` may replace"
            )


def begin_report(report: Path, *outputs: Path) -> None:
    """
    Marks outputs as begun, for the next run to replace them if this one is interrupted. Raises
    errors as `check_replaceable`.
    """
    check_replaceable(report, *outputs)
    write_report(report, {}, {})


@contextmanager
def written_whole(*paths: Path) -> Iterator[List[TextIO]]:
    """
    Opens files for writing. They get their names, and replace older files, only after the block
    ends without an error.
    """
    with ExitStack() as complete, ExitStack() as opened:
        partial = [complete.enter_context(complete_file(path)) for path in paths]
        yield [opened.enter_context(open(path, "w", encoding="utf-8")) for path in partial]


def write_report(path: Path, values: Dict[str, Any], made_from: Dict[str, Any]) -> None:
    """
    # Parameters

    values : `Dict[str, Any]`
        The contents of the report.
    made_from : `Dict[str, Any]`
        Fingerprints of the sources, and the options that determine the output.
    """
    text = json.dumps({**values, _MADE_FROM: made_from}, indent=1, ensure_ascii=False)
    with written_whole(path) as (file,):
        file.write(text + "\n")


def read_report(
    path: Path, made_from: Dict[str, Any], from_json: Callable[[Dict[str, Any]], Report]
) -> Optional[Report]:
    """
    # Parameters

    made_from : `Dict[str, Any]`
        The current value of this argument of `write_report`.
    from_json : `Callable[[Dict[str, Any]], Report]`
        Creates a report from the written values.

    # Returns

    `Optional[Report]`
        The earlier report; `None` if there is none, if its sources differ, or if another version
        of this package wrote it.
    """
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        return from_json(values) if values.pop(_MADE_FROM) == made_from else None
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
        return None
