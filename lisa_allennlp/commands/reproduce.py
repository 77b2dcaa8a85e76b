"""`lisa reproduce`: fills the papers' tables. Its code is in `experiments`, beside the package."""

import argparse
from pathlib import Path

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.importing import import_packages


def add_arguments(parser: argparse.ArgumentParser) -> None:
    if not Path("experiments/papers/reproduce.py").is_file():
        raise ConfigurationError(
            f"reproduce: found the current folder {Path.cwd()}; expected that of a checkout of the "
            "project, since the experiments are not installed with the package"
        )
    import_packages(["experiments.papers.arguments"])
    from experiments.papers.arguments import add_arguments

    add_arguments(parser)


def run(args: argparse.Namespace) -> None:
    from lisa_allennlp.commands.plugins import load_allennlp

    load_allennlp()
    from experiments.papers.reproduce import reproduce

    reproduce(args)
