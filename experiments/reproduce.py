"""
The `reproduce` command: trains and evaluates the systems in the tables of the papers.

```
lisa reproduce --data ewt --corpus corpora/ewt --tables 1,4 --out out/tables
```
"""

import argparse
import contextlib
import dataclasses
import json
import os
import shlex
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

import torch
from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError

from experiments.ccg_tables import ccg_paper
from experiments.lisa_tables import PARSERS, lisa_paper
from experiments.plan import Settings
from experiments.runner import Reproduction
from experiments.systems import Paper, Table
from lisa_allennlp.common.json_options import json_object

CHECKOUT = Path(__file__).resolve().parents[1]
"""The folder of the configs, to which the sample's paths are relative."""

VARIABLES = ("LISA_DATA", "LISA_CORPUS", "LISA_VECTORS", "LISA_ELMO")
"""The environment variables that the configs of the tables read."""


@Subcommand.register("reproduce")
class Reproduce(Subcommand):
    """Fills the tables of a paper."""

    requires_plugins = False

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        """Adds the arguments of the command."""
        text = "Train and evaluate the systems in the papers' tables."
        subparser = parser.add_parser(
            self.name,
            help=text,
            description=f"{text} Writes report.md and report.json, with measured and published "
            "figures, to the output folder. Models, parses and scores of an earlier run are kept "
            "there, and an interrupted training is continued.",
        )
        subparser.add_argument("--paper", choices=("lisa", "ccg"), default="lisa")
        subparser.add_argument(
            "--tables",
            metavar="N,N",
            help="numbers of tables in the paper (default: all)",
        )
        subparser.add_argument(
            "--rows",
            action="append",
            metavar="TEXT",
            help="only rows with this text in their labels, such as 'GloVe' or '+D&M'; can be "
            "repeated",
        )
        subparser.add_argument(
            "--out", type=Path, required=True, metavar="DIR", help="the folder to write to"
        )
        _add_choices(subparser)
        _add_trainings(subparser)
        subparser.add_argument(
            "--dry-run", action="store_true", help="print the commands without running them"
        )
        subparser.set_defaults(func=reproduce)
        return subparser


def _add_choices(subparser: argparse.ArgumentParser) -> None:
    subparser.add_argument(
        "--data",
        metavar="NAME",
        help="the kind of corpus: sample, ewt, conll2005, conll2012, or for --paper ccg ccgbank "
        "(default: the environment variable LISA_DATA, or sample)",
    )
    subparser.add_argument(
        "--corpus",
        metavar="DIR",
        help="the folder of the corpus (default: the environment variable LISA_CORPUS)",
    )
    subparser.add_argument(
        "--size",
        choices=("published", "small"),
        help="the size of the networks; small ones are for CPUs (default: small for sample and "
        "ewt)",
    )
    subparser.add_argument(
        "--parser-words",
        choices=tuple(PARSERS),
        default="elmo",
        help="the word vectors of the +D&M parser at published size (default: elmo, as in the "
        "paper)",
    )


def _add_trainings(subparser: argparse.ArgumentParser) -> None:
    subparser.add_argument(
        "--seeds",
        metavar="N,N",
        help="train every network with each of these random seeds, and report the mean and each "
        "figure",
    )
    subparser.add_argument(
        "-o",
        "--overrides",
        default="{}",
        metavar="JSON",
        help="overrides of all configs, as for the train command",
    )
    subparser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="[NETWORK:]KEY=VALUE",
        help="one override of all configs (trainer.num_epochs=5) or of one network's config "
        "(dm_small:trainer.num_epochs=2), with the network's folder name that --dry-run shows; can "
        "be repeated",
    )
    subparser.add_argument(
        "--cuda-device",
        type=int,
        help="number of the GPU for evaluations, -1 for the CPU (default: 0 if there is a GPU)",
    )


