"""
The arguments of the package's commands, one module per command. The commands add them to AllenNLP's
parser. `lisa` also parses them alone, before anything else is loaded: importing these modules
imports neither PyTorch nor AllenNLP, so `--help` and errors in options are quick.

>>> parse("label", ["label", "--cuda-device", "1", "It rained."]).arguments
['It rained.']
"""

import argparse
import importlib
from typing import Any, Optional, Sequence

WITH_PLUGINS = frozenset(
    ["annotate", "evaluate", "export", "label", "predict", "serve", "show", "train"]
)
"""The commands with `--include-package`: those that build classes of other packages."""


class HelpFormatter(argparse.HelpFormatter):
    """Keeps the line breaks of epilogs, and shows defaults that are not in the help already."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = text.split("\n")
        return "\n".join(
            super(HelpFormatter, self)._fill_text(p, width, indent) for p in paragraphs
        )

    def _get_help_string(self, action: argparse.Action) -> Optional[str]:
        has_default = action.option_strings and action.nargs != 0 and action.default
        if not has_default or "default" in (action.help or ""):
            return action.help
        return f"{action.help} (default: %(default)s)"


class Parser(argparse.ArgumentParser):
    """A parser with `HelpFormatter`."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": HelpFormatter, **options})


def add_plugin_options(parser: argparse.ArgumentParser) -> None:
    """
    Adds the options of the commands in `WITH_PLUGINS`: AllenNLP's own, and one for models whose
    configs name classes that are not registered.
    """
    parser.add_argument(
        "--include-package",
        type=str,
        action="append",
        default=[],
        help="additional packages to include, for example allennlp_models",
    )
    parser.add_argument(
        "--allow-type",
        type=str,
        action="append",
        default=[],
        metavar="NAME",
        help="a class that the config of a trained model may name although it is not registered, "
        "for example my_package.MyEncoder. It is imported, so trust the model",
    )


def add_force(parser: argparse.ArgumentParser) -> None:
    """Adds the option `--force` to a command that writes files."""
    parser.add_argument(
        "--force", action="store_true", help="replace output files that exist already"
    )


def parse(command: str, arguments: Sequence[str], module: str = "") -> argparse.Namespace:
    """
    Parses the arguments of one of the package's commands. Like any parser, prints the help or an
    error and exits if there is a reason.

    # Parameters

    command : `str`
    arguments : `Sequence[str]`
        The name of the command, and its arguments.
    module : `str`, optional
        The module with the function `add_parser`, if it is not one of this package.
    """
    module = module or f"{__name__}.{command.replace('-', '_')}"
    parser = Parser(prog="lisa")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    subparser = importlib.import_module(module).add_parser(subparsers)
    if command in WITH_PLUGINS:
        add_plugin_options(subparser)
    args, unknown = parser.parse_known_args(arguments)
    if unknown:
        # With the usage of the command, where argparse prints that of `lisa`.
        subparser.error(f"unrecognized arguments: {' '.join(unknown)}")
    return args
