"""The arguments of `lisa analyze`."""

import argparse

from lisa_allennlp.commands.arguments import add_force


def add_parser(parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """Adds the command."""
    text = "Analyse the errors of one or more systems that label semantic roles."
    subparser = parser.add_parser(
        "analyze",
        description=f"{text} Writes report.html, report.json and the plots as SVG and PNG.",
        help=text,
    )
    subparser.add_argument(
        "--gold",
        required=True,
        help="the gold corpus; the trees of the .conllu file beside it are gold trees",
    )
    subparser.add_argument(
        "--pred",
        action="append",
        required=True,
        metavar="NAME=FILE",
        help="a system and its predictions, in any format with roles; may be repeated",
    )
    subparser.add_argument(
        "--parse",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="another parser and its trees, in CoNLL-U; may be repeated",
    )
    subparser.add_argument("--out", required=True, metavar="DIR", help="the folder to write to")
    add_force(subparser)
    return subparser
