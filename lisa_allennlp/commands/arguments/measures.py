"""The arguments that `lisa score` and `lisa compare` share: tasks, files and measures."""

import argparse
from typing import Callable, Dict, Mapping, NamedTuple

from lisa_allennlp.commands.arguments import add_force
from lisa_allennlp.data.formats.names import READABLE_FORMATS


class Task(NamedTuple):
    """
    What can be scored.

    # Parameters

    text : `str`
        For the help.
    add_options : `Callable`
        Adds the options of its measures to a parser.
    table_options : `Mapping[str, str]`, optional (default = none)
        The switches that change only the table that `score` prints, with their help.
    """

    text: str
    add_options: Callable[[argparse.ArgumentParser], None]
    table_options: Mapping[str, str] = {}


def add_common_options(subparser: argparse.ArgumentParser) -> None:
    """Adds the gold file, the formats and `--json`."""
    subparser.add_argument("gold", metavar="GOLD", help="the gold file")
    for side in ("gold", "predicted"):
        subparser.add_argument(
            f"--{side}-format",
            choices=READABLE_FORMATS,
            help=f"the format of the {side} file, if its name and content do not tell it",
        )
    subparser.add_argument(
        "--json",
        metavar="FILE",
        help="also write counts and unrounded scores to a file; '-' prints them instead of the "
        "table",
    )
    add_force(subparser)


def add_srl_options(subparser: argparse.ArgumentParser) -> None:
    """Adds the options of the measures of roles."""
    subparser.add_argument(
        "--measure",
        choices=("conll05", "primesrl"),
        default="conll05",
        help="conll05: srl-eval.pl's; primesrl: PriMeSRL-Eval's, which also scores senses",
    )
    subparser.add_argument(
        "--strict",
        action="store_true",
        help="count the arguments of predicates that are not in gold as excess, as He et al. "
        "(2018) do. srl-eval.pl ignores such predicates",
    )
    subparser.add_argument(
        "--ignore-lemmas",
        action="store_true",
        help="match predicates by position only. By default, if both files have lemmas, another "
        "lemma than in gold makes all arguments of the predicate missed, as in srl-eval.pl",
    )


def add_parse_options(subparser: argparse.ArgumentParser) -> None:
    """Adds the options of the measures of trees."""
    subparser.add_argument(
        "--measure",
        choices=("conllx", "conll18"),
        default="conllx",
        help="conllx: the attachment scores of eval.pl; conll18: those of the CoNLL 2018 shared "
        "task, for CoNLL-U files. conll18 counts punctuation and ignores subtypes of relations",
    )
    subparser.add_argument(
        "--punctuation",
        action="store_true",
        help="count punctuation, which eval.pl leaves out by default",
    )


TASKS: Dict[str, Task] = {
    "srl": Task(
        "predicates and their roles",
        add_srl_options,
        {
            "confusion": "also print the confusion matrix of roles",
            "latex": "print the table in LaTeX",
        },
    ),
    "parse": Task("dependency trees", add_parse_options),
}
"""The tasks by their names on the command line."""


def add_tasks(
    parser: argparse._SubParsersAction,
    command: str,
    text: str,
    add_task: Callable[[argparse._SubParsersAction, str, Task], None],
) -> argparse.ArgumentParser:
    """Adds a command with a subcommand for each of `TASKS`, which `add_task` adds."""
    subparser = parser.add_parser(command, description=text, help=text)
    tasks = subparser.add_subparsers(
        title="tasks",
        description=f"lisa {command} TASK --help shows the options of a task",
        dest="task",
        metavar="TASK",
        required=True,
    )
    for name, task in TASKS.items():
        add_task(tasks, name, task)
    return subparser
