"""
The `models` command: lists the models that come with the package.

```
lisa models
```
"""

import argparse

from allennlp.commands.subcommand import Subcommand

from lisa_allennlp import pretrained
from lisa_allennlp.commands.arguments import models as models_arguments
from lisa_allennlp.common.tables import format_table
from lisa_allennlp.model_files.model_info import read_info, size_of

MAIN_SCORES = ("srl_f1", "sense_accuracy", "predicate_f1", "pos_accuracy", "uas", "las", "accuracy")
"""The scores to show, if a model has them."""


@Subcommand.register("models")
class Models(Subcommand):
    """Lists the models in the package."""

    requires_plugins = False

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        """Adds the command, which has no arguments."""
        subparser = models_arguments.add_parser(parser)
        subparser.set_defaults(func=list_models)
        return subparser


def list_models(args: argparse.Namespace) -> None:
    """Prints the name, version, size, licence and scores of each model."""
    rows = []
    for name in pretrained.names():
        folder = pretrained.FOLDER / name
        info = read_info(folder)
        scores = [f"{key} {info.scores[key]:.1f}" for key in MAIN_SCORES if key in info.scores]
        size = f"{size_of(folder) / 1e6:.1f} MB"
        rows.append([name, info.version, size, info.license, ", ".join(scores) or "-"])
    if not rows:
        print(f"no models in {pretrained.FOLDER}")
        return
    print(format_table(rows, ["name", "version", "size", "licence", "scores"]))
