"""The arguments of `lisa label`."""

import argparse

from lisa_allennlp import pretrained
from lisa_allennlp.commands.lisa_options import add_labeller_options


def add_parser(parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """Adds the command."""
    text = "Label sentences with a trained model and print them as tables."
    subparser = parser.add_parser(
        "label",
        description=f"{text} For JSON, use the predict command.",
        help=text,
    )
    subparser.add_argument(
        "arguments",
        type=str,
        nargs="*",
        metavar="[MODEL] [text ...]",
        help="the model: model.tar.gz, a folder, or a name that `lisa models` lists (default: "
        f"{pretrained.DEFAULT}). Then raw text of any number of sentences, or a JSON object as "
        'for `lisa predict`, such as {"tokens": ["Go"], "pos": ["VB"]} (default: each line of '
        "standard input). The first argument is the model if it is a file, a folder, one word "
        "with a slash or one of the names",
    )
    add_labeller_options(subparser)
    return subparser
