"""The arguments of `lisa print-results`: AllenNLP's, with any number of folders."""

import argparse


def add_parser(parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """Adds the command."""
    text = "Print the results of trainings as a table."
    subparser = parser.add_parser(
        "print-results",
        description=f"{text} A training that has not ended is shown as of its last epoch.",
        help=text,
    )
    subparser.add_argument(
        "path",
        nargs="+",
        metavar="OUT",
        help="the output folder of a training, or a folder to search for them",
    )
    subparser.add_argument(
        "-k",
        "--keys",
        nargs="+",
        metavar="KEY",
        help="the keys of the metrics file to show; - for those that a training lacks (default: "
        "the best epoch, its validation scores, and the time)",
    )
    subparser.add_argument(
        "-m",
        "--metrics-filename",
        default="metrics.json",
        metavar="NAME",
        help="the name of the metrics file",
    )
    return subparser
