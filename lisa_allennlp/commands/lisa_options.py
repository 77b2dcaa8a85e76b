"""
The options for LISA and SA of the commands that label: `--frames`, `--probabilities` and
`--min-probability`.

    >>> parser = argparse.ArgumentParser()
    >>> add_lisa_options(parser)
    >>> lisa_options(parser.parse_args(["--min-probability", "0.5"]))
    {'min_probability': 0.5}
"""

import argparse
from typing import Any, Dict


def add_lisa_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options to a command."""
    parser.add_argument(
        "--frames",
        metavar="DIR",
        help="a checkout of propbank/propbank-frames, for the meanings of rolesets and roles "
        "(default: $LISA_FRAMES)",
    )
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


def lisa_options(args: argparse.Namespace) -> Dict[str, Any]:
    """The labeller's options for the arguments that are given."""
    options: Dict[str, Any] = {}
    if args.frames is not None:
        options["frames"] = args.frames
    if args.probabilities:
        options["probabilities"] = True
    if args.min_probability is not None:
        options["min_probability"] = args.min_probability
    return options
