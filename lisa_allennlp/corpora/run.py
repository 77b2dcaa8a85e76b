"""Labels the shards of a plan that are not finished, and counts the rows."""

import gzip
import json
import mmap
import sys
import time
from concurrent.futures import FIRST_COMPLETED, wait
from contextlib import closing, nullcontext
from itertools import accumulate
from pathlib import Path
from typing import Generator, Iterable, Optional, Sequence, Tuple

from rich.console import Console
from rich.progress import Progress, TextColumn, TimeRemainingColumn

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.corpora import parquet
from lisa_allennlp.corpora.inputs import find_inputs
from lisa_allennlp.corpora.plan import Options, OutputFolder, Plan, writing
from lisa_allennlp.corpora.ray_cluster import on_ray
from lisa_allennlp.corpora.shards import Job, ShardLabeller, columns_of
from lisa_allennlp.labelling.input_formats import PARQUET
from lisa_allennlp.labelling.pool import ATTEMPTS, Pool

SECONDS_BETWEEN_LINES = 30.0
"""Where the progress is not shown on a terminal."""


class Run:
    """
    A run of the command. `force` removes what earlier runs wrote.

    # Raises

    `ConfigurationError`
        If an input or option is wrong, or not that of the run to continue.
    """

    def __init__(self, options: Options, output: str, force: bool = False) -> None:
        self._folder = OutputFolder(output, options.ending)
        inputs = find_inputs(options.paths, options.input_format)
        folder = self._folder.path.resolve()
        for path in [*options.paths, *(file.path for file in inputs)]:
            if folder in Path(path).resolve().parents or Path(path).resolve() in folder.parents:
                raise ConfigurationError(
                    f"--output: found {output}, which has or is in the input {path}; expected "
                    "another folder"
                )
        columns, conditions = columns_of(options, inputs), options.conditions()
        if force:
            self._folder.clear()
        self._plan: Plan = self._folder.plan(conditions, inputs, options.rows_per_shard)
        self._job = Job(options, self._plan, self._folder, *columns)
        self.shards = range(len(self._plan.shards))
        self.rows = self._plan.rows_of(self.shards)

    def label(
        self,
        devices: Sequence[int] = (-1,),
        address: Optional[str] = None,
        workers: Optional[int] = None,
        part: Tuple[int, int] = (1, 1),
    ) -> str:
        """
        Labels what is not finished, and says what was done in a line.

        # Parameters

        devices : `Sequence[int]`, optional (default = one process on the CPU)
            For each process of this machine, the number of a GPU, or -1.
        address : `str`, optional
            Of a Ray cluster, which labels instead, with this number of `workers`.
        part : `Tuple[int, int]`, optional (default = all shards)
            `(3, 64)` for the third of 64 parts: every 64th shard from the third on.

        # Raises

        `ConfigurationError`, `OSError`
            If a shard cannot be labelled or written. Finished shards are kept.
        """
        own = self.shards[part[0] - 1 :: part[1]]
        waiting = [shard for shard in own if not self._path(shard).exists()]
        to_do, rows = self._plan.rows_of(waiting), self._plan.rows_of(own)
        began = time.monotonic()
        if waiting:
            results = (
                _in_processes(self._job, waiting, devices[: len(waiting)])
                if address is None
                else accumulate(on_ray(self._job, waiting, address, workers))
            )
            _show(results, rows - to_do, rows)
        rate = to_do / max(time.monotonic() - began, 1e-9)
        of_part = "" if part[1] == 1 else f" of part {part[0]} of {part[1]}"
        return f"labelled {len(waiting):,} of {len(own):,} shards{of_part}, {rate:,.0f} rows/s"

    def finish(self, reads_shards: bool = False) -> Tuple[bool, str]:
        """
        Counts the rows, with `reads_shards` in the shards, too. If all shards are finished, writes
        the summary. Returns whether they are, and what there is in a line.

        # Raises

        `ConfigurationError`
            If the number of rows of a shard is not that of the inputs.
        """
        folder, of = self._folder, len(self.shards)
        finished = [shard for shard in self.shards if self._path(shard).exists()]
        rows, errors = self._plan.rows_of(finished), 0
        for shard in finished:
            error_file = folder.error_file(shard, of)
            failed = error_file.read_bytes().count(b"\n") if error_file.exists() else 0
            expected = self._plan.rows_of([shard]) - failed
            if reads_shards and (found := _number_of_rows(str(self._path(shard)))) != expected:
                raise ConfigurationError(
                    f"{self._path(shard)}: found {found} rows; expected {expected}"
                )
            errors += failed
        summary = f"{rows - errors:,} rows labelled, {errors:,} in {folder.errors}"
        if len(finished) < of:
            folder.summary.unlink(missing_ok=True)
            return False, f"{of - len(finished):,} of {of:,} shards are missing; so far {summary}"
        described = {"rows": rows, "shards": of, "labelled": rows - errors, "errors": errors}
        with writing(folder.summary) as partial:
            partial.write_text(json.dumps(described) + "\n", encoding="utf-8")
        folder.clear(partial_only=True)
        return True, f"complete: {rows:,} rows in {of:,} shards; {summary}"

    def _path(self, shard: int) -> Path:
        return self._folder.shard(shard, len(self.shards))


def _number_of_rows(path: str) -> int:
    if path.endswith(PARQUET):
        return parquet.number_of_rows(path)
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        return sum(1 for _ in file)


def _in_processes(
    job: Job, shards: Sequence[int], devices: Sequence[int]
) -> Generator[int, None, None]:
    """Labels shards in one process per device. A shard whose process is killed is tried again."""
    # The processes share this memory.
    done = memoryview(mmap.mmap(-1, 8 * len(job.plan.shards))).cast("q")
    # Processes on the CPU share the memory of one model; each GPU needs its own.
    labeller = job.options.open() if devices[0] < 0 else None
    workers = [ShardLabeller(job, labeller, device, done.__setitem__) for device in devices]
    with closing(Pool(workers, ATTEMPTS)) as pool:
        waiting = {pool.submit(shard) for shard in shards}
        while waiting:
            finished, waiting = wait(waiting, timeout=1, return_when=FIRST_COMPLETED)
            for future in finished:
                future.result()
            yield sum(done)


def _show(done: Iterable[int], before: int, rows: int) -> None:
    """Shows the progress: on a terminal as one line, otherwise as a line from time to time."""
    console = Console(stderr=True)
    began = next_line = time.monotonic()
    columns = TextColumn("{task.description}"), TimeRemainingColumn()
    progress = Progress(*columns, console=console)
    task = progress.add_task("annotate", total=rows, completed=before)
    with progress if console.is_terminal else nullcontext():
        for number in done:
            now = time.monotonic()
            rate = number / max(now - began, 1e-9)
            line = f"annotate: {before + number:,} of {rows:,} rows, {rate:,.0f} rows/s"
            progress.update(task, completed=before + number, description=line)
            if not console.is_terminal and now >= next_line:
                next_line = now + SECONDS_BETWEEN_LINES
                print(line, file=sys.stderr, flush=True)
