"""
The output folder of a run: its manifest, its shards and what is known about them.

    DIR/manifest.json                             the plan
    DIR/shard-00007-of-00120.jsonl                labelled rows
    DIR/errors/shard-00007-of-00120.jsonl         rows that could not be labelled, if any
    DIR/counts/shard-00007-of-00120.json          written last: the shard is finished
    DIR/summary.json                              written when all shards are finished

Every file is complete or absent. Several processes may write the same shard at once, because their
temporary files have different names, and the same rows give the same bytes.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as path:
    ...     folder = OutputFolder(path)
    ...     folder.shard(6, 120, "jsonl").name
    'shard-00007-of-00120.jsonl'
"""

import json
import os
import re
import socket
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Iterator, List, Optional

from allennlp.common.checks import ConfigurationError

from lisa_allennlp.annotation.plan import Plan, read_plan
from lisa_allennlp.common.complete_files import PARTIAL, complete_file

_OURS = re.compile(
    r"(manifest\.json|summary\.json|shard-\d+-of-\d+\.(jsonl|jsonl\.gz|parquet|json))"
    rf"(\..+{re.escape(PARTIAL)})?"
)


@dataclass
class Counts:
    """
    What is known about a finished shard.

    # Parameters

    plan : `str`
        The digest of the plan.
    rows, labelled, errors : `int`
        The rows of the inputs, of the shard and of its file in `errors`.
    bytes, error_bytes : `int`
        The sizes of the two files.
    """

    plan: str
    rows: int
    labelled: int
    errors: int
    bytes: int
    error_bytes: int


class OutputFolder:
    """
    # Parameters

    path : `str`
        Existing or not.
    """

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self.manifest = self.path / "manifest.json"
        self.summary = self.path / "summary.json"
        self.errors = self.path / "errors"
        self._counts = self.path / "counts"

    def create(self) -> None:
        """
        # Raises

        `OSError`
            If the folder cannot be created.
        """
        for folder in (self.path, self.errors, self._counts):
            folder.mkdir(parents=True, exist_ok=True)

    def shard(self, shard: int, of: int, ending: str) -> Path:
        """The path of a shard, by its 0-based position."""
        return self.path / f"{_name(shard, of)}.{ending}"

    def error_file(self, shard: int, of: int) -> Path:
        """The path of the rows of a shard that could not be labelled."""
        return self.errors / f"{_name(shard, of)}.jsonl"

    def _count_file(self, shard: int, of: int) -> Path:
        return self._counts / f"{_name(shard, of)}.json"

    def read_plan(self) -> Optional[Plan]:
        """
        The plan, if there is a manifest.

        # Raises

        `ConfigurationError`
            If the manifest cannot be read, or there are shards without one.
        """
        if not self.manifest.exists():
            ours = [path for path in self._own_files() if not path.name.endswith(PARTIAL)]
            if ours:
                raise ConfigurationError(
                    f"--output: found {ours[0]}, but no {self.manifest.name} in {self.path}; "
                    "expected another folder, or --force to start anew"
                )
            return None
        return read_plan(self.manifest.read_text(encoding="utf-8"), str(self.manifest))

    def write_plan(self, plan: Plan) -> None:
        """Writes the manifest."""
        self.create()
        with writing(self.manifest) as partial:
            partial.write_text(plan.to_json(), encoding="utf-8")

    def counts(self, plan: str, shard: int, of: int, ending: str) -> Optional[Counts]:
        """The counts of a shard, if it is finished under the plan with this digest."""
        try:
            counts = Counts(**json.loads(self._count_file(shard, of).read_bytes()))
        except (FileNotFoundError, ValueError, TypeError):
            return None
        sizes = [(self.shard(shard, of, ending), counts.bytes)]
        if counts.errors:
            sizes.append((self.error_file(shard, of), counts.error_bytes))
        if counts.plan != plan or any(_size(path) != size for path, size in sizes):
            return None
        return counts

    def write_counts(self, counts: Counts, shard: int, of: int) -> None:
        """Marks a shard as finished."""
        with writing(self._count_file(shard, of)) as partial:
            partial.write_text(json.dumps(asdict(counts)) + "\n", encoding="utf-8")

    def clear(self) -> None:
        """Removes all files of earlier runs, and no others."""
        for path in self._own_files():
            path.unlink(missing_ok=True)

    def remove_partial_files(self, everywhere: bool) -> None:
        """
        Removes the temporary files of killed processes.

        # Parameters

        everywhere : `bool`
            Whether to remove those of all machines, which may still be writing, too.
        """
        for path in self._own_files():
            if path.name.endswith(PARTIAL) and (everywhere or _is_left_by_the_dead(path)):
                path.unlink(missing_ok=True)

    def _own_files(self) -> List[Path]:
        """The files of this folder that `lisa annotate` writes."""
        folders = [folder for folder in (self.path, self._counts, self.errors) if folder.is_dir()]
        files = (path for folder in folders for path in sorted(folder.iterdir()))
        return [path for path in files if _OURS.fullmatch(path.name)]


@contextmanager
def writing(path: Path) -> Iterator[Path]:
    """As `complete_file`, with a temporary name that no other process uses."""
    name = f"{path.name}.{socket.gethostname()}-{os.getpid()}{PARTIAL}"
    try:
        with complete_file(path, path.with_name(name)) as partial:
            yield partial
    except OSError as error:
        # Errors of writing have no name of a file.
        if error.errno is not None and error.filename is None:
            raise OSError(error.errno, os.strerror(error.errno), str(path)) from error
        raise


def _is_left_by_the_dead(path: Path) -> bool:
    match = re.search(rf"\.([^/]+)-(\d+){re.escape(PARTIAL)}$", path.name)
    if match is None or not match[1].endswith("." + socket.gethostname()):
        return False
    try:
        os.kill(int(match[2]), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _name(shard: int, of: int) -> str:
    return f"shard-{shard + 1:05}-of-{of:05}"


def _size(path: Path) -> Optional[int]:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return None
