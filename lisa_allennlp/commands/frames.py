"""The option `--frames` of the commands `label` and `predict`."""

import argparse


def add_frames(subparser: argparse.ArgumentParser) -> None:
    """
    Adds the option to a command.

    >>> parser = argparse.ArgumentParser()
    >>> add_frames(parser)
    >>> parser.parse_args(["--frames", "propbank-frames"]).frames
    'propbank-frames'
    """
    subparser.add_argument(
        "--frames",
        metavar="DIR",
        help="a checkout of propbank/propbank-frames, for the meanings of rolesets and roles "
        "(default: $LISA_FRAMES)",
    )
