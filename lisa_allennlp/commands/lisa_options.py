"""
The options of the commands that label: those for LISA and SA, and all that `lisa label` and `lisa
show` share.

    >>> parser = argparse.ArgumentParser()
    >>> add_lisa_options(parser)
    >>> parser.parse_args(["--min-probability", "0.5"]).min_probability
    0.5
"""

import argparse

from lisa_allennlp.commands.arguments.inherited import add_cuda_device


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


def add_labeller_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the labeller to a command that labels sentences one by one."""
    add_cuda_device(parser)
    parser.add_argument(
        "--predictor-args",
        default="",
        help="options as for `lisa predict`, for example '{\"beta\": 0.1}' for a supertagger",
    )
    add_lisa_options(parser)
