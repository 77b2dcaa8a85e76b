"""The arguments of `lisa train`: those of AllenNLP's command, and `--from`."""

import argparse
import textwrap

from lisa_allennlp.commands.arguments.inherited import add_file_friendly_logging, add_overrides
from lisa_allennlp.common import config_files


def add_parser(parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """Adds the command."""
    names = textwrap.fill(", ".join(config_files.names()), 78, break_on_hyphens=False)
    subparser = parser.add_parser(
        "train",
        description="Train a model from a config, or continue from a trained one. "
        "docs/training.md describes what is shown and written.",
        epilog=f"The configs that come with the package:\n{names}",
        help="Train a model from a config, or continue from a trained one.",
    )
    _add_inherited(subparser)
    subparser.add_argument(
        "--from",
        dest="continue_from",
        metavar="MODEL",
        help="start from the weights of this model (model.tar.gz, a folder, or a name that "
        "`lisa models` lists) and extend its vocabulary by the labels and words of the corpus. "
        'The config must have the same network. Short for -o \'{"type": "continued", '
        '"continue_from": MODEL}\'',
    )
    return subparser


def _add_inherited(subparser: argparse.ArgumentParser) -> None:
    subparser.add_argument(
        "param_path", metavar="CONFIG", help="a config: a file, or one of the names below"
    )
    subparser.add_argument(
        "-s",
        "--serialization-dir",
        required=True,
        metavar="OUT",
        help="the folder for the model, its metrics and the log out.log",
    )
    subparser.add_argument(
        "-r",
        "--recover",
        action="store_true",
        help="continue the interrupted training in OUT",
    )
    subparser.add_argument(
        "-f", "--force", action="store_true", help="delete OUT first if it exists"
    )
    add_overrides(subparser, '{"trainer.num_epochs": 5}')
    subparser.add_argument(
        "--node-rank",
        type=int,
        default=0,
        help="the number of this node in distributed training",
    )
    subparser.add_argument(
        "--dry-run",
        action="store_true",
        help="read the data and build the vocabulary and the model, but do not train it",
    )
    add_file_friendly_logging(subparser)
