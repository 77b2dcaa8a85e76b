"""Runs the jobs of a plan one by one and reports their scores."""

import os
from typing import Dict, Iterable, List, Optional, Sequence, Type, Union

from experiments.estimates import Estimate, estimate_trainings
from experiments.execution import Execution
from experiments.jobs import Analysing, Drawing, Evaluating, Job, Predicting, Training
from experiments.plan import Plan, Scoring
from experiments.protocol import Protocol, trainings_table
from experiments.report import Report, ReportFigure, ReportRow, ReportTable
from experiments.settings import Settings
from experiments.systems import Cell, Figure, Paper, Row, Table, networks_of
from lisa_allennlp.common.complete_files import complete_file


class Reproduction:
    """
    The tables to fill and the figures to draw, and the jobs that do it.

    # Parameters

    paper : `Paper`
    tables : `List[Table]`
        The tables to fill, with the chosen rows only.
    figures : `List[Figure]`
        The figures to draw.
    settings : `Settings`

    # Raises

    `ConfigurationError`
        As in `Plan`.
    """

    def __init__(
        self, paper: Paper, tables: List[Table], figures: List[Figure], settings: Settings
    ) -> None:
        self.plan = Plan(paper, settings)
        self._execution = Execution(settings.out / "logs")
        self._paper = paper
        self._tables = tables
        self._figures = figures
        self._settings = settings
        self._reasons: Dict[int, str] = {}
        self._scorings: Dict[int, Sequence[Scoring]] = {}
        self._drawings: Dict[int, Job] = {}
        self._protocol = Protocol(paper, settings, self.plan)
        for cell in self._cells():
            reason = self.plan.reason_to_skip(cell.source)
            if reason is None:
                self._scorings[id(cell)] = self.plan.add(cell)
            else:
                self._reasons[id(cell)] = reason
        for figure in figures:
            reason = self.plan.reason_not_to_draw(figure)
            if reason is None:
                self._drawings[figure.number] = self.plan.add_figure(figure)
            else:
                self._reasons[id(figure)] = reason

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
            skipped = [note for row in table.rows for note in self._skipped(row)]
            lines += [f"# Table {table.number}, {note}" for note in skipped]
        lines += [
            f"# Figure {figure.number}: skipped, {self._reasons[id(figure)]}"
            for figure in self._figures
            if id(figure) in self._reasons
        ]
        return lines

    def summary(self) -> str:
        """The numbers of jobs, and of those that are done."""
        kinds: Dict[str, Type[Job]] = {
            "trainings": Training,
            "predictions": Predicting,
            "evaluations": Evaluating,
            "analyses": Analysing,
            "drawings": Drawing,
        }
        parts = []
        for kind, job_type in kinds.items():
            jobs = [job for job in self.plan.jobs.values() if isinstance(job, job_type)]
            if jobs:
                done = sum(job.is_done() for job in jobs)
                parts.append(f"{kind}: {len(jobs)}" + (f" ({done} done)" if done else ""))
        return "; ".join(parts)

    def trainings_to_run(self) -> List[Training]:
        """The trainings that are not done."""
        return [training for training in self.plan.trainings if not training.is_done()]

    def estimate(self) -> Dict[str, Union[Estimate, str]]:
        """Measures what the trainings to run will take, as `estimate_trainings` returns it."""
        return estimate_trainings(self.trainings_to_run(), self._settings.out / "estimates.json")

    def _skipped(self, row: Row) -> List[str]:
        """Which cells of a row are skipped, and why; with their part if only some of them are."""
        cells = [cell for cell in row.cells if cell is not None]
        reasons = [self._reasons.get(id(cell)) for cell in cells]
        is_whole_row = len(set(reasons)) == 1
        notes = [
            f"{row.label}{'' if is_whole_row else f', {cell.source.part}'}: skipped, {reason}"
            for cell, reason in zip(cells, reasons, strict=True)
            if reason is not None
        ]
        return list(dict.fromkeys(notes))

    def run(self) -> None:
        """
        Runs the jobs that are not done, as `Execution` does. The report is written after every job.
        """
        self._execution.run(list(self.plan.jobs.values()), after_each=self.write_report)

    @property
    def failures(self) -> Dict[str, str]:
        """The failed jobs, and why."""
        return self._execution.failures

    def write_report(self) -> None:
        """Writes `report.md` and `report.json`."""
        report = self.report()
        self._settings.out.mkdir(parents=True, exist_ok=True)
        texts = {"report.json": report.to_json(), "report.md": report.to_markdown()}
        for name, text in texts.items():
            with complete_file(self._settings.out / name) as partial:
                partial.write_text(text, encoding="utf-8")

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
                    self._protocol.of_table(table),
                )
                for table in self._tables
            ],
            figures=[
                self._report_figure(figure, self._protocol.of_figure(figure))
                for figure in self._figures
            ],
            networks=self._networks(),
            trainings=trainings_table(self.plan.trainings),
        )

    def _networks(self) -> Dict[str, List[str]]:
        found: Dict[str, List[str]] = {}
        sources = [cell.source for cell in self._cells() if id(cell) in self._scorings]
        networks = networks_of([e for source in sources for e in source.evaluations])
        drawn = [figure for figure in self._figures if figure.number in self._drawings]
        for network in [*networks, *(n for figure in drawn for n in figure.all_networks)]:
            name = network.name_at(self._settings.size)
            if name not in found:
                found[name] = self._protocol.of_network(network)
        return found

    def _report_figure(self, figure: Figure, differences: List[str]) -> ReportFigure:
        job, notes, file = self._drawings.get(figure.number), [], None
        if job is None:
            notes.append(f"skipped, {self._reasons[id(figure)]}")
        elif job.name in self.failures:
            notes.append(self.failures[job.name])
        elif job.is_done():
            drawn = job.output
            if isinstance(job, Analysing):
                drawn = job.output.with_name(f"{figure.kind}.svg")
                page = os.path.relpath(job.page, self._settings.out)
                differences = [*differences, f"[All analyses]({page}) are in one page."]
            if drawn.exists():
                file = os.path.relpath(drawn, self._settings.out)
            else:
                notes.append("the corpus has neither constituents nor trees")
        else:
            notes.append("not run yet")
        return ReportFigure(figure.number, figure.title, file, notes, differences)

    def _report_row(self, row: Row) -> ReportRow:
        notes = self._skipped(row)
        values: List[Optional[List[float]]] = []
        for cell in row.cells:
            if cell is None or id(cell) in self._reasons:
                values.append(None)
                continue
            note = self._note(cell)
            if note is not None:
                notes.append(f"{row.label}: {note}")
            values.append(self._values(cell) if note is None else None)
        published = {corpus: list(figures) for corpus, figures in row.published.items()}
        return ReportRow(list(row.labels), values, published, list(dict.fromkeys(notes)))

    def _note(self, cell: Cell) -> Optional[str]:
        """Why a cell that is not skipped is empty; `None` if the cell has a value."""
        jobs = self._scorings[id(cell)]
        failed = next((self.failures[job.name] for job in jobs if job.name in self.failures), None)
        if failed is not None:
            return failed
        if not all(job.is_done() for job in jobs):
            return "not run yet"
        notes = (job.missing(cell.metric) for job in jobs if cell.metric not in job.scores())
        return next(notes, None)

    def _values(self, cell: Cell) -> List[float]:
        return [job.scores()[cell.metric] for job in self._scorings[id(cell)]]
