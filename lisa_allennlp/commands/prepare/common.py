"""What the corpora of the `prepare` command share."""

import argparse
from pathlib import Path

RESTART = "What an earlier run has finished from the same sources is kept."


def add_out(subparser: argparse.ArgumentParser) -> None:
    """Adds the option that all of them have."""
    subparser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="the folder to write to"
    )
