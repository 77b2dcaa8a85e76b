"""
The `reproduce` command: trains and evaluates the systems in the tables of the papers.

```
lisa reproduce --data ewt --corpus corpora/ewt --tables 1,4 --out out/tables
```
"""

import argparse
import json
import os
import shlex
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple

from rich.console import Console
from rich.markdown import Markdown

from experiments.jobs import Analysing, Job, Training, run_jobs
from experiments.papers.estimates import Estimates, describe, estimate_trainings
from experiments.papers.parts import Cell, Figure, Paper, Row, Table, networks_of
from experiments.papers.plan import Plan, Scoring
from experiments.papers.protocol import Protocol, trainings_table
from experiments.papers.report import add_significance, table_files, to_markdown
from experiments.papers.settings import (
    Settings,
    add_own_rows,
    keep_settings,
    select_figures,
    select_tables,
    settings_from,
)
from experiments.papers.tables import CORPORA, PARSERS, ccg_paper, dm_paper, lisa_paper
from lisa_allennlp.common.complete_files import complete_file
from lisa_allennlp.common.errors import ConfigurationError

PAPERS: Dict[str, Callable[[argparse.Namespace], Paper]] = {
    "lisa": lambda args: lisa_paper(PARSERS[args.parser_words], args.with_crf),
    "dm": lambda args: dm_paper(CORPORA),
    "ccg": lambda args: ccg_paper(args.with_mentioned),
}
"""The papers by their names on the command line."""

KINDS = {
    "train": "trainings",
    "predict": "predictions",
    "evaluate": "evaluations",
    "analyze": "analyses",
    "draw": "drawings",
}
"""What jobs do, by the beginning of their names."""


class Reproduction:
    """The tables to fill and the figures to draw, and the jobs that do it."""

    def __init__(
        self, paper: Paper, tables: List[Table], figures: List[Figure], settings: Settings
    ) -> None:
        self.plan = Plan(paper, settings)
        self.failures: Dict[str, str] = {}
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
        """Returns the commands of all jobs; those done and the rows skipped are comments."""
        lines = [job.command_line() for job in self.plan.jobs.values()]
        for table in self._tables:
            skipped = [note for row in table.rows for note in self._skipped(row)]
            lines += [f"# Table {table.number}, {note}" for note in skipped]
        lines += [
            f"# Figure {figure.number}: skipped, {self._reasons[id(figure)]}"
            for figure in self._figures
            if id(figure) in self._reasons
        ]
        sources = [cell.source for cell in self._cells()]
        sources += [figure.comparison for figure in self._figures if figure.comparison is not None]
        missing = self.plan.missing_files(sources)
        return lines + [f"# missing: {path} ({', '.join(n)})" for path, n in missing.items()]

    def summary(self) -> str:
        parts = []
        for prefix, kind in KINDS.items():
            jobs = [job for name, job in self.plan.jobs.items() if name.startswith(f"{prefix}-")]
            if jobs:
                done = sum(job.is_done() for job in jobs)
                parts.append(f"{kind}: {len(jobs)}" + (f" ({done} done)" if done else ""))
        return "; ".join(parts)

    def trainings_to_run(self) -> List[Training]:
        return [training for training in self.plan.trainings if not training.is_done()]

    def _skipped(self, row: Row) -> List[str]:
        """Says which cells are skipped and why, with their part if only some of a row are."""
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
        """Runs the jobs that are not done, and writes the report after each."""
        jobs, logs = list(self.plan.jobs.values()), self._settings.out / "logs"
        run_jobs(jobs, logs, self.failures, after_each=self.write_report)

    def write_report(self) -> None:
        """Writes `report.md` and `report.json`, and each table in LaTeX and CSV to `tables`."""
        report = self.report()
        files = {
            "report.json": json.dumps(report, indent=2, ensure_ascii=False) + "\n",
            "report.md": to_markdown(report),
            **{f"tables/{name}": text for name, text in table_files(report).items()},
        }
        for name, text in files.items():
            (self._settings.out / name).parent.mkdir(parents=True, exist_ok=True)
            with complete_file(self._settings.out / name) as partial:
                partial.write_text(text, encoding="utf-8")

    def report(self) -> Dict[str, Any]:
        settings = self._settings
        report = {
            "paper": self._paper.title,
            "data": settings.data,
            "corpora": dict(self._paper.corpora),
            "size": settings.size,
            "seeds": list(settings.seeds),
            "overrides": {"": dict(settings.overrides), **settings.network_overrides},
            "tables": [
                {
                    "number": table.number,
                    "title": table.title,
                    "headings": list(table.headings),
                    "columns": list(table.columns),
                    "rows": [self._report_row(row) for row in table.rows],
                    "differences": self._protocol.of_table(table),
                }
                for table in self._tables
            ],
            "figures": [self._report_figure(figure) for figure in self._figures],
            "networks": self._networks(),
            "trainings": trainings_table(self.plan.trainings),
        }
        add_significance(report)
        return report

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

    def _report_figure(self, figure: Figure) -> Dict[str, Any]:
        job, notes, file = self._drawings.get(figure.number), [], None
        differences = self._protocol.of_figure(figure)
        if job is None:
            notes.append(f"skipped, {self._reasons[id(figure)]}")
        elif job.name in self.failures:
            notes.append(self.failures[job.name])
        elif not job.is_done():
            notes.append("not run yet")
        else:
            drawn = job.output
            if isinstance(job, Analysing):
                drawn = job.output.with_name(f"{figure.kind}.svg")
                page = os.path.relpath(job.output.with_suffix(".html"), self._settings.out)
                differences.append(f"[All analyses]({page}) are in one page.")
            if drawn.exists():
                file = os.path.relpath(drawn, self._settings.out)
            else:
                notes.append("the corpus has neither constituents nor trees")
        named = {"number": figure.number, "title": figure.title, "file": file}
        return {**named, "notes": notes, "differences": differences}

    def _report_row(self, row: Row) -> Dict[str, Any]:
        notes = self._skipped(row)
        values: List[Optional[List[float]]] = []
        for cell in row.cells:
            if cell is None or id(cell) in self._reasons:
                values.append(None)
                continue
            jobs, note = self._scorings[id(cell)], self._note(cell)
            notes += [] if note is None else [f"{row.label}: {note}"]
            values.append([job.scores()[cell.metric] for job in jobs] if note is None else None)
        return {
            "labels": list(row.labels),
            "values": values,
            "published": {corpus: list(figures) for corpus, figures in row.published.items()},
            "notes": list(dict.fromkeys(notes)),
        }

    def _note(self, cell: Cell) -> Optional[str]:
        jobs = self._scorings[id(cell)]
        failed = next((self.failures[job.name] for job in jobs if job.name in self.failures), None)
        if failed is not None:
            return failed
        if not all(job.is_done() for job in jobs):
            return "not run yet"
        notes = (job.missing(cell.metric) for job in jobs if cell.metric not in job.scores())
        return next(notes, None)


