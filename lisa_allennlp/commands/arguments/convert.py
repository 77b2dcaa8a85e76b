"""The arguments of `lisa convert`."""

import argparse

from lisa_allennlp.commands.arguments import add_force
from lisa_allennlp.data.formats.names import READABLE_FORMATS, WRITABLE_FORMATS


def add_parser(parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """Adds the command."""
    text = "Convert annotated files, such as predictions, to another format."
    subparser = parser.add_parser(
        "convert",
        description=f"{text} docs/formats.md describes the formats.",
        help=text,
    )
    subparser.add_argument(
        "input",
        metavar="INPUT",
        help="an annotated file, plain or .gz, or a folder of gold_conll files",
    )
    subparser.add_argument(
        "output",
        metavar="OUTPUT",
        help="the file to write, not compressed, or - for standard output",
    )
    subparser.add_argument(
        "--from",
        dest="input_format",
        choices=READABLE_FORMATS,
        help="the format of the input (default: by its name or content)",
    )
    subparser.add_argument(
        "--to",
        dest="output_format",
        choices=WRITABLE_FORMATS,
        help="the format of the output (default: by its name)",
    )
    subparser.add_argument(
        "--lemmas-from",
        metavar="GOLD",
        help="an annotated file of the same sentences. Its predicates give their lemmas to the "
        "predicates at the same positions. Models predict no lemmas, but srl-eval.pl counts "
        "every argument of a predicate with another lemma than gold's as missed",
    )
    add_force(subparser)
    return subparser
