"""
Labels the shards of a plan that are not finished, and checks the result.

    >>> [is_of_part(shard, (2, 3)) for shard in range(5)]
    [False, True, False, False, True]
"""

import json
import os
from contextlib import closing
from dataclasses import dataclass, field
from typing import Callable, Dict, Generator, List, NamedTuple, Optional, Sequence, Tuple

from allennlp.common.checks import ConfigurationError

from lisa_allennlp.annotation.local_engine import in_processes
from lisa_allennlp.annotation.output_folder import Counts, OutputFolder, writing
from lisa_allennlp.annotation.output_formats import output_format
from lisa_allennlp.annotation.plan import Plan
from lisa_allennlp.annotation.planning import Asked, plan_for
from lisa_allennlp.annotation.progress import Progress
from lisa_allennlp.annotation.ray_engine import on_ray
from lisa_allennlp.annotation.worker import Job, ShardResult, open_worker


@dataclass(frozen=True)
class Engine:
    """
    Where shards are labelled.

    # Parameters

    devices : `List[int]`
        For each process of this machine, the number of a GPU, or -1.
    address : `str`, optional
        Of a Ray cluster, which labels instead.
    workers : `int`, optional
        The number of Ray's workers.
    packages : `List[str]`, optional
        The packages that Ray's workers import.
    """

    devices: List[int]
    address: Optional[str] = None
    workers: Optional[int] = None
    packages: List[str] = field(default_factory=list)


class State(NamedTuple):
    """
    The state of an output folder.

    # Parameters

    is_complete : `bool`
        Whether all shards are finished.
    line : `str`
        For people.
    """

    is_complete: bool
    line: str


class Run:
    """
    A run of the command.

    # Parameters

    asked : `Asked`
    folder : `OutputFolder`
    """

    def __init__(self, asked: Asked, folder: OutputFolder) -> None:
        self._asked = asked
        self._folder = folder
        self.plan: Plan = plan_for(asked, folder)
        self._digest = self.plan.digest()

    def label(self, engine: Engine, part: Optional[Tuple[int, int]] = None) -> str:
        """
        Labels what is not finished.

        # Parameters

        part : `Tuple[int, int]`, optional (default = all shards)
            `(3, 64)` for the third of 64 parts.

        # Returns

        `str`
            What was done, in a line.

        # Raises

        `ConfigurationError`, `OSError`
            If a shard cannot be labelled or written. Finished shards are kept.
        """
        self._folder.create()
        self._folder.remove_partial_files(everywhere=False)
        own = [n for n in range(len(self.plan.shards)) if part is None or is_of_part(n, part)]
        done = {n: counts.rows for n in own if (counts := self._counts(n)) is not None}
        waiting = [shard for shard in own if shard not in done]
        rows = sum(map(self.plan.rows_of, own))
        with Progress(rows, sum(done.values())) as progress:

            def report(shard: int, rows_of_shard: int) -> None:
                done[shard] = rows_of_shard
                progress.show(sum(done.values()))

            try:
                # Closing the results early ends the processes.
                with closing(self._results(engine, waiting, report)) as results:
                    for result in results:
                        report(result.shard, result.counts.rows)
            finally:
                self._folder.remove_partial_files(everywhere=False)
        of_part = "" if part is None else f" of part {part[0]} of {part[1]}"
        return (
            f"labelled {len(waiting):,} of {len(own):,} shards{of_part}, "
            f"{progress.rate():,.0f} rows/s"
        )

    def _results(
        self, engine: Engine, shards: Sequence[int], report: Callable[[int, int], None]
    ) -> Generator[ShardResult, None, None]:
        if not shards:
            return
        asked = self._asked
        output = str(self._folder.path.resolve())
        job = Job(
            output,
            os.getcwd(),
            asked.model,
            asked.rows,
            asked.ending,
            self._digest,
            engine.packages,
        )
        if engine.address is not None:
            yield from on_ray(job, shards, engine.address, engine.workers)
            return
        devices = engine.devices[: len(shards)]
        # Processes on the CPU share the memory of one model; each GPU needs its own.
        labeller = asked.model.open() if devices[0] < 0 else None
        yield from in_processes(
            lambda device: open_worker(job, labeller, device), devices, shards, report
        )

    def _counts(self, shard: int) -> Optional[Counts]:
        return self._folder.counts(self._digest, shard, len(self.plan.shards), self._asked.ending)

    def finish(self, reads_shards: bool = False) -> State:
        """
        Checks that no row is lost or doubled. If all shards are finished, writes the summary.

        # Parameters

        reads_shards : `bool`, optional (default = `False`)
            Whether to count the rows of the shards, instead of comparing their sizes only.

        # Returns

        `State`

        # Raises

        `ConfigurationError`
            If the number of rows is not that of the inputs.
        """
        of = len(self.plan.shards)
        counts = {n: found for n in range(of) if (found := self._counts(n)) is not None}
        if reads_shards:
            self._count_rows(counts)
        labelled = sum(found.labelled for found in counts.values())
        errors = sum(found.errors for found in counts.values())
        summary = f"{labelled:,} rows labelled, {errors:,} in {self._folder.errors}"
        if len(counts) < of:
            self._folder.summary.unlink(missing_ok=True)
            missing = f"{of - len(counts):,} of {of:,} shards are missing"
            return State(False, f"{missing}; so far {summary}")
        if labelled + errors != self.plan.rows:
            raise ConfigurationError(
                f"{self._folder.path}: found {labelled + errors} rows; expected {self.plan.rows}"
            )
        totals = {"plan": self._digest, "rows": self.plan.rows, "shards": of}
        with writing(self._folder.summary) as partial:
            described = {**totals, "labelled": labelled, "errors": errors}
            partial.write_text(json.dumps(described) + "\n", encoding="utf-8")
        self._folder.remove_partial_files(everywhere=True)
        return State(True, f"complete: {self.plan.rows:,} rows in {of:,} shards; {summary}")

    def _count_rows(self, counts: Dict[int, Counts]) -> None:
        of = len(self.plan.shards)
        rows = self._asked.rows
        written = output_format(self._asked.ending, self.plan.schema, rows.id_column)
        for shard, expected in counts.items():
            path = self._folder.shard(shard, of, self._asked.ending)
            found = written.number_of_rows(path)
            if found != expected.labelled:
                raise ConfigurationError(
                    f"{path}: found {found} rows; expected {expected.labelled}"
                )


def is_of_part(shard: int, part: Tuple[int, int]) -> bool:
    """Whether a shard, by its 0-based position, is in the third of 64 parts: `(3, 64)`."""
    number, of = part
    return shard % of == number - 1