def reproduce(args: argparse.Namespace) -> None:
    """
    # Raises

    `ConfigurationError`
        If an argument is invalid; after all jobs have run, if one of them failed.
    """
    paper = lisa_paper(PARSERS[args.parser_words]) if args.paper == "lisa" else ccg_paper()
    tables = select_rows(select_tables(paper, args.tables), args.rows)
    with _in_checkout() as moved_from:
        settings = _settings(args, paper, moved_from)
        reproduction = Reproduction(paper, tables, settings)
        _check_networks(settings, paper)
        if args.dry_run:
            _print_commands(reproduction, settings, moved_from)
            return
        _keep_settings(settings, args.paper, reproduction.plan.networks)
        reproduction.run()
    print()
    show((settings.out / "report.md").read_text(encoding="utf-8"))
    if reproduction.failures:
        messages = list(dict.fromkeys(reproduction.failures.values()))
        raise ConfigurationError(f"{len(reproduction.failures)} jobs failed. {'; '.join(messages)}")


def select_tables(paper: Paper, numbers: Optional[str]) -> List[Table]:
    """
    # Parameters

    paper : `Paper`
    numbers : `str`, optional
        Numbers separated by commas; `None` for all tables.

    # Raises

    `ConfigurationError`
        If a table does not exist.
    """
    if numbers is None:
        return paper.tables
    by_number = {str(table.number): table for table in paper.tables}
    wanted = [number.strip() for number in numbers.split(",")]
    for number in wanted:
        if number not in by_number:
            raise ConfigurationError(
                f"--tables: found '{number}'; expected some of {','.join(by_number)}, for "
                f"'{paper.title}'"
            )
    return [by_number[number] for number in dict.fromkeys(wanted)]


def select_rows(tables: List[Table], texts: Optional[List[str]]) -> List[Table]:
    """
    # Parameters

    tables : `List[Table]`
    texts : `List[str]`, optional
        The texts of which a row's labels must contain one; `None` for all rows.

    # Returns

    `List[Table]`
        The tables that have such rows, without their other rows.

    # Raises

    `ConfigurationError`
        If no row is left.
    """
    if texts is None:
        return tables
    chosen = []
    for table in tables:
        rows = [r for r in table.rows if any(t.lower() in r.label.lower() for t in texts)]
        if rows:
            chosen.append(dataclasses.replace(table, rows=rows))
    if not chosen:
        labels = dict.fromkeys(f"'{row.label}'" for table in tables for row in table.rows)
        raise ConfigurationError(f"--rows: found {texts}; expected a part of {', '.join(labels)}")
    return chosen


@contextlib.contextmanager
def _in_checkout() -> Iterator[Path]:
    """Changes to the checkout's folder and yields the user's folder."""
    folder = Path.cwd()
    os.chdir(CHECKOUT)
    try:
        yield folder
    finally:
        os.chdir(folder)


def _settings(args: argparse.Namespace, paper: Paper, folder: Path) -> Settings:
    environment = {name: os.environ.get(name, "") for name in VARIABLES}
    environment["LISA_DATA"] = args.data or environment["LISA_DATA"] or "sample"
    environment["LISA_CORPUS"] = args.corpus or environment["LISA_CORPUS"]
    if environment["LISA_DATA"] == "sample":
        environment["LISA_CORPUS"] = ""
    for name in VARIABLES[1:]:
        environment[name] = _from_checkout(environment[name], folder)
    is_small = environment["LISA_DATA"] in ("sample", "ewt") and "small" in paper.sizes
    size = args.size or ("small" if is_small else "published")
    if size not in paper.sizes:
        raise ConfigurationError(
            f"--size is '{size}'; the configs of '{paper.title}' have one size"
        )
    overrides = json_object("--overrides", args.overrides)
    network_overrides: Dict[str, Dict[str, Any]] = {}
    for text in args.set:
        network, key, value = parse_change(text)
        (network_overrides.setdefault(network, {}) if network else overrides)[key] = value
    device = args.cuda_device
    if device is None:
        device = 0 if torch.cuda.is_available() else -1
    return Settings(
        out=Path(_from_checkout(str(args.out), folder)),
        environment=environment,
        size=size,
        seeds=_seeds(args.seeds),
        overrides=overrides,
        network_overrides=network_overrides,
        cuda_device=device,
    )


