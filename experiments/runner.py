"""Runs the jobs of a plan one by one and reports their scores."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Dict, Iterable, List, Optional, Sequence

from experiments.jobs import Evaluating, Job
from experiments.plan import Plan, Settings
from experiments.report import Report, ReportRow, ReportTable
from experiments.systems import Cell, Paper, Row, Table

SECONDS_TO_STOP = 60
"""Seconds that a terminated job may take before it is killed."""


class Reproduction:
    """
    The tables to fill, and the jobs that fill them.

    # Parameters

    paper : `Paper`
    tables : `List[Table]`
        The tables to fill, with the chosen rows only.
    settings : `Settings`

    # Raises

    `ConfigurationError`
        As in `Plan`.
    """

    def __init__(self, paper: Paper, tables: List[Table], settings: Settings) -> None:
        self.plan = Plan(paper, settings)
        self.failures: Dict[str, str] = {}
        self._paper = paper
        self._tables = tables
        self._settings = settings
        self._reasons: Dict[int, str] = {}
        self._evaluations: Dict[int, List[Evaluating]] = {}
        for cell in self._cells():
            reason = self.plan.reason_to_skip(cell)
            if reason is None:
                self._evaluations[id(cell)] = self.plan.add(cell)
            else:
                self._reasons[id(cell)] = reason

    def _cells(self) -> Iterable[Cell]:
        rows = (row for table in self._tables for row in table.rows)
        return (cell for row in rows for cell in row.cells if cell is not None)

    def command_lines(self) -> List[str]:
        """
        The commands of all jobs. Commands that are done and rows that are skipped are comments.
        """
        lines = []
        for job in self.plan.jobs.values():
            lines.append(("# done: " if job.is_done() else "") + job.command_line())
        for table in self._tables:
            lines += [
                f"# Table {table.number}, {row.label}: skipped, {reason}"
                for row in table.rows
                for reason in self._skipped(row)
            ]
        return lines

    def _skipped(self, row: Row) -> List[str]:
        reasons = (self._reasons.get(id(cell)) for cell in row.cells)
        return list(dict.fromkeys(filter(None, reasons)))

    def run(self) -> None:
        """
        Runs the jobs that are not done, each in its own process, with its output in `logs`. Failed
        jobs, and the jobs that need them, are recorded in `failures`; all other jobs run. The
        report is written after every job.
        """
        jobs = list(self.plan.jobs.values())
        for number, job in enumerate(jobs, start=1):
            place = f"[{number}/{len(jobs)}]"
            failed = next((need.name for need in job.needs if need.name in self.failures), None)
            if failed is not None:
                self.failures[job.name] = self.failures[failed]
                _say(f"{place} {job.name}: skipped, since {failed} failed")
            elif job.is_done():
                _say(f"{place} {job.name}: already done, {job.output}")
            else:
                self._run(job, place)
            self.write_report()

    def _run(self, job: Job, place: str) -> None:
        log = self._settings.out / "logs" / f"{job.name}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        arguments = job.arguments()
        continues = " continues" if "--recover" in arguments else ""
        _say(f"{place} {job.name}{continues}: log in {log}")
        job.prepare()
        started = time.monotonic()
        status = _lisa(arguments, job.environment, log)
        seconds = time.monotonic() - started
        if status:
            self.failures[job.name] = f"{job.name} failed: {_last_words(log)} (log: {log})"
            _say(f"{place} {self.failures[job.name]}")
            return
        job.finish()
        _say(f"{place} {job.name}: {seconds:.0f} s")

    def write_report(self) -> None:
        """Writes `report.md` and `report.json`."""
        report = self.report()
        self._settings.out.mkdir(parents=True, exist_ok=True)
        (self._settings.out / "report.json").write_text(report.to_json(), encoding="utf-8")
        (self._settings.out / "report.md").write_text(report.to_markdown(), encoding="utf-8")

    def report(self) -> Report:
        """The report of the scores measured so far."""
        settings = self._settings
        return Report(
            paper=self._paper.title,
            data=settings.data,
            corpora=dict(self._paper.corpora),
            size=settings.size,
            seeds=list(settings.seeds),
            overrides={"": dict(settings.overrides), **settings.network_overrides},
            tables=[
                ReportTable(
                    table.number,
                    table.title,
                    list(table.headings),
                    list(table.columns),
                    [self._report_row(row) for row in table.rows],
                )
                for table in self._tables
            ],
        )

    def _report_row(self, row: Row) -> ReportRow:
        notes: List[str] = []
        values: List[Optional[List[float]]] = []
        for cell in row.cells:
            note = None if cell is None else self._note(cell)
            if note is not None:
                notes.append(f"{row.label}: {note}")
            values.append(None if cell is None or note is not None else self._values(cell))
        published = {corpus: list(figures) for corpus, figures in row.published.items()}
        return ReportRow(list(row.labels), values, published, list(dict.fromkeys(notes)))

    def _note(self, cell: Cell) -> Optional[str]:
        """The reason for an empty cell; `None` if the cell has a value."""
        if id(cell) in self._reasons:
            return f"skipped, {self._reasons[id(cell)]}"
        jobs = self._evaluations[id(cell)]
        failed = next((self.failures[job.name] for job in jobs if job.name in self.failures), None)
        if failed is not None:
            return failed
        return None if all(job.is_done() for job in jobs) else "not run yet"

    def _values(self, cell: Cell) -> List[float]:
        return [job.scores()[cell.metric] for job in self._evaluations[id(cell)]]


def _lisa(arguments: Sequence[str], environment: object, log: Path) -> int:
    """
    Runs a command in another process, to free its memory afterwards, and returns its exit status.
    An interrupt of this process also ends the other.
    """
    variables = {**os.environ, **environment}  # type: ignore[dict-item]
    with open(log, "a", encoding="utf-8") as file:
        command = [sys.executable, "-m", "lisa_allennlp", *arguments]
        process = subprocess.Popen(
            command, env=variables, stdin=subprocess.DEVNULL, stdout=file, stderr=file
        )
        try:
            return process.wait()
        except BaseException:
            _stop(process)
            raise


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """Terminates a process, with time for a training to save the model of its best epoch."""
    process.terminate()
    try:
        process.wait(SECONDS_TO_STOP)
    except BaseException:
        # Out of time, or interrupted once more.
        process.kill()
        process.wait()


def _last_words(log: Path) -> str:
    """The last line of a log, which has the error message."""
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    if not lines:
        return "no message"
    return (
        lines[-1].removeprefix("lisa: error: ").removesuffix(" (lisa --debug shows the traceback)")
    )


def _say(line: str) -> None:
    print(line, flush=True)
