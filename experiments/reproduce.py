"""
The `reproduce` command: trains and evaluates the systems in the tables of the papers.

```
lisa reproduce --data ewt --corpus corpora/ewt --tables 1,4 --out out/tables
```
"""

import argparse
import contextlib
import os
import shlex
from pathlib import Path
from typing import Callable, Dict, Iterator, List, Tuple

from experiments.ccg_tables import ccg_paper
from experiments.dm_tables import dm_paper
from experiments.estimates import Estimates, describe
from experiments.lisa_tables import CORPORA, PARSERS, lisa_paper
from experiments.papers import Figure, Paper, Table
from experiments.runner import Reproduction
from experiments.settings import (
    CHECKOUT,
    Settings,
    keep_settings,
    select_figures,
    select_tables,
    settings_from,
)
from lisa_allennlp.common.errors import ConfigurationError

PAPERS: Dict[str, Callable[[argparse.Namespace], Paper]] = {
    "lisa": lambda args: lisa_paper(PARSERS[args.parser_words], args.with_crf),
    "dm": lambda args: dm_paper(CORPORA),
    "ccg": lambda args: ccg_paper(),
}
"""The papers by their names on the command line."""


def reproduce(args: argparse.Namespace) -> None:
    """
    Runs the command. Raises `ConfigurationError` if an argument is invalid; with `--estimate`, if
    no training could be measured; after all jobs have run, if one of them failed.
    """
    paper = PAPERS[args.paper](args)
    with _in_checkout() as moved_from:
        settings = settings_from(args, paper, moved_from)
        tables, figures = _select(args, paper, settings.data)
        reproduction = Reproduction(paper, tables, figures, settings)
        _check_networks(settings, paper)
        reproduction.plan.check_configs()
        if args.dry_run:
            _print_commands(reproduction, settings, moved_from)
            return
        estimates = {} if args.no_estimate else _print_estimates(reproduction)
        if args.estimate:
            _expect_an_estimate(estimates)
            return
        keep_settings(settings, args.paper, reproduction.plan.networks)
        reproduction.run()
    print()
    show((settings.out / "report.md").read_text(encoding="utf-8"))
    if reproduction.failures:
        messages = list(dict.fromkeys(reproduction.failures.values()))
        raise ConfigurationError(f"{len(reproduction.failures)} jobs failed. {'; '.join(messages)}")


def _select(args: argparse.Namespace, paper: Paper, data: str) -> Tuple[List[Table], List[Figure]]:
    """
    What to make: with `--tables` or `--rows` but not `--figures` only tables, with `--figures` but
    neither of the others only figures, by default both.
    """
    chooses_tables = args.tables is not None or args.rows is not None
    tables: List[Table] = []
    figures: List[Figure] = []
    if chooses_tables or args.figures is None:
        tables = select_tables(paper, args.tables, args.rows, data)
    if args.figures is not None or not chooses_tables:
        figures = select_figures(paper, args.figures)
    return tables, figures


@contextlib.contextmanager
def _in_checkout() -> Iterator[Path]:
    """Changes to the checkout's folder and yields the user's folder."""
    folder = Path.cwd()
    os.chdir(CHECKOUT)
    try:
        yield folder
    finally:
        os.chdir(folder)


def _check_networks(settings: Settings, paper: Paper) -> None:
    if not settings.network_overrides:
        return
    known = Reproduction(paper, paper.tables, paper.figures, settings).plan.networks
    for network in settings.network_overrides:
        if network not in known:
            raise ConfigurationError(
                f"--set: found the network '{network}'; expected one of {', '.join(known)}"
            )


def show(markdown: str) -> None:
    """Prints a report: with aligned tables on a terminal, elsewhere as Markdown."""
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    if console.is_terminal:
        console.print(Markdown(markdown))
    else:
        print(markdown)


def _print_estimates(reproduction: Reproduction) -> Estimates:
    print(f"{reproduction.summary()}.", flush=True)
    trainings = reproduction.trainings_to_run()
    if not trainings:
        return {}
    estimates = reproduction.estimate()
    print(f"\n{describe(trainings, estimates)}\n", flush=True)
    return estimates


def _expect_an_estimate(estimates: Estimates) -> None:
    errors = [reason for reason in estimates.values() if isinstance(reason, str)]
    if errors and len(errors) == len(estimates):
        reasons = "; ".join(dict.fromkeys(errors))
        raise ConfigurationError(f"--estimate: found no training that can be measured; {reasons}")


def _print_commands(reproduction: Reproduction, settings: Settings, folder: Path) -> None:
    if folder != CHECKOUT:
        print(f"cd {shlex.quote(str(CHECKOUT))}")
    names = ("figures", "parses", "predictions", "scores")
    folders = [shlex.quote(str(settings.out / name)) for name in names]
    print(f"mkdir -p {' '.join(folders)}")
    print(f"# {reproduction.summary()}")
    for line in reproduction.command_lines():
        print(line)
