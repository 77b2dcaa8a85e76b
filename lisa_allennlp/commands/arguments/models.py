"""The arguments of `lisa models`."""

import argparse


def add_parser(parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """Adds the command."""
    text = "List the models that come with the package."
    subparser = parser.add_parser(
        "models",
        description=f"{text} Each can be used by its name, as in `lisa predict NAME FILE`.",
        help=text,
    )
    return subparser
