"""The arguments of `lisa compare`."""

import argparse

from lisa_allennlp.commands.arguments.measures import Task, add_common_options, add_tasks


def add_parser(parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """Adds the command and its tasks."""
    text = "Test whether one system is better than another, by paired bootstrap."
    return add_tasks(parser, "compare", text, _add_task)


def _add_task(tasks: argparse._SubParsersAction, name: str, task: Task) -> None:
    subparser = tasks.add_parser(
        name,
        help=task.text,
        description=f"Compare two systems' {task.text}. Samples of the same number of "
        "sentences are drawn with replacement. The interval is that of the difference, B minus A; "
        "the p-value is two-sided.",
    )
    add_common_options(subparser)
    subparser.add_argument("first", metavar="A", help="the predictions of one system")
    subparser.add_argument("second", metavar="B", help="the predictions of the other system")
    task.add_options(subparser)
    subparser.add_argument("--samples", type=int, default=10000, help="the number of samples")
    subparser.add_argument("--seed", type=int, default=0, help="the seed of the random numbers")
    subparser.set_defaults(**dict.fromkeys(task.table_options, False))
