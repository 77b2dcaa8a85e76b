"""
The `export` command: turns a trained model into a self-contained folder.

```
lisa export out/sample/model.tar.gz out/exported --precision float16 --license "CC BY-SA 4.0"
```
"""

import argparse

from allennlp.commands.subcommand import Subcommand

from lisa_allennlp.commands.arguments import export as export_arguments
from lisa_allennlp.model_files.exporting import Description, Storage, export
from lisa_allennlp.model_files.model_info import size_of


@Subcommand.register("export")
class Export(Subcommand):
    """Exports a model to a folder that opens without a pickle and without network."""

    requires_plugins = True

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        """Adds the arguments of the command."""
        subparser = export_arguments.add_parser(parser)
        subparser.set_defaults(func=export_model)
        return subparser


def export_model(args: argparse.Namespace) -> None:
    """Runs the command."""
    description = Description(args.license, args.name, args.model_version, args.about, args.metrics)
    storage = Storage(args.precision, args.vector_bits, args.max_words)
    info = export(args.model, args.folder, description, storage, args.force, args.overrides)
    size = size_of(args.folder) / 1e6
    print(
        f"{args.folder}: {info.name} {info.version}, {info.parameters:,} parameters, {size:.1f} MB"
    )
