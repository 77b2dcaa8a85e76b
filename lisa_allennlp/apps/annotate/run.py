"""Labels the unfinished shards of a plan, in processes or on a Ray cluster, and counts rows."""

import json
import logging
import mmap
import os
import sys
import time
from concurrent.futures import FIRST_COMPLETED, wait
from contextlib import closing, nullcontext
from itertools import accumulate
from pathlib import Path
from typing import Any, Dict, Generator, Iterable, Iterator, Optional, Sequence, Tuple

from rich.console import Console
from rich.progress import Progress, TextColumn, TimeRemainingColumn

from lisa_allennlp.apps.annotate.plan import Plan
from lisa_allennlp.apps.annotate.shards import ShardLabeller
from lisa_allennlp.common.complete_files import complete_file
from lisa_allennlp.common.compression import decompressed
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats.parquet import number_of_rows
from lisa_allennlp.labelling.input_formats import PARQUET
from lisa_allennlp.labelling.pool import ATTEMPTS, Pool

SECONDS_BETWEEN_LINES = 30.0


def label(
    plan: Plan,
    devices: Sequence[int] = (-1,),
    address: Optional[str] = None,
    workers: Optional[int] = None,
    part: Tuple[int, int] = (1, 1),
) -> str:
    """
    Labels the unfinished shards. Returns a line that reports how many were labelled.

    # Parameters

    devices : `Sequence[int]`, optional (default = one process on the CPU)
        For each process of this machine, the number of a GPU, or -1.
    address : `str`, optional
        Of a Ray cluster, which labels instead, with this number of `workers`.
    part : `Tuple[int, int]`, optional (default = all shards)
        `(3, 64)` for the third of 64 parts: every 64th shard from the third on.
    """
    own = range(len(plan.shards))[part[0] - 1 :: part[1]]
    waiting = [shard for shard in own if plan.missing(shard)]
    to_do, rows = plan.rows_of(waiting), plan.rows_of(own)
    began = time.monotonic()
    if waiting:
        results = (
            _in_processes(plan, waiting, devices[: len(waiting)])
            if address is None
            else accumulate(_on_ray(plan, waiting, address, workers))
        )
        _show(results, rows - to_do, rows)
    rate = to_do / max(time.monotonic() - began, 1e-9)
    of_part = "" if part[1] == 1 else f" of part {part[0]} of {part[1]}"
    return f"labelled {len(waiting):,} of {len(own):,} shards{of_part}, {rate:,.0f} rows/s"


def finish(plan: Plan, reads_shards: bool = False) -> Tuple[Optional[Path], str]:
    """
    Counts the rows, with `reads_shards` in the shards, too. Writes the summary if all shards are
    finished. Returns a missing file, if there is one, and a line with the counts. Raises if no row
    could be labelled.
    """
    of, summary_path = len(plan.shards), plan.folder / "summary.json"
    missing = {shard: path for shard in range(of) if (path := plan.missing(shard))}
    finished = [shard for shard in range(of) if shard not in missing]
    rows, errors = plan.rows_of(finished), 0
    for shard in finished:
        error_path = plan.error_path(shard)
        failed = error_path.read_bytes().count(b"\n") if error_path.exists() else 0
        expected = plan.rows_of([shard]) - failed
        if reads_shards and (found := _number_of_rows(str(plan.path(shard)))) != expected:
            raise ConfigurationError(f"{plan.path(shard)}: found {found} rows; expected {expected}")
        errors += failed
    summary = f"{rows - errors:,} rows labelled, {errors:,} in {plan.folder / 'errors'}"
    if missing:
        summary_path.unlink(missing_ok=True)
        line = f"{len(missing):,} of {of:,} shards are unfinished; so far {summary}"
        return next(iter(missing.values())), line
    described = {"rows": rows, "shards": of, "labelled": rows - errors, "errors": errors}
    with complete_file(summary_path) as partial:
        partial.write_text(json.dumps(described) + "\n", encoding="utf-8")
    if rows and errors == rows:
        with plan.error_path(0).open("rb") as file:
            first = json.loads(file.readline())
        raise ConfigurationError(
            f"{first['file']}:{first['row']}: {first['reason']}. None of the {rows:,} rows could "
            f"be labelled; all are in {plan.folder / 'errors'}"
        )
    return None, f"complete: {rows:,} rows in {of:,} shards; {summary}"


def _number_of_rows(path: str) -> int:
    if path.endswith(PARQUET):
        return number_of_rows(path)
    with open(path, "rb") as file:
        return sum(1 for _ in decompressed(file, path))


def _in_processes(
    plan: Plan, shards: Sequence[int], devices: Sequence[int]
) -> Generator[int, None, None]:
    """A shard whose process is killed is tried again."""
    # The processes share this memory.
    done = memoryview(mmap.mmap(-1, 8 * len(plan.shards))).cast("q")
    # Processes on the CPU share the memory of one model; each GPU needs its own.
    labeller = plan.options.open() if devices[0] < 0 else None
    workers = [ShardLabeller(plan, labeller, device, done.__setitem__) for device in devices]
    with closing(Pool(workers, ATTEMPTS)) as pool:
        waiting = {pool.submit(shard) for shard in shards}
        while waiting:
            finished, waiting = wait(waiting, timeout=1, return_when=FIRST_COMPLETED)
            for future in finished:
                future.result()
            yield sum(done)


def _on_ray(
    plan: Plan, shards: Sequence[int], address: str, workers: Optional[int] = None
) -> Iterator[int]:
    """
    Labels shards on a cluster (`local` starts and ends one on this machine), with one CPU per
    worker. Yields the rows of each shard, as they are done.
    """
    import ray
    from ray.util import ActorPool

    options: Dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    if address == "local":
        options.update(include_dashboard=False, num_cpus=workers)
    try:
        ray.init(address=address, **options)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise ConfigurationError(
            f"--address: found no Ray cluster at '{address}' ({error}); expected auto, local or "
            "the address of a cluster"
        ) from error
    try:
        number = min(workers or int(ray.cluster_resources().get("CPU", 1)), len(shards))
        settings = {"num_cpus": 1, "max_restarts": -1, "max_task_retries": ATTEMPTS}
        actor = ray.remote(**settings)(_Worker)
        pool = ActorPool([actor.remote(plan, os.getcwd()) for _ in range(number)])
        yield from pool.map_unordered(lambda worker, shard: worker.label.remote(shard), shards)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from error
    except ray.exceptions.RayError as error:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise ConfigurationError(
            f"--address {address}: found a failure of Ray ({lines[0]}); expected workers that "
            "keep running. Shards that are done are kept"
        ) from error
    finally:
        ray.shutdown()


class _Worker:
    """Works in the folder that the names of the inputs are relative to."""

    def __init__(self, plan: Plan, folder: str) -> None:
        os.chdir(folder)
        self._digest = plan.options.digest()
        self._plan = plan
        self._label = ShardLabeller(plan)

    def label(self, shard: int) -> int:
        if self._digest != self._plan.conditions["model"]:
            raise ConfigurationError(
                f"{self._plan.options.model['model']}: found another model on {os.uname().nodename}"
                "; expected the same model on all machines"
            )
        return self._label(shard)


def _show(done: Iterable[int], before: int, rows: int) -> None:
    """On a terminal, progress is one line, otherwise a line from time to time."""
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
