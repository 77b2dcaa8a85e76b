"""
The options `--probabilities` and `--min-probability` of the commands that label.

    >>> parser = argparse.ArgumentParser()
    >>> add_confidence(parser)
    >>> confidence_options(parser.parse_args(["--min-probability", "0.5"]))
    {'min_probability': 0.5}
"""

import argparse
from typing import Any, Dict


def add_confidence(parser: argparse.ArgumentParser) -> None:
    """Adds the options to a command."""
    parser.add_argument(
        "--probabilities",
        action="store_true",
        help="for LISA and SA: also give the probabilities of tags, arcs, predicates and role "
        "spans (short for the predictor argument `probabilities`)",
    )
    parser.add_argument(
        "--min-probability",
        type=float,
        metavar="P",
        help="for LISA and SA: leave out arguments with a probability below P, from 0 to 1 (short "
        "for the predictor argument `min_probability`; default: the model's)",
    )


def confidence_options(args: argparse.Namespace) -> Dict[str, Any]:
    """The labeller's options for the arguments that are given."""
    options: Dict[str, Any] = {}
    if args.probabilities:
        options["probabilities"] = True
    if args.min_probability is not None:
        options["min_probability"] = args.min_probability
    return options
