"""The arguments of `lisa show`."""

import argparse

from lisa_allennlp import pretrained
from lisa_allennlp.commands.arguments import add_force
from lisa_allennlp.commands.lisa_options import add_labeller_options
from lisa_allennlp.visualisation.theme import THEMES

OWN = "own"
"""The value of `--compare` for the model's own parse."""


WIDTH = 1200
"""The width of pictures without `--width`."""


def pixels(text: str) -> int:
    """
    Reads the value of `--width`.

    # Raises

    `ArgumentTypeError`
        If it is not 0 or a positive integer.
    """
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"found '{text}'; expected a number of pixels, or 0")
    return int(text)


def add_parser(parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """Adds the command."""
    text = "Show labelled sentences as pictures: in the terminal, as HTML or as SVG."
    subparser = parser.add_parser(
        "show",
        description=f"{text} docs/show.md has examples. `lisa label` prints tables instead.",
        help=text,
    )
    subparser.add_argument(
        "arguments",
        type=str,
        nargs="*",
        metavar="[MODEL] [text or FILE ...]",
        help="the model, as for `lisa label` (default: "
        f"{pretrained.DEFAULT}). Then raw text to label, or a JSON object as for `lisa predict`, "
        "or as it writes it; or annotated files, such as predictions, whose names or contents "
        "tell their formats (default: each line of standard input)",
    )
    subparser.add_argument(
        "--html", metavar="FILE", help="write a page for browsers instead, or - to print it"
    )
    subparser.add_argument(
        "--svg", metavar="FILE", help="write the pictures below each other instead, or - to print"
    )
    add_force(subparser)
    subparser.add_argument(
        "--theme",
        choices=THEMES,
        default=THEMES[0],
        help="the colours of --html and --svg (default: auto, as the reader's system)",
    )
    subparser.add_argument(
        "--width",
        type=pixels,
        default=WIDTH,
        metavar="PIXELS",
        help="the width of the pictures of --html and --svg: longer sentences have several lines "
        f"(default: {WIDTH}, for pages on a screen of 1280); 0 for one line",
    )
    subparser.add_argument(
        "--compare",
        metavar="OTHER",
        help="mark what differs from another annotated file of the same sentences; or, for "
        f"sentences to label, from another model's answers, or, with '{OWN}', from those with the "
        "model's own parse instead of the `head_indices` given",
    )
    subparser.add_argument(
        "--attention",
        action="store_true",
        help="also show the attention of LISA's syntactic head as a heat map, in which the heads "
        "of the tree are outlined",
    )
    add_labeller_options(subparser)
    return subparser
