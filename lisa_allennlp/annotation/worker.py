"""
Labels the rows of one shard and writes them. Each process has a worker.

    >>> ShardResult(3, Counts("", 10, 9, 1, 2000, 80), was_finished=False).counts.labelled
    9
"""

import json
import os
import socket
from collections import deque
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Callable, Deque, Iterator, List, NamedTuple, Optional

from allennlp.common.checks import ConfigurationError

from lisa_allennlp.annotation.input_files import Row, Start, read_rows
from lisa_allennlp.annotation.model_options import ModelOptions
from lisa_allennlp.annotation.output_folder import Counts, OutputFolder, writing
from lisa_allennlp.annotation.output_formats import output_format
from lisa_allennlp.annotation.plan import Plan
from lisa_allennlp.annotation.rows import RowOptions
from lisa_allennlp.labelling.errors import InputError
from lisa_allennlp.labelling.groups import GROUP_SIZE, Item
from lisa_allennlp.labelling.labeller import Labeller

REPORTED_ROWS = 100
"""The number of rows after which progress is reported."""


@dataclass(frozen=True)
class Job:
    """
    What every worker of a run needs. It can be pickled.

    # Parameters

    output : `str`
        The absolute path of the output folder.
    base : `str`
        The folder that the inputs' names are relative to.
    model : `ModelOptions`
    rows : `RowOptions`
    ending : `str`
        One of `OUTPUT_FORMATS`.
    plan : `str`
        The digest of the plan in the output folder.
    packages : `List[str]`
        The packages whose classes the model may need.
    """

    output: str
    base: str
    model: ModelOptions
    rows: RowOptions
    ending: str
    plan: str
    packages: List[str]


class ShardResult(NamedTuple):
    """
    # Parameters

    shard : `int`
        Its 0-based position.
    counts : `Counts`
    was_finished : `bool`
        Whether another process had written the shard before.
    """

    shard: int
    counts: Counts
    was_finished: bool


class ShardWorker:
    """
    # Parameters

    job : `Job`
    plan : `Plan`
    labeller : `Labeller`
    """

    def __init__(self, job: Job, plan: Plan, labeller: Labeller) -> None:
        self._job = job
        self._plan = plan
        self._format = output_format(job.ending, plan.schema, job.rows.id_column)
        self._labeller = labeller
        self._folder = OutputFolder(job.output)

    def __call__(
        self, shard: int, report: Callable[[int], None] = lambda rows: None
    ) -> ShardResult:
        """
        Labels a shard, unless it is finished.

        # Parameters

        shard : `int`
            Its 0-based position.
        report : `Callable[[int], None]`, optional
            Called with the number of rows that are done, from time to time.

        # Raises

        `ConfigurationError`
            If an input has changed.
        `OSError`
            If a file cannot be read or written.
        """
        of = len(self._plan.shards)
        finished = self._folder.counts(self._job.plan, shard, of, self._job.ending)
        if finished is not None:
            return ShardResult(shard, finished, was_finished=True)
        path = self._folder.shard(shard, of, self._job.ending)
        errors = self._folder.error_file(shard, of)
        labelled, failed = self._write(shard, path, errors, report)
        rows = self._plan.rows_of(shard)
        if labelled + failed != rows:
            raise ConfigurationError(
                f"{path}: found {labelled} labelled rows and {failed} errors; expected {rows}"
            )
        counts = Counts(self._job.plan, rows, labelled, failed, path.stat().st_size, 0)
        if failed:
            counts.error_bytes = errors.stat().st_size
        self._folder.write_counts(counts, shard, of)
        return ShardResult(shard, counts, was_finished=False)

    def _write(
        self, shard: int, path: Path, errors: Path, report: Callable[[int], None]
    ) -> "tuple[int, int]":
        """Writes both files of a shard, and returns the numbers of their rows."""
        labelled = failed = 0
        with ExitStack() as stack:
            records = stack.enter_context(self._format.open(stack.enter_context(writing(path))))
            error_lines: Optional[BinaryIO] = None
            for row, answer in self._answers(shard):
                if isinstance(answer, InputError):
                    if error_lines is None:
                        partial_file = stack.enter_context(writing(errors))
                        error_lines = stack.enter_context(partial_file.open("wb"))
                    error_lines.write(self._error_line(row, answer))
                    failed += 1
                else:
                    records.write(answer)
                    labelled += 1
                if (labelled + failed) % REPORTED_ROWS == 0:
                    report(labelled + failed)
        return labelled, failed

    def _answers(self, shard: int) -> Iterator["tuple[Row, Any]"]:
        """Each row with its record or its error."""
        waiting: Deque[Row] = deque()
        answers = self._labeller.stream(
            self._items(shard, waiting),
            partial(self._job.rows.request, self._labeller),
            self._labeller.label_any,
            self._format.record,
            GROUP_SIZE,
            processes=1,
            stops=False,
        )
        return ((waiting.popleft(), answer) for answer in answers)

    def _items(self, shard: int, waiting: Deque[Row]) -> Iterator[Item]:
        for segment in self._plan.shards[shard]:
            file = self._plan.inputs[segment.file]
            path = os.path.join(self._job.base, file.path)
            start = Start(segment.offset, segment.number)
            for row in read_rows(file, path, start, segment.rows):
                waiting.append(row)
                yield Item(row, f"{row.file}:{row.number}", row.number, size=row.size)

    def _error_line(self, row: Row, error: InputError) -> bytes:
        try:
            name = self._job.rows.id_of(row, self._job.rows.content(row))
        except ConfigurationError:
            name = self._job.rows.id_of(row, None)
        record = {"file": row.file, "row": row.number, "id": name, "reason": error.reason}
        return (json.dumps(record, default=str) + "\n").encode()


def open_worker(job: Job, labeller: Optional[Labeller] = None, device: int = -1) -> ShardWorker:
    """
    The worker of a process.

    # Parameters

    job : `Job`
    labeller : `Labeller`, optional (default = the job's model, which is opened)
    device : `int`, optional (default = `-1`)
        The number of a GPU to open the model on; -1 is the CPU.

    # Raises

    `ConfigurationError`
        If this machine has another plan or another model than the run began with.
    """
    folder = OutputFolder(job.output)
    plan = folder.read_plan()
    if plan is None or plan.digest() != job.plan:
        raise ConfigurationError(
            f"{folder.manifest}: found {'no' if plan is None else 'another'} plan; expected that "
            "of the running command, on a file system that all workers share"
        )
    if labeller is None:
        if job.model.digest() != plan.conditions["model"]:
            raise ConfigurationError(
                f"{job.model.model}: found another model on {socket.gethostname()}; expected the "
                "same on all machines"
            )
        labeller = job.model.open(device)
    return ShardWorker(job, plan, labeller)