def reproduce(args: argparse.Namespace) -> None:
    """Runs the command, which ends in an error if a job failed or nothing could be estimated."""
    paper = PAPERS[args.paper](args)
    settings = settings_from(args, paper)
    tables, figures = _select(args, paper, settings)
    reproduction = Reproduction(paper, tables, figures, settings)
    _check_networks(settings, paper)
    reproduction.plan.check_configs()
    if args.dry_run:
        _print_commands(reproduction, settings)
        return
    estimates = {} if args.no_estimate else _print_estimates(reproduction, settings)
    if args.estimate:
        _expect_an_estimate(estimates)
        return
    keep_settings(settings, args.paper, reproduction.plan.networks)
    reproduction.run()
    print()
    _show((settings.out / "report.md").read_text(encoding="utf-8"))
    if reproduction.failures:
        messages = list(dict.fromkeys(reproduction.failures.values()))
        raise ConfigurationError(f"{len(reproduction.failures)} jobs failed. {'; '.join(messages)}")


def _select(
    args: argparse.Namespace, paper: Paper, settings: Settings
) -> Tuple[List[Table], List[Figure]]:
    """Returns what the options name: only tables, only figures or both; by default both."""
    data, own = settings.data, settings.own
    has_tables = args.tables is not None or args.rows is not None
    has_figures = args.figures is not None
    neither = not (has_tables or has_figures)
    tables = select_tables(paper, args.tables, args.rows, data) if has_tables or neither else []
    tables = add_own_rows(tables, own)
    return tables, select_figures(paper, args.figures) if has_figures or neither else []


def _check_networks(settings: Settings, paper: Paper) -> None:
    if not settings.network_overrides:
        return
    known = Reproduction(paper, paper.tables, paper.figures, settings).plan.networks
    for network in settings.network_overrides:
        if network not in known:
            raise ConfigurationError(
                f"--set: found the network '{network}'; expected one of {', '.join(known)}"
            )


def _show(markdown: str) -> None:
    """Prints a report: with aligned tables on a terminal, elsewhere as Markdown."""
    console = Console()
    if console.is_terminal:
        console.print(Markdown(markdown))
    else:
        print(markdown)


def _print_estimates(reproduction: Reproduction, settings: Settings) -> Estimates:
    print(f"{reproduction.summary()}.", flush=True)
    trainings = reproduction.trainings_to_run()
    if not trainings:
        return {}
    estimates = estimate_trainings(trainings, settings.out / "estimates.json")
    print(f"\n{describe(trainings, estimates)}\n", flush=True)
    return estimates


def _expect_an_estimate(estimates: Estimates) -> None:
    errors = [reason for reason in estimates.values() if isinstance(reason, str)]
    if errors and len(errors) == len(estimates):
        reasons = "; ".join(dict.fromkeys(errors))
        raise ConfigurationError(f"--estimate: found no training that can be measured; {reasons}")


def _print_commands(reproduction: Reproduction, settings: Settings) -> None:
    names = ("figures", "parses", "predictions", "scores")
    folders = [settings.out / name for name in names]
    tagging = [job for job in reproduction.plan.jobs.values() if job.name.endswith(".tags")]
    folders += dict.fromkeys(job.output.parent for job in tagging)
    print(f"mkdir -p {' '.join(shlex.quote(str(folder)) for folder in folders)}")
    print(f"# {reproduction.summary()}")
    for line in reproduction.command_lines():
        print(line)