def _from_checkout(path: str, folder: Path) -> str:
    """A path relative to the user's folder, as a path relative to the checkout."""
    if not path or folder == CHECKOUT or path.startswith(("http:", "https:")):
        return path
    # LISA_ELMO is a prefix of file names, so its final slash must stay.
    return os.path.join(folder, os.path.expanduser(path))


def parse_change(text: str) -> Tuple[str, str, Any]:
    """
    # Parameters

    text : `str`
        `[NETWORK:]KEY=VALUE`.

    # Returns

    `Tuple[str, str, Any]`
        The network (empty for all networks), the key and the value. A value that is not JSON is a
        string.

    # Raises

    `ConfigurationError`
        If the key or the value is missing.
    """
    target, equals, value = text.partition("=")
    network, _, key = target.rpartition(":")
    if not equals or not key:
        raise ConfigurationError(f"--set: found {text!r}; expected [NETWORK:]KEY=VALUE")
    try:
        return network, key, json.loads(value)
    except json.JSONDecodeError:
        return network, key, value


def _seeds(text: Optional[str]) -> Tuple[int, ...]:
    if text is None:
        return ()
    try:
        return tuple(dict.fromkeys(int(seed) for seed in text.split(",")))
    except ValueError:
        raise ConfigurationError(
            f"--seeds: found {text!r}; expected whole numbers, as in 1,2,3"
        ) from None


def _check_networks(settings: Settings, paper: Paper) -> None:
    if not settings.network_overrides:
        return
    known = Reproduction(paper, paper.tables, settings).plan.networks
    for network in settings.network_overrides:
        if network not in known:
            raise ConfigurationError(
                f"--set: found the network '{network}'; expected one of {', '.join(known)}"
            )


def _keep_settings(settings: Settings, paper: str, networks: List[str]) -> None:
    """
    Records the training settings of an output folder. The settings of networks that an earlier run
    trained there must not have changed.
    """
    file = settings.out / "settings.json"
    now: Dict[str, Any] = {
        "paper": paper,
        "environment": dict(settings.environment),
        "size": settings.size,
        "overrides": dict(settings.overrides),
    }
    before = json_object(str(file), file.read_text(encoding="utf-8")) if file.exists() else now
    for name, value in now.items():
        _expect_unchanged(file, name, before.get(name), value)
    trained = {path.name.partition(".seed")[0] for path in (settings.out / "models").glob("*")}
    changes = dict(before.get("network_overrides", {}))
    for network in dict.fromkeys([*networks, *settings.network_overrides]):
        change = dict(settings.network_overrides.get(network, {}))
        if network in trained:
            _expect_unchanged(file, f"changes of {network}", changes.get(network, {}), change)
        changes[network] = change
    now["network_overrides"] = {network: change for network, change in changes.items() if change}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(now, indent=2) + "\n", encoding="utf-8")


def _expect_unchanged(file: Path, name: str, before: Any, now: Any) -> None:
    if before != now:
        raise ConfigurationError(
            f"{file}: found {name} {json.dumps(before)} of an earlier run; expected "
            f"{json.dumps(now)}, as in this run. Choose another --out"
        )


def show(markdown: str) -> None:
    """Prints a report: with aligned tables on a terminal, elsewhere as Markdown."""
    # Every `lisa` command in a checkout imports this module, which should be quick.
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    if console.is_terminal:
        console.print(Markdown(markdown))
    else:
        print(markdown)


def _print_commands(reproduction: Reproduction, settings: Settings, folder: Path) -> None:
    if folder != CHECKOUT:
        print(f"cd {shlex.quote(str(CHECKOUT))}")
    folders = [shlex.quote(str(settings.out / name)) for name in ("parses", "scores")]
    print(f"mkdir -p {' '.join(folders)}")
    for line in reproduction.command_lines():
        print(line)
