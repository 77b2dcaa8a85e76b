"""`lisa reproduce`: fills the papers' tables. Its code is in `experiments`, beside the package."""

import argparse
import sys
from pathlib import Path

from lisa_allennlp.common.errors import ConfigurationError

CHECKOUT = Path(__file__).resolve().parents[2]
"""The checkout of the project, if the package is imported from one."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    if not (CHECKOUT / "experiments").is_dir():
        raise ConfigurationError(
            f"reproduce: found lisa-allennlp installed in {CHECKOUT}; expected a checkout of the "
            "project (pip install --no-deps -e .), since the experiments are not installed with "
            "the package"
        )
    sys.path.append(str(CHECKOUT))
    from experiments.arguments import add_arguments

    add_arguments(parser)


def run(args: argparse.Namespace) -> None:
    from lisa_allennlp.commands.plugins import load_allennlp

    load_allennlp()
    from experiments.reproduce import reproduce

    reproduce(args)
