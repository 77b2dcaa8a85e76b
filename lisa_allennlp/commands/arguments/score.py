"""The arguments of `lisa score`."""

import argparse

from lisa_allennlp.commands.arguments.measures import Task, add_common_options, add_tasks

_FILES = (
    "Files may be props, BIO, CoNLL-2005, gold_conll, CoNLL-U, or the JSON lines of lisa predict. "
    "They must have the same sentences in the same order. docs/scoring.md explains the measures."
)


def add_parser(parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """Adds the command and its tasks."""
    text = "Score a file of predictions as the official scorers do."
    return add_tasks(parser, "score", text, _add_task)


def _add_task(tasks: argparse._SubParsersAction, name: str, task: Task) -> None:
    subparser = tasks.add_parser(name, help=task.text, description=f"Score {task.text}. {_FILES}")
    add_common_options(subparser)
    subparser.add_argument("predicted", metavar="PREDICTED", help="the file of predictions")
    task.add_options(subparser)
    for option, text in task.table_options.items():
        subparser.add_argument(f"--{option}", action="store_true", help=text)
