"""Options that all corpora of the `prepare` command share."""

import argparse
from pathlib import Path

RESTART = "Files that an earlier run finished from the same sources are kept."


def add_out(subparser: argparse.ArgumentParser) -> None:
    """Adds the option `--out`."""
    subparser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="the folder to write to"
    )
